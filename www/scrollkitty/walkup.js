// An exhibition's visit: a cat of one's own for a day of minutes, and its evening's words before one goes.

import { face } from "./drawing.js"
import { drawing, element } from "../kit/elements.js"

/** The household of whoever says no name. */
export const guest = "guest"

const staysAlone = 9000 // milliseconds, after a visit whose end nobody has touched

/** What the button at the top does: `meet` the cat by its onboarding, `own` for a cat of one's own, `leave` it. */
export const offer = ({ isOwn }) => isOwn === undefined ? "meet" : isOwn ? "leave" : "own"

/** Whether a text is what a day ends with. */
export const isEvening = ({ group }) => group.startsWith("nightly-") || group === "terminal"

/** What one's own cat says when one goes. It stays until it is touched; after a visit that has ended by itself, for a while. */
export class GoodNight {
    #words = null
    #state = null
    #closes = null

    constructor(root, words, visit) {
        Object.assign(this, { root, words, visit })
        root.addEventListener("click", () => root.close())
        visit.on("changed", () => this.#wait())
    }

    /** Nobody is there who could touch it. */
    #wait() {
        clearTimeout(this.#closes)
        if (this.root.open && this.visit.state === "away") this.#closes = setTimeout(() => this.root.close(), staysAlone)
    }

    /** The cat has said something. */
    heard(message) { if (isEvening(message)) this.#words = message.text[this.words.language] }

    /** A day has begun: what was said the evening before is over. */
    dayBegan() { this.#words = null }

    /** Follows whose cat is there. When a visitor's own has gone, it says good night. */
    follow(state) {
        const last = this.#state
        this.#state = state
        if (!last?.isOwn || state.isOwn !== false) return
        if (this.#words !== null) this.#open(last)
        this.#words = null
    }

    #open({ condition }) {
        // Its eyes are shut.
        const sleeper = drawing(face(condition))
        sleeper.dataset.stroked = ""
        this.root.replaceChildren(
            element("div", { class: "companion", "aria-hidden": "true" }, sleeper),
            element("p", { class: "words", id: "good-night-words" }, this.#words),
            element("button", { type: "button", class: "do" }, this.words.say("goodNightToYou")))
        if (!this.root.open) this.root.showModal()
        this.#wait()
    }
}
