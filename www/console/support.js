// A household for whoever answers its questions: its pet, the pets that died, and its days, as the piece answers for it.

import { element } from "../kit/elements.js"
import { chooser } from "./households.js"

export const queries = ["state", "memorial", "history"]

export class Support {
    #household = null

    constructor(root, { engine, words }) { Object.assign(this, { root, engine, words }) }

    async show(isAsked = true) {
        if (!isAsked) return
        const { engine, words } = this
        const { experience, methods } = engine.greeting
        const { household, households } = await engine.ask("ledger.balances", this.#household === null ? {} : { household: this.#household })
        this.#household = household
        const names = queries.map(query => `${experience}.${query}`)
        const answers = names.every(name => methods.includes(name)) ? await Promise.all(names.map(query => engine.ask("household.query", { household, query }))) : null
        this.root.replaceChildren(element("header", { class: "top" }, element("h1", {}, words.say("go-support")), chooser(words, household, households, chosen => { this.#household = chosen; return this.show() })),
            ...answers === null ? [element("p", { class: "empty" }, words.say("answersNothing"))] : this.#home(...answers))
    }

    #home(state, { pets: graves }, { days }) {
        const { words } = this
        // The days of a clock that runs faster are no dates.
        const date = (number, text) => text ? new Date(text).toLocaleDateString(words.language, { timeZone: "UTC", dateStyle: "medium" }) : words.say("dayNumber", { number })
        const fact = (name, value) => element("div", {}, element("dt", {}, words.say(name)), element("dd", {}, value))
        const condition = name => element("span", { class: "chip", "data-condition": name }, words.entries[`condition-${name}`] ?? name)
        const card = (isGone, name, health, lines, facts) => element("article", { class: "pet", "data-gone": String(isGone) }, element("header", {}, element("h2", {}, name), condition(health)),
            element("p", { class: "quiet" }, lines.join(" · ")), element("dl", {}, facts.map(([name, value]) => fact(name, value))))
        const species = name => words.entries[`species-${name}`] ?? name
        const newest = [...days].reverse()
        return [
            element("div", { class: "pets" },
                card(false, state.name, state.condition, [species(state.species), words.say("age", { count: state.age })], [["fedDays", words.number.format(state.fedDays)], ["unfedDays", words.number.format(state.unfedDays)], ["fullness", `${state.fullness} %`], ["mood", `${state.mood} %`]]),
                graves.map(grave => card(true, grave.name, "dead", [species(grave.species), `${date(grave.born, grave.bornDate)} – ${date(grave.died, grave.diedDate)}`], [["fedDays", words.number.format(grave.fedDays)]]))),
            graves.length === 0 ? element("p", { class: "quiet" }, words.say("noMemorial")) : null,
            newest.length === 0 ? null : element("h2", {}, words.say("days", { count: newest.length })),
            newest.length === 0 ? element("p", { class: "empty" }, words.say("noDays")) : element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": words.say("days", { count: newest.length }) }, element("table", { class: "days" },
                element("thead", {}, element("tr", {}, ["day", "usage", "energy", "eaten", "condition"].map(key => element("th", { scope: "col" }, words.say(`col-${key}`))))),
                element("tbody", {}, newest.map(day => element("tr", {}, element("td", {}, date(day.day, day.date)), element("td", {}, use(words, day)), element("td", {}, element("b", {}, words.number.format(day.energy))), element("td", {}, words.number.format(day.eaten)), element("td", {}, condition(day.condition))))))),
        ].filter(part => part !== null)
    }
}

/** Minutes of a day beside its limit, as a bar too. */
function use(words, { usedMinutes: used, limitMinutes: limit }) {
    if (used === undefined || used === null) return element("span", { class: "quiet" }, words.say("notTold", { limit }))
    const track = element("i", { class: "use", "data-over": String(used > limit), "aria-hidden": "true" })
    track.style.setProperty("--part", Math.min(1, used / Math.max(1, limit)))
    return element("span", { class: "usage" }, words.say("ofMinutes", { used, limit }), track)
}
