// Cosmetics by category: what is owned and worn, what can be bought, and until when.

import { drawing, element } from "../kit/elements.js"
import { bust, portrait } from "./drawing.js"
import { icon } from "./icons.js"
import { price, whyNot } from "./money.js"

const every = "all"
const categories = [every, "hat", "glasses", "neck", "coat", "background"]

export class Wardrobe {
    category = every

    constructor(root, words, { act, pay, again }) { Object.assign(this, { root, words, act, pay, again }) }

    show(state, { cosmetics }) {
        const { words } = this
        const of = cosmetics.filter(item => [every, item.category].includes(this.category))
        this.root.replaceChildren(element("h2", {}, words.say("wardrobe")), element("p", { class: "lead" }, words.say("wardrobeText")),
            element("div", { class: "choice", role: "group", "aria-label": words.say("categories") }, categories.map(category =>
                element("button", { type: "button", "data-category": category, "aria-pressed": String(category === this.category), onclick: () => {
                    this.category = category
                    this.again()
                } }, words.say(`of-${category}`)))),
            element("ul", { class: "cards" }, of.map(item => this.#card(state, item))),
            element("p", { class: "lead", hidden: of.length > 0 }, words.say("noneOfThese")))
    }

    /** What somebody buys is put on at once. */
    async #buy(button, { id, category }) {
        if (await this.pay(button, "unhooked.buy", { cosmetic: id })) await this.act("unhooked.wear", { category, cosmetic: id })
    }

    #card(state, item) {
        const { words } = this
        const isWorn = state.worn[item.category] === item.id
        const reason = item.isOwned ? null : whyNot(words, item, state)
        const name = item.title[words.language]
        return element("li", { class: "card", "data-cosmetic": item.id, "data-owned": item.isOwned, "data-worn": isWorn },
            element("div", { class: "picture", "data-scene": item.id }, item.category === "background" ? background(item.id)
                : drawing((item.category === "coat" ? portrait(state.species, "grown", { coat: item.id }) : bust(state.species, { [item.category]: item.id })))),
            element("h3", {}, name),
            item.season ? element("p", { class: "season" }, words.say("season", { name: item.season.title[words.language], until: date(words, item.season.until) })) : null,
            item.isOwned ? element("p", { class: "season" }, words.say(isWorn ? "isWorn" : "isOwned")) : null,
            element("div", { class: "act" }, reason ? element("small", { class: "why" }, reason) : null, item.isOwned
                ? element("button", { type: "button", class: isWorn ? "do quiet" : "do", "aria-label": `${words.say(isWorn ? "takeOff" : "wear")}: ${name}`,
                    onclick: () => this.act("unhooked.wear", isWorn ? { category: item.category } : { category: item.category, cosmetic: item.id }) }, words.say(isWorn ? "takeOff" : "wear"))
                : element("button", { type: "button", class: "do", "aria-disabled": reason ? "true" : null, "aria-label": `${words.say("buy")}: ${name}${reason ? `. ${reason}` : ""}`,
                    onclick: ({ currentTarget }) => { if (!reason) this.#buy(currentTarget, item) } }, item.energy > 0 && item.gems > 0 ? null : words.say("buy"), price(words, item))))
    }
}

const marks = { meadow: "flower", "night-sky": "moon" }
const background = id => element("span", { class: `backdrop ${id}` }, icon(marks[id] ?? "picture"))

/** `MM-DD` as a day of the year. */
export function date(words, monthAndDay) {
    const [month, day] = monthAndDay.split("-").map(Number)
    return new Intl.DateTimeFormat(words.language, { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.UTC(2000, month - 1, day))
}
