// What a page does about its visitor: it beckons while nobody is there, leans in where somebody only stands there, counts down before it begins anew, and keeps calm without an engine.

import { enter, isCalm, leave } from "./motion.js"

const beckonsAfter = 2500, calmAfter = 400 // milliseconds
const byID = id => document.getElementById(id)

/** Whether somebody stands there and has not touched anything yet: `data-noticed` of the document, and `notice` is called with each change. */
export function leanIn(visit, notice = () => {}) {
    const root = document.documentElement
    const follow = () => {
        const isThere = visit.isNoticed && visit.state === "away"
        if (isThere === "noticed" in root.dataset) return
        root.toggleAttribute("data-noticed", isThere)
        notice(isThere)
    }
    visit.on("changed", follow)
    visit.on("noticed", follow)
}

/** Light from below, and a fingertip that shows the way, while nobody is there. */
export class Beckoning {
    #wait = null
    #element = byID("beckon")

    constructor(visit) {
        visit.on("changed", ({ state }) => {
            clearTimeout(this.#wait)
            if (state === "away") this.#wait = setTimeout(() => enter(this.#element, "none"), beckonsAfter)
            else leave(this.#element, "none")
        })
        visit.on("noticed", isNoticed => {
            // What shows already would blink.
            if (!isNoticed || visit.state !== "away" || !this.#element.hidden) return
            clearTimeout(this.#wait)
            enter(this.#element, "none")
        })
    }
}

/** "Still there?", with the seconds that are left. */
export class Countdown {
    #element = byID("countdown")
    #timer = null

    constructor(visit) {
        visit.on("changed", ({ state, endsAt }) => {
            clearInterval(this.#timer)
            if (state !== "leaving") return void leave(this.#element, "translateY(40%)")
            const left = endsAt - performance.now()
            const ring = this.#element.querySelector(".left")
            const circumference = 2 * Math.PI * 44
            ring.style.strokeDasharray = circumference
            for (const animation of ring.getAnimations()) animation.cancel()
            ring.animate([{ strokeDashoffset: 0 }, { strokeDashoffset: circumference }],
                         { duration: left, fill: "forwards", easing: isCalm() ? "steps(10)" : "linear" })
            const count = () => {
                this.#element.querySelector(".seconds").textContent = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
            }
            count()
            this.#timer = setInterval(count, 200)
            enter(this.#element, "translateY(40%)")
        })
    }
}

/** "One moment", when the engine has been away for longer than one notices. */
export class Calm {
    #wait = null
    #element = byID("calm")

    constructor(engine) {
        engine.on("down", () => this.#soon())
        engine.on("up", () => {
            clearTimeout(this.#wait)
            this.#wait = null
            leave(this.#element, "none")
        })
        this.#soon()
    }

    #soon() { this.#wait ??= setTimeout(() => enter(this.#element, "none"), calmAfter) }
}

/** Goes dark, has `change` happen, and comes back. */
export async function throughDark(change) {
    const veil = byID("veil")
    enter(veil, "none")
    await new Promise(resolve => setTimeout(resolve, isCalm() ? 120 : 220))
    await change()
    leave(veil, "none")
}
