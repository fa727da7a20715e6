// The last seven days, and below them the settings.

import { face } from "./drawing.js"
import { drawing, element } from "../kit/elements.js"

export class Week {
    constructor(root, words, settings) { Object.assign(this, { root, words, settings }) }

    show(state, week, steps) {
        const say = (key, values) => this.words.say(key, values)
        const openedToday = state.apps.reduce((sum, app) => sum + app.bypasses, 0)
        const figures = [["goodDays", week.goodDays], ["opens", week.bypasses], ["useHours", Math.round(week.useMinutes / 6) / 10], ["streakNow", week.streak],
                         ["streakLongest", week.longestStreak]]
        this.root.replaceChildren(
            element("h2", {}, say("week")),
            week.days.length === 0 ? element("p", { class: "empty" }, say("noDaysYet"))
                : element("ol", { class: "columns" }, week.days.map(day => {
                    const column = element("i")
                    column.style.transform = `scaleY(${day.hp / 100})`
                    return element("li", {}, element("span", { class: "figure" }, this.words.number.format(Math.round(day.hp))), element("div", { class: "column" }, column),
                        drawing(face(day.condition)), element("small", {}, this.#name(day, state.day)))
                })),
            // The figures of a week are of days that are over.
            element("p", { class: "now" }, say(openedToday === 0 ? "todayNotOpened" : "todayOpened", { hp: this.words.number.format(state.percent), count: openedToday })),
            element("dl", {}, figures.map(([name, value]) => element("div", {}, element("dd", {}, this.words.number.format(value)), element("dt", {}, say(name))))),
            ...(week.achievements.length > 0 ? [element("ul", { class: "achievements" }, week.achievements.map(name => element("li", {}, say(`got-${name}`))))] : []),
            element("h2", {}, say("settings")),
            ...this.settings.all(state, steps))
    }

    #name(day, today) {
        if (!day.date) return `−${today - day.day}`
        return new Date(`${day.date}T12:00:00Z`).toLocaleDateString(this.words.language, { weekday: "short", timeZone: "UTC" })
    }
}
