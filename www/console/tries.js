// Chimes, haptic patterns and textures of the theme, to be tried on the spot.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"

export class Tries {
    constructor(parts, { chimes, patterns, textures }) {
        const { words } = parts
        this.parts = parts
        this.outcome = new Outcome()
        this.root = element("section", { class: "card wide", "aria-label": words.say("do-tries") }, element("h2", {}, words.say("do-tries")), element("div", { class: "row told" }, element("p", { class: "quiet" }, words.say("triesText")), this.outcome.root),
            this.#group("chimes", chimes, name => this.#play("chime.play", name)), this.#group("patterns", patterns, name => this.#play("haptic.play", name)),
            this.#group("textures", textures, (name, button) => this.#hold(name, button)))
    }

    #group(key, names, press) {
        return element("div", { class: "tries", role: "group", "aria-label": this.parts.words.say(key), hidden: names.length === 0 }, element("h3", {}, this.parts.words.say(key)), element("div", { class: "keys" },
            names.map(name => {
                const button = element("button", { type: "button", "data-try": name, "aria-pressed": key === "textures" ? "false" : null }, name)
                button.onclick = () => press(name, button)
                return button
            })))
    }

    #play(method, name) { return attempt(this.parts, this.outcome, method, { name }, this.parts.words.say("did-played", { name })) }

    /** A texture sounds until it is pressed again, or this page goes. */
    async #hold(name, button) {
        const on = button.ariaPressed !== "true"
        const answer = await attempt(this.parts, this.outcome, "texture.set", { name, on }, this.parts.words.say(on ? "did-holds" : "did-letGo", { name }))
        if (answer) button.ariaPressed = String(on)
    }

    /** All is off, or the engine has another connection: nothing is held any more. */
    letGo() { for (const button of this.root.querySelectorAll("[aria-pressed='true']")) button.ariaPressed = "false" }
}
