// The choice of a pet: its kind and its name. The first one, or another after one that died.

import { drawing, element } from "../kit/elements.js"
import { portrait, species } from "./drawing.js"
import { price } from "./money.js"
import { guest, hatch } from "./walkup.js"

const names = ["Mo", "Luna", "Balu", "Nala", "Otto", "Frida", "Pixel"]

export class Newcomer {
    #kind = "cat"
    /** The name that was given last: the next visitor is offered another. */
    #last = null

    /** `enter` goes on with another household; `chosen` is called when the engine has it. */
    constructor(root, words, { act, pay, enter, chosen }) { Object.assign(this, { root, words, act, pay, enter, chosen }) }

    /** `action` is `adopt`, `restart`, or `own` for a visitor's own in a walk-up. Its household is entered when the choice is made: days of
     *  seconds would go by meanwhile. `house` is what the house's pet is called: a visitor's own has another name. */
    open(action, state, house = null) {
        this.#kind = state.species
        const { words, root } = this
        const free = state.walkUp ? names.filter(name => name !== house) : names
        const others = free.filter(name => name !== this.#last)
        // A kiosk has no keyboard: a name is one of those that are offered.
        const isKiosk = "kiosk" in document.documentElement.dataset
        const given = isKiosk || (state.walkUp && action !== "restart") ? others[Math.floor(Math.random() * others.length)] : action === "restart" ? "" : state.name
        const name = element("input", { type: "text", maxlength: 40, readonly: isKiosk ? "" : null, value: given, autocomplete: "off", "aria-label": words.say("itsName"), placeholder: words.say("itsName") })
        name.addEventListener("click", () => name.focus())
        const kinds = element("div", { class: "kinds", role: "group", "aria-label": words.say("whichKind") }, species.map(kind => element("button", {
            type: "button", "data-kind": kind, "aria-pressed": String(kind === this.#kind), onclick: () => {
                this.#kind = kind
                for (const button of kinds.children) button.setAttribute("aria-pressed", String(button.dataset.kind === kind))
            },
        }, element("span", { class: "mat" }, drawing(portrait(kind, "baby"))), words.say(kind))))
        const send = async ({ currentTarget }) => {
            const fields = { species: this.#kind, ...name.value.trim() ? { name: name.value.trim() } : {} }
            // Who comes is not seen before the egg has hatched.
            root.dataset.isSent = ""
            const adopt = household => this.act("unhooked.adopt", { ...fields, household })
            const isDone = action === "restart" ? await this.pay(currentTarget, "unhooked.restart", fields)
                : action === "own" ? await this.enter({ household: guest }) && await adopt(guest) : await adopt(state.household)
            if (!isDone) return void delete root.dataset.isSent
            this.#last = name.value.trim()
            this.chosen()
            if (action !== "restart" && state.walkUp) await hatch(root)
            delete root.dataset.isSent
            root.close()
        }
        root.replaceChildren(element("h2", { id: "newcomer-title" }, words.say(action === "restart" ? "whoShallCome" : "whoShallLive")), kinds,
            element("div", { class: "naming" }, name, element("div", { class: "choice", role: "group", "aria-label": words.say("itsName") }, free.map(suggestion =>
                element("button", { type: "button", onclick: () => { name.value = suggestion } }, suggestion)))),
            element("footer", {}, element("button", { type: "button", class: "do quiet", onclick: () => root.close() }, words.say("back")),
                element("button", { type: "button", class: "do send", onclick: send }, words.say("welcome"), action === "restart" ? price(words, state.restart) : null)))
        if (!root.open) root.showModal()
    }

    close() { this.root.close() }
}
