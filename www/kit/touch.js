// Fingers, for whoever draws: those that the engine sees on the touchscreen, where it owns touches, or those on the page, which are then
// told to the engine (docs/protocol.md, one finger, one owner). Positions are 0 to 1 from the left and the top.

import { Signals } from "./signals.js"
import { Way } from "./gesture.js"

const oldest = 9000 // milliseconds; the engine refuses what happened more than 10 s ago

/**
 * Signals `began`, `moved` and `ended`, with a finger: `id`, `x`, `y`, `startX`, `startY`, `time` of its last event by the page's clock,
 * `target`, `isOnSurface`, `isStreamed` (it is the engine's), and at its end `velocity` (screen heights per second, downwards), `isClick` and
 * `isCancelled`.
 * A finger of the page's own also has at its end `swipe`, what the engine will make of it (null for no swipe), and `answer`, which settles
 * when the engine has.
 * A finger that explores the page (`explore`) signals nothing: it is told to the engine only.
 */
export class Fingers extends Signals {
    /** Whose touches count: `engine`, or the `page`'s. */
    owner = "page"
    #fingers = new Map()
    #isExploring = false
    /** Names of the touchscreens that the engine reads, by client. */
    #screens = new Map()
    /** An engine that was gone knows of no finger. */
    #wasGone = true

