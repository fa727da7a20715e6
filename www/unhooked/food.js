// The food shop: what each dish would do, before it is paid.

import { element } from "../kit/elements.js"
import { dish } from "./icons.js"
import { price, whyNot } from "./money.js"

export class FoodShop {
    constructor(root, words, pay) { Object.assign(this, { root, words, pay }) }

    show(state, shop) {
        const { words } = this
        this.root.replaceChildren(element("h2", {}, words.say("food")), element("p", { class: "lead" }, shop.foods.length === 0 ? words.say("noFoodHere") : [state.isFed ? [element("b", {}, words.say("isFed", { name: state.name })), " · "] : null, words.say("foodText")].flat()),
            element("ul", { class: "cards" }, shop.foods.map(food => this.#card(state, food))))
    }

    #card(state, food) {
        const { words } = this
        const reason = whyNot(words, food, state)
        return element("li", { class: "card", "data-food": food.id },
            dish(food.id),
            element("h3", {}, food.title[words.language]),
            this.#change("fullness", state.fullness, food.fullness),
            this.#change("mood", state.mood, food.mood),
            element("p", { class: "buff" }, element("span", {}, words.say("growth")), element("span", { class: "figure" }, `+${percent(words, food.buff)}`)),
            // When it has had enough, no dish says so once more.
            state.isFed ? null : element("p", { class: "feeds" }, food.feeds ? words.say("feeds") : words.say("feedsNot")),
            element("div", { class: "act" }, reason ? element("small", { class: "why" }, reason) : null, element("button", { type: "button", class: state.isFed ? "do quiet" : "do", "aria-disabled": reason ? "true" : null, "aria-label": `${words.say("give")}: ${food.title[words.language]}, ${words.say("costsEnergy", { count: food.energy })}${reason ? `. ${reason}` : ""}`,
                onclick: ({ currentTarget }) => { if (!reason) this.pay(currentTarget, "unhooked.feed", { food: food.id }) } }, words.say("give"), price(words, food))))
    }

    /** A bar as it is, with what would come as its ghost. */
    #change(name, now, then) {
        const [solid, ghost] = [element("i"), element("i", { class: "ghost" })]
        solid.style.transform = `scaleX(${now / 100})`
        ghost.style.transform = `scaleX(${then / 100})`
        const text = this.words.say("fromTo", { now, then })
        return element("div", { class: "change" }, element("span", {}, this.words.say(name)), element("span", { class: "figure" }, text),
            element("div", { class: "bar", "aria-hidden": "true" }, ghost, solid))
    }
}

export const percent = (words, part) => `${words.number.format(Math.round(part * 1000) / 10)} %`
