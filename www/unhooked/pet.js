// The pet on the page: how it is, what it looks at, and the hand on it.

import { drawing } from "../kit/elements.js"
import { scene } from "./drawing.js"

const looksFor = 2500, eatsFor = 2400, feelsFor = 800 // milliseconds; the last of a hand that has gone
const bounded = value => Math.max(-1, Math.min(1, value))

/** The face that it makes: `effects` are the engine's. */
export function face({ condition, effects }, isStroked = false) {
    if (condition === "dying" || condition === "dead") return "asleep"
    if (condition === "sick") return "ill"
    if (isStroked) return "bliss"
    return effects.includes("sad") ? "sad" : effects.includes("sparkle") ? "bliss" : "open"
}

export class Pet {
    #svg = null
    #drawn = null
    #state = null
    #away = null
    #gone = null
    #eaten = null

    constructor(element, fingers, frames, words) {
        Object.assign(this, { element, words })
        fingers.on("began", finger => this.#touched(finger))
        fingers.on("moved", finger => {
            this.#touched(finger)
            frames.moved(finger.time)
        })
        fingers.on("ended", () => {
            this.#gone = setTimeout(() => this.#stroke(false), feelsFor)
            this.#away = setTimeout(() => this.#look(0, 0), looksFor)
        })
    }

    show(state) {
        this.#state = state
        const drawn = JSON.stringify([state.species, state.worn])
        if (drawn !== this.#drawn) {
            this.#drawn = drawn
            const next = drawing(scene(state.species, state.worn))
            if (this.#svg) this.#svg.replaceWith(next)
            else this.element.append(next)
            this.#svg = next
        }
        Object.assign(this.#svg.dataset, { condition: state.condition, stage: state.stage, effects: state.effects.join(" "), wears: Object.keys(state.worn).filter(category => state.worn[category]).join(" ") })
        this.#svg.style.setProperty("--full", state.fullness / 100)
        this.#face()
        this.element.setAttribute("aria-label", this.words.say(`${state.species}-${state.condition === "dying" ? "dead" : state.condition}`, { name: state.name }))
    }

    eat(animation) {
        if (!this.#svg) return
        clearTimeout(this.#eaten)
        this.#svg.dataset.eating = animation
        this.#face()
        this.#eaten = setTimeout(() => {
            delete this.#svg.dataset.eating
            this.#face()
        }, eatsFor)
    }

    /** Somebody stands there who has touched nothing yet: it looks up at them for as long as they stay. */
    notice(isThere) {
        clearTimeout(this.#away)
        this.#look(0, isThere ? -0.7 : 0)
    }

    #face() { this.#svg.dataset.face = face(this.#state, "stroked" in this.#svg.dataset || "eating" in this.#svg.dataset) }

    #touched({ x, y }) {
        clearTimeout(this.#away)
        clearTimeout(this.#gone)
        const box = this.element.getBoundingClientRect()
        this.#look((x * innerWidth - box.x - box.width / 2) / box.width, (y * innerHeight - box.y - box.height * 0.4) / box.height)
        this.#stroke(document.elementsFromPoint(x * innerWidth, y * innerHeight).includes(this.element))
    }

    #look(x, y) {
        this.#svg?.style.setProperty("--look-x", bounded(x))
        this.#svg?.style.setProperty("--look-y", bounded(y))
    }

    #stroke(isOn) {
        if (!this.#svg) return
        this.#svg.toggleAttribute("data-stroked", isOn && !["dying", "dead"].includes(this.#state.condition))
        this.#face()
    }
}
