// Fingers by either way, without a browser.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { Way } from "../../../www/kit/gesture.js"
import { Signals } from "../../../www/kit/signals.js"
import { Fingers } from "../../../www/kit/touch.js"

const { gestures } = JSON.parse(readFileSync(new URL("../../Fixtures/gestures.json", import.meta.url)))
// A screen of 1,000 × 1,000 pixels, so that the gestures' thousandths are pixels.
Object.assign(globalThis, { innerWidth: 1000, innerHeight: 1000 })

class Element {
    constructor(isOnSurface = true) { this.isOnSurface = isOnSurface }
    closest() { return this.isOnSurface ? this : null }
}

/** A document that a test touches. */
class Page {
    listeners = {}
    target = new Element()
    documentElement = this.target
    addEventListener(name, listener) { this.listeners[name] = listener }
    elementFromPoint() { return this.target }

    pointer(name, pointerId, time, x, y) {
        this.listeners["pointer" + name]({ pointerId, pointerType: "touch", timeStamp: time, clientX: x, clientY: y, target: this.target })
    }
}

/** An engine whose clock is 5 s ahead of the page's. */
class Engine extends Signals {
    told = []
    clock = { shift: 5000, toPage: nanoseconds => nanoseconds / 1e6 - 5000 }

    tell(method, params) { this.told.push([method, params]) }
    async ask(method, params) { this.told.push([method, params]) }
}

/** A page with fingers, and what they signalled. */
function stage(owner, { screens = [], touchscreen } = {}) {
    const [page, engine] = [new Page(), new Engine()]
    const fingers = new Fingers(page, engine, { surface: "#feed", touchscreen })
    const seen = []
    for (const name of ["began", "moved", "ended"]) {
        fingers.on(name, ({ id, x, y, time, velocity, isCancelled, isClick, swipe }) =>
            seen.push({ name, id, x, y, time, velocity, isCancelled, isClick, swipe }))
    }
    engine.emit("up", { greeting: { touches: { owner, screens } } })
    return { page, engine, seen }
}

const words = { began: "down", moved: "move", ended: "up" }
const start = Math.floor(performance.now())

function byPointers({ steps }) {
    const played = stage("page")
    for (const [ms, finger, phase, x, y] of steps) played.page.pointer(words[phase], 70 + finger, start + ms, x, y)
    return played
}

function byStream({ steps }) {
    const played = stage("engine")
    for (const [ms, id, phase, x, y] of steps) {
        played.engine.emit("touches", { client: -1, at: (start + ms + 5000) * 1e6, contacts: [{ phase, id, x: x / 1000, y: y / 1000 }] })
    }
    return played
}

for (const gesture of gestures) {
    test(`${gesture.name}, on the page, is told position by position, each with its moment`, () => {
        const { engine, seen } = byPointers(gesture)
        assert.deepEqual(engine.told, gesture.steps.map(([ms, id, phase, x, y]) =>
            ["touch", { phase, id, x: x / 1000, y: y / 1000, at: (start + ms + 5000) * 1e6 }]))
        const guessed = seen.filter(finger => finger.swipe).map(finger => "swipe " + finger.swipe.direction)
        assert.deepEqual(guessed, gesture.makes.filter(made => made !== "tap"), "what the engine will make of it")
    })

    test(`${gesture.name}, streamed, takes the page along the same course, and the page tells nothing`, () => {
        const [own, streamed] = [byPointers(gesture), byStream(gesture)]
        const course = ({ seen }) => seen.map(({ name, x, y, time, isClick, isCancelled, velocity = 0 }) =>
            ({ name, x, y, time, isClick, isCancelled, velocity: Number(velocity.toFixed(6)) }))
        assert.deepEqual(course(streamed), course(own))
        assert.deepEqual(streamed.engine.told, [])
        assert.ok(streamed.seen.every(finger => !finger.swipe), "where to go is the engine's word")
    })
}

test("while the engine owns touches the page's own move nothing, and are not told", () => {
    const { page, engine, seen } = stage("engine")
    page.pointer("down", 1, start, 500, 800)
    page.pointer("move", 1, start + 10, 500, 700)
    page.pointer("up", 1, start + 20, 500, 600)
    assert.deepEqual([seen, engine.told], [[], []])
})

test("of several touchscreens only the one in front of the page counts", () => {
    const screens = [{ client: -1, name: "left" }, { client: -2, name: "right" }]
    const { engine, seen } = stage("engine", { screens, touchscreen: "right" })
    const began = { at: 1e9, contacts: [{ phase: "began", id: 0, x: 0.5, y: 0.5 }] }
    engine.emit("touches", { client: -1, ...began })
    assert.equal(seen.length, 0)
    engine.emit("touches", { client: -2, ...began })
    assert.equal(seen.length, 1)
    // It has come back under another number.
    engine.emit("touch.owner", { owner: "engine", screens: [screens[0], { client: -3, name: "right" }] })
    engine.emit("touches", { client: -3, ...began })
    assert.equal(seen.length, 2)
})

