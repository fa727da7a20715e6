// Fingers on the page: told to the engine, and to whoever draws. Positions are 0 to 1 from the left and the top.

import { Signals } from "./signals.js"
import { VelocityTracker } from "./velocity.js"

const movesEvery = 50 // milliseconds, for the engine; the page gets every move
const tap = { seconds: 0.3, distance: 0.03 }

/** Signals `began`, `moved` and `ended`, with a finger: `id`, `x`, `y`, `startX`, `startY`, `time` of its last event, `target`, and at its
 * end `velocity` (screen heights per second, downwards), `deceleration` and `isCancelled`. */
export class Fingers extends Signals {
    #fingers = new Map()

    /** Reports through `engine` what happens on `element`. */
    constructor(element, engine) {
        super()
        this.engine = engine
        element.addEventListener("pointerdown", event => this.#down(event))
        element.addEventListener("pointermove", event => this.#move(event))
        element.addEventListener("pointerup", event => this.#up(event, false))
        element.addEventListener("pointercancel", event => this.#up(event, true))
        // An engine that was gone knows of no finger.
        engine.on("up", () => { for (const finger of this.#fingers.values()) this.#tell(finger, "began") })
    }

    #down(event) {
        if (event.pointerType === "mouse" && event.button !== 0) return
        const id = [...Array(64).keys()].find(id => ![...this.#fingers.values()].some(finger => finger.id === id))
        const [x, y] = place(event)
        const finger = { id, x, y, startX: x, startY: y, startTime: event.timeStamp, time: event.timeStamp, target: event.target,
                         toldAt: event.timeStamp, tracker: new VelocityTracker() }
        finger.tracker.add(event.timeStamp, y)
        this.#fingers.set(event.pointerId, finger)
        this.#tell(finger, "began")
        this.emit("began", finger)
    }

    #move(event) {
        const finger = this.#fingers.get(event.pointerId)
        if (!finger) return
        for (const part of event.getCoalescedEvents?.() ?? []) finger.tracker.add(part.timeStamp, place(part)[1])
        this.#update(finger, event)
        if (event.timeStamp - finger.toldAt >= movesEvery) {
            finger.toldAt = event.timeStamp
            this.#tell(finger, "moved")
        }
        this.emit("moved", finger)
    }

    #up(event, isCancelled) {
        const finger = this.#fingers.get(event.pointerId)
        if (!finger) return
        this.#fingers.delete(event.pointerId)
        // Where it leaves is where it moved last: no sample of its own, which would look like a rest.
        if (!isCancelled) [finger.x, finger.y] = place(event)
        finger.time = event.timeStamp
        finger.isCancelled = isCancelled
        finger.velocity = finger.tracker.velocity(event.timeStamp)
        finger.deceleration = finger.tracker.deceleration(event.timeStamp)
        this.#tell(finger, "ended")
        if (!isCancelled && isTap(finger)) this.engine.tell("tap", { x: finger.x, y: finger.y })
        this.emit("ended", finger)
    }

    #update(finger, event) {
        [finger.x, finger.y] = place(event)
        finger.time = event.timeStamp
        finger.tracker.add(event.timeStamp, finger.y)
    }

    #tell(finger, phase) { this.engine.tell("touch", { phase, id: finger.id, x: finger.x, y: finger.y }) }
}

function place(event) {
    const within = part => Math.min(1, Math.max(0, part))
    return [within(event.clientX / innerWidth), within(event.clientY / innerHeight)]
}

function isTap(finger) {
    return finger.time - finger.startTime <= tap.seconds * 1000 && Math.abs(finger.x - finger.startX) <= tap.distance
        && Math.abs(finger.y - finger.startY) <= tap.distance
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
