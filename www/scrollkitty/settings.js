// What can be chosen: apps, goal, cooldown and hours. The onboarding shows the same parts.

import { choice, element, stepper } from "../kit/elements.js"
import { icon, offered } from "./icons.js"

const cooldowns = [10, 20, 30, 45, 60]
const clock = hour => `${String(hour).padStart(2, "0")}:00`

export class Settings {
    #days = "mon-sun"
    #from = 9
    #to = 18

    /** `act` asks the engine for an action. */
    constructor(words, act) { Object.assign(this, { words, act }) }

    #stepper(options) { return stepper({ ...options, less: this.words.say("less"), more: this.words.say("more") }) }

    #button(text, action) { return element("button", { type: "button", class: "do", onclick: action }, this.words.say(text)) }

    apps(state, done = () => {}) {
        const names = [...new Set([...(state.nextApps ?? state.apps.map(app => app.name)), ...offered])]
        const chosen = new Set(state.nextApps ?? state.apps.map(app => app.name))
        return element("div", { class: "setting" },
            element("ul", { class: "chips" }, names.map(name => element("li", {}, element("button", {
                type: "button", "aria-pressed": String(chosen.has(name)), onclick: ({ currentTarget }) => {
                    if (!chosen.delete(name)) chosen.add(name)
                    currentTarget.setAttribute("aria-pressed", String(chosen.has(name)))
                },
            }, icon(name), name)))),
            this.#button("set", () => this.act("kitty.apps", { apps: names.filter(name => chosen.has(name)) }, done)))
    }

    goal(state, done = () => {}) {
        let hours = (state.goalMinutes ?? 240) / 60
        return element("div", { class: "setting" },
            this.#stepper({ value: hours, from: 3, to: 8, by: 0.5, label: this.words.say("goal"), say: hours => this.words.say("hoursADay", { hours }),
                            changed: value => { hours = value } }),
            this.#button("set", () => this.act("kitty.goal", { hours }, done)))
    }

    cooldown(state, done = () => {}) {
        return element("div", { class: "setting" }, choice(cooldowns.map(minutes => [minutes, this.words.say("minutes", { count: minutes })]),
            state.cooldownMinutes, minutes => this.act("kitty.cooldown", { minutes }, done), this.words.say("cooldown")))
    }

    days(done = () => {}) {
        const options = ["mon-sun", "mon-fri", "sat-sun"].map(days => [days, this.words.say(days)])
        const root = element("div", { class: "setting" })
        const draw = () => root.replaceChildren(
            choice(options, this.#days, days => { this.#days = days; draw() }, this.words.say("days")),
            this.#button("set", () => this.#send(done)))
        draw()
        return root
    }

    times(done = () => {}) {
        return element("div", { class: "setting" },
            this.#stepper({ value: this.#from, from: 0, to: 23, by: 1, label: this.words.say("from"), isNamed: true, say: clock, changed: hour => { this.#from = hour } }),
            this.#stepper({ value: this.#to, from: 1, to: 24, by: 1, label: this.words.say("to"), isNamed: true, say: clock, changed: hour => { this.#to = hour } }),
            this.#button("set", () => this.#send(done)),
            element("button", { type: "button", class: "quiet", onclick: () => {
                this.#days = "mon-sun"
                ;[this.#from, this.#to] = [0, 24]
                this.#send(done)
            } }, this.words.say("allDay")))
    }

    #send(done) { this.act("kitty.window", { days: this.#days, from: clock(this.#from), until: clock(this.#to) }, done) }

    /** All of them, one below the other. */
    all(state) {
        return [["apps", this.apps(state)], ["cooldown", this.cooldown(state)], ["goal", this.goal(state)], ["days", this.days()], ["times", this.times()]]
            .map(([name, part]) => element("section", {}, element("h3", {}, this.words.say(name)), part))
    }
}
