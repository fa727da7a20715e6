// The venue: its week, which preset is on, what ears have had today, and for operators how it is calibrated.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { Calibration } from "./calibration.js"
import { card } from "./cards.js"
import { Ears } from "./hearing.js"
import { Week } from "./week.js"

export class Venue {
    #drawn = null
    #builtFor = null

    constructor(root, { engine, words }) {
        Object.assign(this, { root, engine, words })
        this.parts = { engine, words, changed: () => this.#look().catch(() => {}) }
    }

    get #isOperator() { return this.engine.greeting.role === "operator" }

    async show() {
        // What somebody has entered stays while they look at another view.
        if (this.#builtFor !== this.engine.greeting.role) this.#build()
        await this.#look()
    }

    #build() {
        const { words } = this
        this.#builtFor = this.engine.greeting.role
        this.week = new Week(words)
        this.ears = new Ears(words)
        this.presets = element("div", { class: "presets" })
        this.chosen = new Outcome()
        this.calibration = this.#isOperator ? new Calibration(this.parts) : null
        this.#drawn = null
        const part = (name, ...parts) => card(name, words.say(`venue-${name}`), ...parts)
        this.root.replaceChildren(
            element("header", { class: "top" }, element("h1", {}, words.say("go-venue")), element("p", { class: "quiet" }, words.say("venueText"))),
            element("div", { class: "board" }, part("hoursOf", this.week.root), part("presetsOf", this.presets, this.chosen.root), part("earsOf", this.ears.root),
                ...this.calibration ? [part("calibrating", this.calibration.root)] : []))
    }

    async #look() {
        if (!this.root.isConnected) return
        const { engine } = this
        const [status, week, { names }, settings] = await Promise.all([engine.ask("status"), engine.ask("schedule.week"), engine.ask("preset.list"),
            this.#isOperator ? engine.ask("setting.list").then(({ settings }) => settings) : null])
        const { house } = status
        this.week.draw(week, house)
        this.ears.draw(house.hearing)
        this.#drawPresets(names, house)
        this.calibration?.draw(status, settings)
    }

    #drawPresets(names, { preset, isByHand }) {
        const drawn = JSON.stringify([names, preset, isByHand])
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        const { words } = this
        const isOn = name => isByHand ? name === preset : name === null
        const schedule = words.say(isByHand ? "bySchedule" : "byScheduleNow", { preset })
        const text = element("p", { class: "quiet" }, words.say("presetsText"))
        if (!this.#isOperator) return this.presets.replaceChildren(element("p", {}, isByHand ? words.say("note-presetByHand", { preset }) : schedule), text)
        const focused = this.presets.contains(document.activeElement) ? document.activeElement.dataset.preset : null
        const button = (name, text) => element("button", { type: "button", "data-preset": name ?? "", "aria-pressed": String(isOn(name)), onclick: () => this.#choose(name) }, text)
        this.presets.replaceChildren(element("div", { class: "keys", role: "group", "aria-label": words.say("house-preset") },
            button(null, schedule), names.map(name => button(name, name))), text)
        if (focused !== null) this.presets.querySelector(`[data-preset="${CSS.escape(focused)}"]`)?.focus()
    }

    async #choose(name) {
        const { words } = this
        await attempt(this.parts, this.chosen, "preset.set", name === null ? {} : { name }, words.say(name === null ? "didSchedule" : "didPreset", { preset: name }))
        await this.parts.changed()
    }
}
