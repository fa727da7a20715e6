// The choice of a pet: its kind and its name. The first one, or another after one that died.

import { drawing, element } from "../kit/elements.js"
import { portrait, species } from "./drawing.js"
import { price } from "./money.js"
import { hatch } from "./walkup.js"

const names = ["Mo", "Luna", "Balu", "Nala", "Otto", "Frida", "Pixel"]

export class Newcomer {
    #kind = "cat"

    /** `chosen` is called when the engine has it. */
    constructor(root, words, { act, pay, chosen }) { Object.assign(this, { root, words, act, pay, chosen }) }

    /** `action` is `adopt` or `restart`. */
    open(action, state) {
        this.#kind = state.species
        const { words, root } = this
        const name = element("input", { type: "text", maxlength: 40, value: action === "adopt" ? state.name : "", autocomplete: "off", "aria-label": words.say("itsName"), placeholder: words.say("itsName") })
        name.addEventListener("click", () => name.focus())
        const kinds = element("div", { class: "kinds", role: "group", "aria-label": words.say("whichKind") }, species.map(kind => element("button", {
            type: "button", "data-kind": kind, "aria-pressed": String(kind === this.#kind), onclick: () => {
                this.#kind = kind
                for (const button of kinds.children) button.setAttribute("aria-pressed", String(button.dataset.kind === kind))
            },
        }, element("span", { class: "mat" }, drawing(portrait(kind, "baby"))), words.say(kind))))
        const send = async ({ currentTarget }) => {
            const fields = { species: this.#kind, ...name.value.trim() ? { name: name.value.trim() } : {} }
            const isDone = action === "adopt" ? await this.act("unhooked.adopt", { ...fields, household: state.household }) : await this.pay(currentTarget, "unhooked.restart", fields)
            if (!isDone) return
            this.chosen()
            if (action === "adopt" && state.walkUp) await hatch(root)
            root.close()
        }
        root.replaceChildren(element("h2", { id: "newcomer-title" }, words.say(action === "adopt" ? "whoShallLive" : "whoShallCome")), kinds,
            element("div", { class: "naming" }, name, element("div", { class: "choice", role: "group", "aria-label": words.say("itsName") }, names.map(suggestion =>
                element("button", { type: "button", onclick: () => { name.value = suggestion } }, suggestion)))),
            element("footer", {}, element("button", { type: "button", class: "do quiet", onclick: () => root.close() }, words.say("back")),
                element("button", { type: "button", class: "do send", onclick: send }, words.say("welcome"), action === "restart" ? price(words, state.restart) : null)))
        if (!root.open) root.showModal()
    }

    close() { this.root.close() }
}
