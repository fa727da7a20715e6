// What can be chosen: apps, goal, cooldown, days and hours. The onboarding shows the same parts. What may be chosen is told by the engine with
// the onboarding's steps, and what is chosen with the state.

import { choice, element, stepper } from "../kit/elements.js"
import { icon, offered } from "./icons.js"

const allDay = { start: "00:00", until: "24:00" }
const hoursOf = clock => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60
const clockOf = hours => `${String(Math.floor(hours)).padStart(2, "0")}:${String(Math.round(hours % 1 * 60)).padStart(2, "0")}`

/** The days on which shields act, in a window as `kitty.state` tells it. */
const daysOf = window => window.filter(day => day.start !== undefined).map(({ day }) => day)

/** The hours of the first day that has any. */
export function hoursIn(window) {
    const { start, until } = window.find(day => day.start !== undefined) ?? allDay
    return { start, until }
}

/** The window with shields on these days: a day that has hours keeps them, and another gets those of the first. */
export const withDays = (window, days) => window.map(({ day, start, until }) =>
    !days.includes(day) ? { day } : start === undefined ? { day, ...hoursIn(window) } : { day, start, until })

/** The window with these hours on the days on which shields act; on all where they act on none. */
export function withHours(window, hours) {
    const days = daysOf(window)
    return window.map(({ day }) => days.length === 0 || days.includes(day) ? { day, ...hours } : { day })
}

/** What `kitty.window` is asked for a window: once for all days of the same hours. */
export function requests(window) {
    const groups = new Map()
    for (const { day, ...hours } of window) {
        const key = JSON.stringify(hours)
        groups.set(key, { days: [...groups.get(key)?.days ?? [], day], hours })
    }
    return [...groups.values()].map(({ days, hours }) => ({ days: days.join(","), ...hours }))
}

export class Settings {
    /** `act` asks the engine for an action, and then calls what it is given. */
    constructor(words, act) { Object.assign(this, { words, act }) }

    #stepper(options) { return stepper({ ...options, less: this.words.say("less"), more: this.words.say("more") }) }

    #button(text, action) { return element("button", { type: "button", class: "do", onclick: action }, this.words.say(text)) }

    /** Names of which any number is chosen; `chosen` is a set, and follows. */
    #chips(names, chosen, show) {
        return element("ul", { class: "chips" }, names.map(name => element("li", {}, element("button", {
            type: "button", "aria-pressed": String(chosen.has(name)), onclick: ({ currentTarget }) => {
                if (!chosen.delete(name)) chosen.add(name)
                currentTarget.setAttribute("aria-pressed", String(chosen.has(name)))
            },
        }, show(name)))))
    }

    apps(state, step, done) {
        const before = state.nextApps ?? state.apps.map(app => app.name)
        const names = [...new Set([...before, ...offered])]
        const chosen = new Set(before)
        return element("div", { class: "setting" }, this.#chips(names, chosen, name => [icon(name), name]),
            this.#button("set", () => this.act("kitty.apps", { apps: names.filter(name => chosen.has(name)) }, done)))
    }

    goal(state, step, done) {
        let hours = state.goalMinutes === undefined ? step.lowest : state.goalMinutes / 60
        return element("div", { class: "setting" },
            this.#stepper({ value: hours, from: step.lowest, to: step.highest, by: step.by, label: this.words.say("goal"),
                            say: hours => this.words.say("hoursADay", { hours }), changed: value => { hours = value } }),
            this.#button("set", () => this.act("kitty.goal", { hours }, done)))
    }

    /** Of the minutes that may be chosen, those that are easily told apart. */
    cooldown(state, step, done) {
        const options = step.minutes.filter(minutes => minutes % 5 === 0).map(minutes => [minutes, this.words.say("minutes", { count: minutes })])
        return element("div", { class: "setting" },
            choice(options, state.cooldownMinutes, minutes => this.act("kitty.cooldown", { minutes }, done), this.words.say("cooldown")))
    }

    days({ window }, step, done) {
        const chosen = new Set(daysOf(window))
        // A Monday.
        const names = new Map(window.map(({ day }, index) => [day, new Date(Date.UTC(2026, 0, 5 + index))
            .toLocaleDateString(this.words.language, { weekday: "short", timeZone: "UTC" })]))
        return element("div", { class: "setting" }, this.#chips([...names.keys()], chosen, day => names.get(day)),
            this.#button("set", () => this.#send(withDays(window, [...chosen]), done)))
    }

    times({ window }, step, done) {
        const hours = hoursIn(window)
        const part = (name, key, from, to) => this.#stepper({ value: hoursOf(hours[key]), from, to, by: 1, label: this.words.say(name), isNamed: true,
                                                              say: hours => this.words.clock(clockOf(hours)), changed: value => { hours[key] = clockOf(value) } })
        return element("div", { class: "setting" }, part("from", "start", 0, 23), part("to", "until", 1, 24),
            this.#button("set", () => this.#send(withHours(window, hours), done)),
            element("button", { type: "button", class: "quiet", onclick: () => this.#send(withHours(window, allDay), done) }, this.words.say("allDay")))
    }

    #send(window, done) {
        const [first, ...others] = requests(window)
        const send = (request, rest) => this.act("kitty.window", request, () => rest.length > 0 ? send(rest[0], rest.slice(1)) : done())
        return send(first, others)
    }

    /** All of them, one below the other. `steps` are the onboarding's. */
    all(state, steps) {
        return ["apps", "cooldown", "goal", "days", "times"].map(name => element("section", { "data-setting": name }, element("h3", {}, this.words.say(name)),
            this[name](state, steps.find(({ step }) => step === name), () => {})))
    }
}