test("when the owner changes, fingers of the other are taken away, and the new one's count", () => {
    const { page, engine, seen } = stage("page")
    const contact = phase => ({ client: -1, at: (start + 5000) * 1e6, contacts: [{ phase, id: 3, x: 0.5, y: 0.5 }] })
    engine.emit("touches", contact("began"))
    assert.equal(seen.length, 0, "not its turn")
    page.pointer("down", 1, start, 500, 800)
    engine.emit("touch.owner", { owner: "engine", screens: [] })
    assert.deepEqual(engine.told.at(-1), ["touch", { phase: "ended", id: 0 }], "taken away: no place, no gesture")
    engine.emit("touches", contact("moved"))
    engine.emit("touches", contact("began"))
    engine.emit("touch.owner", { owner: "page", screens: [] })
    engine.emit("touches", contact("moved"))
    page.pointer("down", 2, start, 500, 800)
    assert.deepEqual(seen.map(({ name, id, isCancelled }) => [name, id, isCancelled]),
                     [["began", 0, undefined], ["ended", 0, true], ["began", "-1:3", undefined], ["ended", "-1:3", true], ["began", 0, undefined]])
})

test("an engine that is gone owns nothing, and one that comes back is told which fingers are down", () => {
    const { page, engine, seen } = stage("engine")
    engine.emit("touches", { client: -1, at: 0, contacts: [{ phase: "began", id: 0, x: 0.5, y: 0.5 }] })
    engine.emit("down")
    assert.deepEqual(seen.map(({ name, isCancelled }) => [name, isCancelled]), [["began", undefined], ["ended", true]])
    page.pointer("down", 1, start, 500, 800)
    engine.told = []
    engine.emit("up", { greeting: {} })
    assert.deepEqual(engine.told.map(([method, { phase, id, y }]) => [method, phase, id, y]), [["touch", "began", 0, 0.8]])
})

test("an engine that has been there all the time is not told again which fingers are down", () => {
    const { page, engine, seen } = stage("page")
    page.pointer("down", 1, start, 500, 800)
    engine.told = []
    engine.emit("up", { greeting: { touches: { owner: "page", screens: [] } } })
    assert.deepEqual([engine.told, seen.length], [[], 1])
})

test("a finger on a button or in a list is no gesture by either way", () => {
    const own = stage("page")
    own.page.target = new Element(false)
    for (const [ms, word] of [[0, "down"], [50, "move"], [100, "up"]]) own.page.pointer(word, 1, start + ms, 500, 800 - 4 * ms)
    const { at, ...ended } = own.engine.told.at(-1)[1]
    assert.deepEqual(ended, { phase: "ended", id: 0, x: undefined, y: undefined })
    assert.equal(own.seen.at(-1).swipe, null)
    const streamed = stage("engine")
    streamed.page.target = new Element(false)
    streamed.engine.emit("touches", { client: -2, at: 0, contacts: [{ phase: "began", id: 4, x: 0.5, y: 0.5 }] })
    assert.deepEqual(streamed.engine.told, [["finger.claim", { client: -2, id: 4 }]])
})

test("what happened long ago is told as what the engine still takes", () => {
    const { page, engine } = stage("page")
    page.pointer("down", 1, performance.now() - 60_000, 500, 800)
    assert.ok(engine.told[0][1].at >= (performance.now() - 9_100 + 5000) * 1e6)
})

test("a way comes to what the engine's recogniser finds in it", () => {
    // As in GestureRecognizerTests: 2 heights a second upwards.
    const thrown = new Way(0, 0.5, 0.8)
    for (let ms = 10; ms <= 200; ms += 10) thrown.add(ms, 0.5, 0.8 - 2 * ms / 1000)
    assert.equal(thrown.swipe.direction, "up")
    assert.ok(Math.abs(thrown.swipe.velocity - 2) < 1e-9 && Math.abs(thrown.swipe.deceleration) < 1e-6)
    // y = 0.2 + 3t − 5t²: 1.5 in the mean of the last 100 ms, slowing by 10.
    const slowing = new Way(0, 0.5, 0.2)
    for (let ms = 10; ms <= 200; ms += 10) slowing.add(ms, 0.5, 0.2 + 3 * ms / 1000 - 5 * (ms / 1000) ** 2)
    assert.equal(slowing.swipe.direction, "down")
    assert.ok(Math.abs(slowing.swipe.velocity - 1.5) < 1e-6 && Math.abs(slowing.swipe.deceleration - 10) < 0.5)
})
