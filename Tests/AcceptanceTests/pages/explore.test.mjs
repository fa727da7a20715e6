// What a page tells of itself to be explored by touch, and what its fingers do meanwhile, without a browser.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Explorer, fewEnough, region, roleOf } from "../../../www/kit/explore.js"
import { Signals } from "../../../www/kit/signals.js"
import { Fingers } from "../../../www/kit/touch.js"

const size = { width: 1000, height: 2000 }

test("a region is told in parts of the page, as far as it is on it", () => {
    const told = region({ id: "e1", label: "  Open\n anyway ", role: "button" }, { left: 100, right: 350, top: 1800, bottom: 2200 }, size)
    assert.deepEqual(told, { id: "e1", label: "Open anyway", role: "button", x: 0.1, y: 0.9, width: 0.25, height: 0.1 })
    assert.equal(region({ id: "e1", label: "below", role: "text" }, { left: 0, right: 100, top: 2001, bottom: 2100 }, size), null)
    assert.equal(region({ id: "e1", label: " ", role: "text" }, { left: 0, right: 100, top: 0, bottom: 100 }, size), null)
    const long = region({ id: "e1", label: "🐈".repeat(200), role: "text" }, { left: 0, right: 100, top: 0, bottom: 100 }, size)
    assert.equal([...long.label].length, 160, "no cat is cut in half")
})

test("where there are more than 64, what acts is kept, in the page's order", () => {
    const regions = Array.from({ length: 100 }, (_, n) => ({ id: n, role: n >= 70 ? "button" : "text" }))
    const kept = fewEnough(regions)
    assert.equal(kept.length, 64)
    assert.deepEqual(kept.map(({ id }) => id), [...Array(34).keys(), ...Array.from({ length: 30 }, (_, n) => 70 + n)])
})

test("an element is what it is, or what it says that it is", () => {
    const part = (matching, explore) => ({ dataset: { explore }, matches: selectors => selectors.split(", ").includes(matching) })
    assert.deepEqual(["button", "input[type=range]", "[aria-pressed]", "h2", "[role=img]", "p", "button:disabled"].map(name => roleOf(part(name))),
                     ["button", "slider", "toggle", "heading", "image", "text", "text"])
    assert.equal(roleOf(part("p", "button")), "button")
    assert.equal(roleOf(part("h2", "")), "heading")
})

/** A page of 1,000 × 1,000 pixels with fingers, and what they signalled. */
function stage(owner) {
    Object.assign(globalThis, { innerWidth: 1000, innerHeight: 1000 })
    const target = { closest: () => null }
    const listeners = {}
    const page = {
        documentElement: target, elementFromPoint: () => target, addEventListener: (name, listener) => { listeners[name] = listener },
        pointer: (name, time, x) => listeners["pointer" + name]({ pointerId: 7, pointerType: "touch", timeStamp: time, clientX: x, clientY: 500, target }),
    }
    const engine = new Signals()
    engine.told = []
    engine.clock = { shift: 0, toPage: nanoseconds => nanoseconds / 1e6 }
    engine.tell = (method, params) => engine.told.push([method, params.phase ?? params.id, params.x])
    engine.ask = async (...asked) => engine.tell(...asked)
    const fingers = new Fingers(page, engine, { surface: "#feed" })
    const seen = []
    for (const name of ["began", "moved", "ended"]) fingers.on(name, ({ isCancelled }) => seen.push(isCancelled ? "cancelled" : name))
    engine.emit("up", { greeting: { touches: { owner, screens: [] } } })
    return { page, engine, fingers, seen, listeners }
}

test("fingers that explore are the engine's only, with the place at which they end; one that is down is taken away from the page", () => {
    const { page, engine, fingers, seen } = stage("page")
    const now = performance.now()
    page.pointer("down", now, 100)
    fingers.explore(true)
    page.pointer("move", now + 10, 200)
    page.pointer("up", now + 20, 200)
    page.pointer("down", now + 30, 300)
    fingers.explore(false)
    page.pointer("up", now + 40, 300)
    assert.deepEqual(seen, ["began", "cancelled"])
    assert.deepEqual(engine.told, [["touch", "began", 0.1], ["touch", "moved", 0.2], ["touch", "ended", 0.2], ["touch", "began", 0.3], ["touch", "ended", 0.3]])
    page.pointer("down", now + 50, 300)
    assert.deepEqual(seen, ["began", "cancelled", "began"])
})

test("a finger of the engine's that explores is neither claimed nor signalled", () => {
    const { engine, fingers, seen } = stage("engine")
    fingers.explore(true)
    for (const phase of ["began", "moved", "ended"]) engine.emit("touches", { client: -1, at: 1e9, contacts: [{ phase, id: 0, x: 0.5, y: 0.5 }] })
    assert.deepEqual([seen, engine.told], [[], []])
})

test("the browser's own click is stopped meanwhile; those of keys and scripts go on", () => {
    const { fingers, listeners } = stage("page")
    const clicks = () => [{ isTrusted: true, detail: 1 }, { isTrusted: true, detail: 0 }, { isTrusted: false, detail: 0 }].map(kind => {
        let isStopped = false
        listeners.click({ ...kind, stopPropagation() {}, preventDefault() { isStopped = true } })
        return isStopped
    })
    assert.deepEqual(clicks(), [false, false, false])
    fingers.explore(true)
    assert.deepEqual(clicks(), [true, false, false])
})

/** A page without elements that the engine takes, or refuses, and what `Explorer` told its fingers. */
function explored(ask) {
    const none = { append() {}, querySelectorAll: () => [] }
    const caption = { ...none, setAttribute() {}, hidePopover() {}, showPopover() {} }
    const documentElement = { toggleAttribute() {}, lang: "en" }
    Object.assign(globalThis, { innerWidth: 1000, innerHeight: 1000 })
    globalThis.document = { ...none, body: none, documentElement, createElement: () => caption }
    const engine = new Signals()
    Object.assign(engine, { ask, tell() {} })
    const told = []
    new Explorer(engine, { explore: on => told.push(on) }, { say: key => key })
    return { engine, told }
}

test("a page follows the switch while the engine has its regions, and no other page does", async () => {
    const known = explored(async () => ({ on: false })), refused = explored(async () => { throw new Error("not-allowed") })
    for (const { engine } of [known, refused]) {
        engine.emit("up")
        await new Promise(resolve => setTimeout(resolve))
        engine.emit("explore.mode", { on: true })
        engine.emit("down")
        engine.emit("explore.mode", { on: true })
    }
    assert.deepEqual(known.told, [false, true, false])
    assert.deepEqual(refused.told, [false, false])
})