    /** Listens on `element`, a document, and to `engine`. A finger on what the selector `surface` names makes swipes and taps; others are
     * for buttons, lists and sliders of the page alone. `touchscreen` names the one in front of the page where the engine reads several;
     * without a name all of them count. */
    constructor(element, engine, { surface = "*", touchscreen = null } = {}) {
        super()
        Object.assign(this, { element, engine, surface, touchscreen })
        element.addEventListener("pointerdown", event => this.#down(event))
        element.addEventListener("pointermove", event => this.#move(event))
        element.addEventListener("pointerup", event => this.#up(event))
        element.addEventListener("pointercancel", event => this.#taken(event.pointerId))
        // The browser clicks by itself where a finger of the page's own has been. Keys click, too, and go on.
        element.addEventListener("click", event => {
            if (!this.#isExploring || !event.isTrusted || event.detail === 0) return
            event.stopPropagation()
            event.preventDefault()
        }, true)
        engine.on("touches", touches => this.#stream(touches))
        engine.on("touch.owner", touches => this.#own(touches))
        engine.on("up", ({ greeting }) => {
            // Some of what the engine told may be missing.
            this.#takeAway(finger => finger.isStreamed)
            this.#own(greeting.touches)
            if (this.#wasGone) for (const finger of this.#fingers.values()) this.#tell(finger, "began", finger)
            this.#wasGone = false
        })
        engine.on("down", () => {
            this.#wasGone = true
            this.#own()
        })
    }

    /** Whether fingers explore the page. Those that are down are taken away from the page, and go on to the engine. */
    explore(on) {
        this.#isExploring = on
        if (!on) return
        for (const finger of [...this.#fingers.values()].filter(finger => !finger.isSilent)) {
            this.#end(finger, true)
            finger.isSilent = true
        }
    }

    #own({ owner, screens = [] } = {}) {
        this.#screens = new Map(screens.map(({ client, name }) => [client, name]))
        this.owner = owner === "engine" ? "engine" : "page"
        this.#takeAway(finger => finger.isStreamed !== (this.owner === "engine"))
    }

    #takeAway(isGone) { for (const [key, finger] of this.#fingers) if (isGone(finger)) this.#taken(key) }

    // The page's own.

    #down(event) {
        if (this.owner !== "page" || (event.pointerType === "mouse" && event.button !== 0)) return
        const id = [...Array(64).keys()].find(id => ![...this.#fingers.values()].some(finger => finger.id === id))
        const sample = place(event)
        const finger = this.#begin(event.pointerId, { id, isStreamed: false, target: event.target, shift: this.engine.clock.shift }, sample)
        this.#tell(finger, "began", sample)
        this.#signal("began", finger)
    }

    #move(event) {
        const finger = this.#fingers.get(event.pointerId)
        if (!finger) return
        const parts = event.getCoalescedEvents?.() ?? []
        for (const sample of (parts.length > 0 ? parts : [event]).map(place)) {
            follow(finger, sample)
            this.#tell(finger, "moved", sample)
        }
        this.#signal("moved", finger)
    }

    #up(event) {
        const finger = this.#fingers.get(event.pointerId)
        if (!finger) return
        this.#fingers.delete(event.pointerId)
        const sample = place(event)
        follow(finger, sample)
        if (finger.isOnSurface && !finger.isSilent) finger.swipe = finger.way.swipe
        // Without a place it makes no swipe, and no tap.
        const isSeen = finger.isOnSurface || finger.isSilent
        finger.answer = this.engine.ask("touch", this.#report(finger, "ended", isSeen ? sample : { time: sample.time }))
        finger.answer.catch(() => {})
        this.#end(finger, false)
    }

    #tell(finger, phase, sample) { this.engine.tell("touch", this.#report(finger, phase, sample)) }

    #report({ id, shift }, phase, { x, y, time }) {
        const report = { phase, id, x, y }
        // Before the engine's clock is known, what is told happens when it arrives.
        if (shift !== null) report.at = Math.round((Math.max(time, performance.now() - oldest) + shift) * 1e6)
        return report
    }

    // The engine's.

    #stream({ client, at, contacts }) {
        if (this.owner !== "engine" || (this.touchscreen !== null && this.#screens.get(client) !== this.touchscreen)) return
        for (const { phase, id, x, y } of contacts) {
            const key = `${client}:${id}`
            const sample = { x, y, time: this.engine.clock.toPage(at) ?? performance.now(), moment: at / 1e6 }
            if (phase === "began") {
                this.#taken(key)
                const target = this.element.elementFromPoint(x * innerWidth, y * innerHeight) ?? this.element.documentElement
                const finger = this.#begin(key, { id: key, isStreamed: true, target }, sample)
                if (!finger.isOnSurface && !finger.isSilent) this.engine.tell("finger.claim", { client, id })
                this.#signal("began", finger)
                continue
            }
            const finger = this.#fingers.get(key)
            if (!finger) continue
            follow(finger, sample)
            if (phase === "moved") {
                this.#signal("moved", finger)
            } else {
                this.#fingers.delete(key)
                this.#end(finger, false)
            }
        }
    }

    // Either.

    #begin(key, traits, { x, y, time, moment = time }) {
        const isOnSurface = traits.target.closest(this.surface) !== null
        const finger = { ...traits, isOnSurface, x, y, startX: x, startY: y, time, way: new Way(moment, x, y), swipe: null, answer: null,
                         isSilent: this.#isExploring }
        this.#fingers.set(key, finger)
        return finger
    }

    #end(finger, isCancelled) {
        finger.isCancelled = isCancelled
        finger.velocity = isCancelled ? 0 : finger.way.velocity
        finger.isClick = !isCancelled && finger.way.isClick
        this.#signal("ended", finger)
    }

    #signal(name, finger) { if (!finger.isSilent) this.emit(name, finger) }

    /** It counts no more: the browser wants it for something else, or somebody else owns touches now. */
    #taken(key) {
        const finger = this.#fingers.get(key)
        if (!finger) return
        this.#fingers.delete(key)
        if (!finger.isStreamed) this.engine.tell("touch", { phase: "ended", id: finger.id })
        this.#end(finger, true)
    }
}

function follow(finger, { x, y, time, moment = time }) {
    Object.assign(finger, { x, y, time })
    finger.way.add(moment, x, y)
}

function place(event) {
    const within = part => Math.min(1, Math.max(0, part))
    return { x: within(event.clientX / innerWidth), y: within(event.clientY / innerHeight), time: event.timeStamp }
}

/** A screen in a hall: no menu by a long press, no selection, no zoom, no dragging, no going back by a gesture. The rest is in base.css. */
export function makeKiosk(document) {
    const never = event => event.preventDefault()
    for (const name of ["contextmenu", "selectstart", "dragstart", "gesturestart", "gesturechange", "auxclick"]) {
        document.addEventListener(name, never)
    }
    document.addEventListener("wheel", event => { if (event.ctrlKey) never(event) }, { passive: false })
    document.addEventListener("touchmove", event => { if (event.touches.length > 1) never(event) }, { passive: false })
    document.addEventListener("keydown", event => {
        if ((event.ctrlKey || event.metaKey) && ["+", "-", "=", "0"].includes(event.key)) never(event)
    })
}
