// The pages' kit without a browser. Run by PageLogicTests, or `node --test Tests/AcceptanceTests/pages/`.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Captions, Heard } from "../../../www/kit/captions.js"
import { Clock } from "../../../www/kit/clock.js"
import { backOff, Engine, engineAddress, engineToken } from "../../../www/kit/engine.js"
import { Frames, quantile } from "../../../www/kit/frames.js"
import { Spring } from "../../../www/kit/spring.js"
import { Visit } from "../../../www/kit/visit.js"
import { choose, Words } from "../../../www/kit/words.js"

test("a spring follows its differential equation, and ends where it should", () => {
    // x″ = −ω²(x − to) − 2ζωx′, in small steps, is what the closed form must give.
    for (const damping of [0.6, 0.86, 1]) {
        const spring = new Spring({ from: 0.3, to: 2, velocity: -4, response: 0.35, damping })
        const omega = 2 * Math.PI / 0.35
        let [x, v] = [0.3, -4]
        const step = 1e-5
        for (let n = 0; n < 40_000; n++) {
            v += step * (-omega * omega * (x - 2) - 2 * damping * omega * v)
            x += step * v
        }
        assert.ok(Math.abs(spring.value(0.4) - x) < 1e-3, `${damping}: ${spring.value(0.4)} for ${x}`)
        assert.ok(Math.abs(spring.velocity(0.4) - v) < 2e-2)
        assert.ok(Math.abs(spring.value(0) - 0.3) < 1e-12)
        assert.ok(Math.abs(spring.velocity(0) + 4) < 1e-9)
        assert.ok(!spring.isSettled(0.05, 0.001) && spring.isSettled(3, 0.001))
    }
})

test("the engine's time is the page's by the quickest of the last answers", () => {
    const clock = new Clock()
    assert.deepEqual([clock.toPage(1), clock.shift], [null, null])
    clock.learn(5_000e6, 1000, 1100) // slow, and late on the way back
    clock.learn(6_000e6, 2000, 2002)
    assert.equal(clock.toPage(7_000e6), 3001)
    for (let n = 0; n < 8; n++) clock.learn(9_000e6, 5000, 5004)
    assert.equal(clock.toPage(9_000e6), 5002, "what is old is forgotten")
    // Halfway is 5,002; the engine may have said it at 5,000 as well as at 5,004.
    assert.equal(clock.shift, 9_000 - 5_002 - 2, "nothing is told before it has happened")
})

test("a page waits longer after each loss, half a second at most", () => {
    assert.deepEqual([0, 1, 2, 9].map(attempt => Math.round(backOff(attempt, 1))), [100, 150, 225, 500])
    assert.ok(backOff(0, 0) >= 80)
})

test("the engine is where the page is from, unless the address says otherwise", () => {
    const address = text => engineAddress(new URL(text))
    assert.equal(address("http://127.0.0.1:8080/colorscroller/"), "ws://127.0.0.1:8080/socket")
    assert.equal(address("https://kiosk/colorscroller/?lang=de"), "wss://kiosk/socket")
    assert.equal(address("http://a/?engine=127.0.0.1:7777"), "ws://127.0.0.1:7777/socket")
    assert.equal(engineToken(new URL("http://a/#token=c0ffee")), "c0ffee")
    assert.equal(engineToken(new URL("http://a/?token=c0ffee")), null)
})

/** Sockets and timers that a test holds in its hands. */
class Line {
    sockets = []
    delays = []
    due = []

