// Chimes, haptic patterns and textures of the theme, to be tried on the spot.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { card } from "./cards.js"

export class Tries {
    constructor(parts, { chimes, patterns, textures }) {
        const { words } = parts
        this.parts = parts
        this.outcome = new Outcome()
        this.root = card("", words.say("do-tries"),
            element("div", { class: "row told" }, element("p", { class: "quiet" }, words.say("triesText")), this.outcome.root),
            this.#group("chimes", chimes, name => this.#play("chime.play", name)),
            this.#group("patterns", patterns, name => this.#play("haptic.play", name)),
            this.#group("textures", textures, (name, button) => this.#hold(name, button)))
    }

    #group(key, names, press) {
        const heading = this.parts.words.say(key)
        const buttons = names.map(name => {
            const pressed = key === "textures" ? { "aria-pressed": "false" } : {}
            const button = element("button", { type: "button", "data-try": name, ...pressed }, name)
            button.onclick = () => press(name, button)
            return button
        })
        return element("div", { class: "tries", role: "group", "aria-label": heading, hidden: names.length === 0 },
            element("h3", {}, heading), element("div", { class: "keys" }, buttons))
    }

    #play(method, name) { return attempt(this.parts, this.outcome, method, { name }, this.parts.words.say("did-played", { name })) }

    /** A texture sounds until it is pressed again, or this page goes. */
    async #hold(name, button) {
        const on = button.ariaPressed !== "true"
        const said = this.parts.words.say(on ? "did-holds" : "did-letGo", { name })
        const answer = await attempt(this.parts, this.outcome, "texture.set", { name, on }, said)
        if (answer) button.ariaPressed = String(on)
    }

    /** All is off, or the engine has another connection: nothing is held any more. */
    letGo() { for (const button of this.root.querySelectorAll("[aria-pressed='true']")) button.ariaPressed = "false" }
}
