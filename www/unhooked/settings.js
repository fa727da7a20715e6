// What can be set: the limit and whose pet it is. And the wallets, with what has moved in them.

import { element, stepper } from "../kit/elements.js"
import { amount, brought, span } from "./money.js"

const step = 15 // minutes

export class Settings {
    /** `enter` asks the engine to go on with another household. */
    constructor(root, words, { act, enter }) { Object.assign(this, { root, words, act, enter }) }

    /** `ledger` is null for a page that is not told of the household's money. */
    show(state, ledger, isWriting = () => this.root.contains(document.activeElement) && document.activeElement.tagName === "INPUT") {
        // What somebody is writing stays.
        if (isWriting()) return
        const { words } = this
        const { least, most } = state.limitRange
        let minutes = state.nextLimitMinutes ?? state.limitMinutes
        const name = element("input", { type: "text", maxlength: 40, id: "household-name", autocomplete: "off", placeholder: words.say("householdHint") })
        const secret = element("input", { type: "password", maxlength: 64, id: "household-secret", autocomplete: "off", placeholder: words.say("secretHint") })
        this.root.replaceChildren(...[
            element("h2", {}, words.say("limit")), element("p", { class: "lead" }, words.say("limitText")),
            element("div", { class: "row" },
                stepper({ value: minutes, from: least, to: most, by: step, label: words.say("limit"), less: words.say("less"), more: words.say("more"), say: value => span(words, value), changed: value => { minutes = value } }),
                element("button", { type: "button", class: "do", "data-set": "limit", onclick: () => this.act("unhooked.limit", { minutes }) }, words.say("set"))),
            typeof state.nextLimitMinutes === "number" ? element("p", { class: "lead" }, words.say("nextLimit", { limit: span(words, state.nextLimitMinutes) })) : null,
            ...ledger === null ? [] : [
                element("h2", {}, words.say("wallets")),
                element("div", { class: "purses" }, ["energy", "gems"].map(currency => element("div", { class: "purse" }, element("span", {}, words.say(currency)), amount(words, currency, state[currency])))),
                element("h3", {}, words.say("movements")),
                ledger.last.length === 0 ? element("p", { class: "lead" }, words.say("noMovements")) : element("ol", { class: "lines" }, ledger.last.slice(0, 12).map(line => this.#line(line))),
            ],
            element("h2", {}, words.say("household")),
            element("p", { class: "lead" }, state.household === "home" ? words.say("exhibitionsPet") : state.household === undefined ? words.say("notYours") : words.say("householdOf", { name: state.household })),
            element("form", { class: "row", onsubmit: event => {
                event.preventDefault()
                const household = name.value.trim()
                document.activeElement?.blur()
                this.enter(household ? { household, ...secret.value ? { secret: secret.value } : {} } : {})
            } }, element("label", { class: "unseen", for: "household-name" }, words.say("household")), name,
            element("label", { class: "unseen", for: "household-secret" }, words.say("secretHint")), secret,
            element("button", { type: "submit", class: "do" }, words.say("enter")),
            state.household === "home" ? null : element("button", { type: "button", class: "do quiet", onclick: () => this.enter({}) }, words.say("toExhibition")))].filter(part => part !== null))
    }

    #line(line) {
        const { words } = this
        const { kind, item } = line
        const moved = ["energy", "gems"].map(currency => [currency, brought(line, currency)]).filter(([, value]) => value !== 0)
        return element("li", {}, element("span", {}, words.say(`moved-${kind}`)), item ? element("span", { class: "item" }, item) : null,
            ...moved.map(([currency, value]) => amount(words, currency, value, true)))
    }
}