    constructor() {
        const line = this
        this.Socket = class {
            readyState = 0
            sent = []

            constructor(address, protocols) {
                Object.assign(this, { address, protocols })
                line.sockets.push(this)
            }

            send(text) { this.sent.push(JSON.parse(text)) }
            close() { this.readyState = 3 }
            open() {
                this.readyState = 1
                this.onopen()
            }
            async answer(method, result) {
                const request = this.sent.findLast(message => message.method === method)
                this.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", id: request.id, result }) })
                await settled()
            }
            tell(method, params) { this.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", method, params }) }) }
            drop() {
                this.readyState = 3
                this.onclose()
            }
        }
        this.timers = {
            setTimeout: (act, delay) => {
                line.delays.push(delay)
                return line.due.push(act) - 1
            },
            clearTimeout: place => { line.due[place] = () => {} },
        }
    }

    get socket() { return this.sockets.at(-1) }

    /** All that was planned so far happens. */
    pass() { for (const act of this.due.splice(0)) act() }
}

const settled = async () => { for (let n = 0; n < 20; n++) await Promise.resolve() }

function engineOn(line) {
    return new Engine("ws://x/", { name: "page", topics: ["scroll"], touches: "engine", Socket: line.Socket, timers: line.timers })
}

async function greet(line) {
    line.socket.open()
    await line.socket.answer("subscribe", { snapshot: { state: { hasSession: false } } })
    await line.socket.answer("hello", { methods: ["ping"], role: "control" })
}

test("a refusal has the engine's reason, and what nobody answers has none", async () => {
    const line = new Line()
    const engine = engineOn(line)
    await assert.rejects(engine.ask("tap"), { message: "the engine is not there", reason: null })
    engine.connect()
    await greet(line)
    const question = engine.ask("tap")
    const { id } = line.socket.sent.findLast(message => message.method === "tap")
    const error = { code: -32000, message: "shutting down", data: { reason: "shutting-down" } }
    line.socket.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", id, error }) })
    await assert.rejects(question, { message: "shutting down", reason: "shutting-down" })
})

test("a page that loses the engine comes back by itself, with a new snapshot", async () => {
    const line = new Line()
    const engine = engineOn(line)
    const heard = []
    engine.on("up", ({ greeting, snapshot }) => heard.push(["up", greeting.role, snapshot.state.hasSession]))
    engine.on("down", () => heard.push(["down"]))
    engine.on("scroll", params => heard.push(["scroll", params.cardIndex]))
    engine.connect()
    engine.tell("tap") // nobody is there: not sent, and no error
    await greet(line)
    assert.deepEqual(line.sockets[0].sent.slice(0, 2).map(message => [message.method, message.params]), [
        ["subscribe", { topics: ["scroll", "touches", "touch.owner"] }], ["hello", { client: "page", touches: "engine" }],
    ])
    line.socket.tell("scroll", { cardIndex: 3 })
    const question = engine.ask("feed.state")
    line.socket.drop()
    await assert.rejects(question, /gone/)
    line.pass()
    assert.equal(line.sockets.length, 2)
    // The second is refused, the third serves.
    line.socket.drop()
    line.pass()
    await greet(line)
    assert.equal(line.sockets.length, 3)
    assert.deepEqual(heard, [["up", "control", false], ["scroll", 3], ["down"], ["up", "control", false]])
})

test("a token goes along as a subprotocol, where no log has it", () => {
    const line = new Line()
    new Engine("ws://x/", { name: "page", topics: [], token: "c0ffee", Socket: line.Socket, timers: line.timers }).connect()
    assert.deepEqual(line.socket.protocols, ["thrum", "thrum.token.c0ffee"])
    engineOn(line).connect()
    assert.deepEqual(line.socket.protocols, [])
})

test("a page that leaves connects no more, whether it was connected, was connecting or waited", async () => {
    for (const before of [greet, async () => {}, async line => line.socket.drop()]) {
        const line = new Line()
        const engine = engineOn(line)
        engine.connect()
        await before(line)
        engine.leave()
        line.pass()
        assert.equal(engine.isUp, false)
        assert.equal(line.sockets.length, 1)
        assert.equal(line.socket.readyState, 3)
    }
})

test("a page that missed something takes a new snapshot and greeting, and what is told meanwhile comes after them", async () => {
    const line = new Line()
    const engine = engineOn(line)
    const heard = []
    engine.on("up", ({ greeting }) => heard.push(greeting.role))
    engine.on("scroll", ({ cardIndex }) => heard.push(cardIndex))
    engine.connect()
    await greet(line)
    line.socket.tell("missed", { number: 29, count: 12 })
    line.socket.tell("scroll", { cardIndex: 3 })
    await line.socket.answer("subscribe", { snapshot: { state: { hasSession: true } } })
    line.socket.tell("scroll", { cardIndex: 4 })
    await line.socket.answer("hello", { methods: ["ping"], role: "visitor" })
    line.socket.tell("scroll", { cardIndex: 5 })
    assert.deepEqual(heard, ["control", 3, "visitor", 4, 5])
})

test("a page tells how many frames it has drawn, and nothing while it draws none", t => {
    const told = []
    let draw, second
    Object.assign(globalThis, { location: { search: "?kiosk=front&word=a1b2" }, requestAnimationFrame: step => draw = step })
    t.mock.method(globalThis, "setInterval", act => second = act)
    new Frames({ tell: (method, { frames, screen, word }) => told.push([method, frames, screen, word]) })
    second()
    draw(16)
    draw(33)
    second()
    second()
    draw(50)
    second()
    assert.deepEqual(told, [["page.drew", 2, "front", "a1b2"], ["page.drew", 3, "front", "a1b2"]])
})

test("an engine that answers nothing any more counts as gone, and what a lost one says late is not heard", async () => {
    const line = new Line()
    const engine = engineOn(line)
    let downs = 0
    engine.on("down", () => downs += 1)
    engine.connect()
    await greet(line)
    const first = line.socket
    assert.equal(first.sent.at(-1).method, "ping")
    line.pass()
    assert.equal(downs, 1)
    first.drop()
    line.pass()
    assert.equal(downs, 1)
    assert.equal(line.sockets.length, 2, "one new connection, not two")
})

test("a visit comes, is about to end, stays, and goes", () => {
    const listeners = {}
    const visit = new Visit({ on: (name, listener) => listeners[name] = listener })
    const states = []
    visit.on("changed", ({ state, endsAt }) => states.push([state, endsAt === null ? null : Math.round((endsAt - performance.now()) / 1000)]))
    visit.on("over", () => states.push("over"))
    listeners.up({ snapshot: { state: { hasSession: false } } })
    listeners.session({ phase: "began" })
    listeners.session({ phase: "leaving", endsIn: 10 })
    listeners.session({ phase: "stayed" })
    listeners.session({ phase: "ended" })
    assert.deepEqual(states, [["away", null], ["here", null], ["leaving", 10], ["here", null], ["away", null], "over"])
})

test("who only stands there is noticed, and told of once", () => {
    const listeners = {}
    const visit = new Visit({ on: (name, listener) => listeners[name] = listener })
    const told = []
    visit.on("noticed", isThere => told.push(isThere))
    listeners.up({ snapshot: { state: { hasSession: false, isNoticed: true } } })
    listeners.state({ isNoticed: true })
    listeners.state({ isNoticed: false })
    listeners.up({ snapshot: { state: { hasSession: false } } })
    assert.deepEqual(told, [true, false])
})

test("words are in the visitor's language, with its plurals and its figures", () => {
    assert.equal(choose(["fr-CH", "de-CH"], ["en", "de"]), "de")
    assert.equal(choose(["fr"], ["en", "de"]), "en")
    const words = new Words("de", { seen: { one: "einmal", other: "{count}-mal" }, hello: "Hallo {name}" })
    assert.equal(words.say("seen", { count: 1 }), "einmal")
    assert.equal(words.say("seen", { count: 1234 }), "1.234-mal")
    assert.equal(words.say("hello", { name: "Kim" }), "Hallo Kim")
    assert.throws(() => words.say("nothing"))
})

test("a quantile is a value that there is", () => {
    assert.equal(quantile([], 0.95), null)
    assert.equal(quantile(Array.from({ length: 100 }, (_, n) => n), 0.95), 95)
})

test("captions say what is heard: what lasts, the last chimes for a while, and that sound is off", () => {
    const heard = new Heard(new Words("en", {
        heard: "♪ {text}", muted: "sound is off", tone: "tone, {frequency} Hz", "sound unlock": "chime, rising", "sound purr": "purring",
    }))
    const tone = { isOpen: true, frequency: 252.3 }
    heard.take({ isMuted: false, tone })
    heard.play({ cue: "chime", name: "unlock" }, 1000)
    heard.play({ cue: "texture", name: "purr", on: true }, 1100)
    heard.play({ cue: "haptic", name: "punch" }, 1100)
    assert.deepEqual(heard.lines(1200), ["♪ tone, 252 Hz", "♪ purring", "♪ chime, rising"])
    assert.equal(heard.changesAt, 3500)
    heard.play({ cue: "chime", name: "gong-of-mine" }, 2000)
    assert.deepEqual(heard.lines(3500), ["♪ tone, 252 Hz", "♪ purring", "♪ gong of mine"], "a name that has no words is shown as it is")
    heard.take({ isMuted: true, tone })
    assert.deepEqual(heard.lines(3600), ["sound is off"])
    heard.take({ isMuted: false, tone: { isOpen: false, frequency: 252.3 } })
    heard.play({ cue: "texture", name: "purr", on: false }, 3700)
    assert.deepEqual(heard.lines(4500), [])
    heard.play({ cue: "chime", name: "unlock" }, 5000)
    heard.play({ cue: "stop" }, 5100)
    assert.deepEqual([heard.lines(5200), heard.changesAt], [[], null])
    assert.deepEqual(Captions.topics, [], "a page without captions is not told of cues")
})

test("every sound of the standard theme has words in both languages, and no word is left over", async () => {
    const { readFile } = await import("node:fs/promises")
    const read = path => readFile(new URL(`../../../${path}`, import.meta.url), "utf8")
    const theme = await read("themes/standard.yaml")
    const names = section => [...theme.split(new RegExp(`^${section}:.*$`, "m"))[1].split(/\n\S/)[0].matchAll(/^  ([\w-]+):/gm)].map(match => `sound ${match[1]}`)
    const sounds = [...names("chimes"), ...names("textures")].sort()
    assert.ok(sounds.length > 25)
    for (const language of ["en", "de"]) {
        const words = Object.keys(JSON.parse(await read(`www/kit/lang/${language}.json`)))
        assert.deepEqual(words.filter(key => key.startsWith("sound ")).sort(), sounds, language)
        assert.deepEqual(words.filter(key => !key.startsWith("sound ")).sort(), ["captions", "exploreMore", "exploreOff", "exploreOn", "exploreRole", "exploreTop", "heard",
            "muted", "role button", "role slider", "role toggle", "tone"])
    }
})
