// The operator's panel, behind a long press on the bottom left corner: knobs, counters, what was measured, and telemetry to save.

import { enter, leave } from "../kit/motion.js"
import { quantile } from "../kit/frames.js"
import { exported, offer } from "./download.js"
import { swatch } from "./pictures.js"

const longPress = 1200 // milliseconds
const often = 1000

export class Panel {
    #timer = null
    #values = new Map()

    constructor(words, engine, fingers, frames) {
        Object.assign(this, { words, engine, frames })
        this.element = document.getElementById("panel")
        let press = null
        fingers.on("began", finger => {
            if (finger.target.id === "corner") press = setTimeout(() => this.open(), longPress)
        })
        fingers.on("moved", finger => { if (Math.hypot(finger.x - finger.startX, finger.y - finger.startY) > 0.03) clearTimeout(press) })
        fingers.on("ended", () => clearTimeout(press))
        engine.on("counters", ({ number, ...counted }) => this.#count(counted))
        engine.on("reset", () => this.#recount())
        engine.on("up", () => this.#recount())
        this.note = document.createElement("p")
        this.note.className = "note"
        this.note.setAttribute("role", "status")
    }

    /** Only for who may turn knobs. */
    get isAllowed() { return ["control", "operator"].includes(this.engine.greeting?.role) }

    async open() {
        if (!this.isAllowed || !this.element.hidden) return
        const { parameters } = await this.engine.ask("param.list")
        this.counters = document.createElement("dl")
        this.measured = document.createElement("dl")
        const close = this.#button("close", () => this.close())
        close.className = "close"
        close.textContent = "×"
        close.setAttribute("aria-label", this.words.say("close"))
        this.element.replaceChildren(
            close,
            this.#section("knobs", ...parameters.filter(knob => knob.isSettable).map(knob => this.#knob(knob)), this.#buttons()),
            this.#section("counters", this.counters), this.#section("palettes", await this.#palettes()),
            this.#section("telemetry", this.#telemetry()), this.#section("measured", this.measured), this.note)
        this.#fill(parameters)
        this.#measure()
        enter(this.element, "translateX(-104%)")
        this.#timer = setInterval(() => this.#measure(), often)
    }

    close() {
        clearInterval(this.#timer)
        this.#timer = null
        leave(this.element, "translateX(-104%)")
    }

    /** What each palette was made of, and its skins. */
    async #palettes() {
        const { palettes } = await this.engine.ask("feed.palettes")
        const list = document.createElement(palettes.length > 0 ? "ul" : "p")
        list.className = "palettes"
        list.append(...palettes.map(({ seed, rare, timestamp, skins }) => {
            const entry = document.createElement("li")
            const made = document.createElement("span")
            made.textContent = `${rare}, ${new Date(timestamp * 1000).toLocaleTimeString(this.words.language)}, ${seed}`
            entry.append(made, ...skins.map(skin => swatch(skin, 40, 40)))
            return entry
        }))
        if (palettes.length === 0) list.textContent = this.words.say("none")
        return list
    }

    #section(title, ...parts) {
        const section = document.createElement("section")
        const heading = document.createElement("h2")
        heading.textContent = this.words.say(title)
        section.append(heading, ...parts)
        return section
    }

    #knob(knob) {
        const label = document.createElement("label")
        const name = document.createElement("span")
        name.textContent = knob.name
        const input = document.createElement("input")
        input.dataset.knob = knob.name
        const value = document.createElement("output")
        if (typeof knob.value === "boolean") {
            input.type = "checkbox"
            input.checked = knob.value
            input.addEventListener("change", () => this.#turn(knob, input.checked))
        } else {
            Object.assign(input, { type: "range", min: knob.minimum, max: knob.maximum, step: (knob.maximum - knob.minimum) / 100 })
            input.value = knob.value
            input.addEventListener("input", () => value.textContent = this.#figure(Number(input.value), knob.unit))
            input.addEventListener("change", () => this.#turn(knob, Number(input.value)))
            value.textContent = this.#figure(knob.value, knob.unit)
        }
        label.append(name, input, value)
        return label
    }

    #buttons() {
        const row = document.createElement("div")
        row.className = "buttons"
        row.append(
            this.#button("forceUnlock", () => {
                this.element.querySelector("[data-knob=force-unlock-all]").checked = true
                return this.engine.ask("param.set", { name: "force-unlock-all", value: true })
            }),
            this.#button("startOver", () => this.engine.ask("feed.reset")))
        return row
    }

    /** Of the visit under way or the last one, and of all visits since midnight in UTC, by which journals are named. */
    #telemetry() {
        const row = document.createElement("div")
        row.className = "buttons"
        const told = document.createElement("p")
        told.className = "progress"
        told.setAttribute("role", "status")
        const save = async (buttons, wanted) => {
            for (const button of buttons) button.disabled = true
            try {
                const { text, rows, notes } = await exported(this.engine, wanted, part =>
                    told.textContent = this.words.say("saving", { percent: Math.round(100 * part) }))
                offer(text, "text/csv", `colorscroller-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}Z.csv`)
                told.textContent = [this.words.say("saved", { count: rows }), ...notes].join("\n")
            } catch (refused) {
                told.textContent = ""
                throw refused
            } finally {
                for (const button of buttons) button.disabled = false
            }
        }
        row.append(
            this.#button("saveVisit", () => save(row.querySelectorAll("button"), {})),
            this.#button("saveDay", () => save(row.querySelectorAll("button"), { from: new Date().toISOString().slice(0, 10), name: true })))
        const part = document.createElement("div")
        part.append(row, told)
        return part
    }

    #button(key, act) {
        const button = document.createElement("button")
        button.type = "button"
        button.dataset.does = key
        button.textContent = this.words.say(key)
        button.addEventListener("click", () => this.#try(act))
        return button
    }

    #turn(knob, value) { this.#try(() => this.engine.ask("param.set", { name: knob.name, value })) }

    async #try(act) {
        try {
            await act()
            this.note.textContent = ""
        } catch (refused) {
            this.note.textContent = this.words.say("failed", { reason: refused.message })
        }
    }

    #fill(parameters) {
        this.#values = new Map(parameters.filter(counter => !counter.isSettable).map(counter => [counter.name, counter.value]))
        this.#showCounters()
    }

    /** The announcement calls `blocksViewed` what the counter's name is `blocks-viewed`. */
    #count(counted) {
        for (const [key, value] of Object.entries(counted)) {
            const name = key.replace(/[A-Z]/g, letter => "-" + letter.toLowerCase())
            if (this.#values.has(name)) this.#values.set(name, value)
        }
        if (this.#isOpen) this.#showCounters()
    }

    /** What has begun anew is counted anew. */
    async #recount() {
        if (!this.#isOpen) return
        const answer = await this.engine.ask("param.list").catch(() => null)
        if (answer) this.#fill(answer.parameters)
    }

    get #isOpen() { return this.#timer !== null }

    #showCounters() {
        this.#list(this.counters, [...this.#values].filter(([, value]) => value !== undefined && value !== null)
            .map(([name, value]) => [name, this.#figure(value)]))
    }

    #measure() {
        const milliseconds = values => {
            const value = quantile(values, 0.95)
            return value === null ? "–" : value.toFixed(1) + " ms"
        }
        this.#list(this.measured, [[this.words.say("frameTime"), milliseconds(this.frames.intervals)],
                                   [this.words.say("inputTime"), milliseconds(this.frames.inputs)]])
    }

    #list(list, pairs) {
        list.replaceChildren(...pairs.flatMap(([name, value]) => {
            const [term, figure] = [document.createElement("dt"), document.createElement("dd")]
            term.textContent = name
            figure.textContent = value
            return [term, figure]
        }))
    }

    #figure(value, unit = "") {
        const text = Number.isInteger(value) ? this.words.number.format(value) : value.toFixed(value < 1 ? 3 : 2)
        return unit === "seconds" ? text + " s" : text
    }
}
