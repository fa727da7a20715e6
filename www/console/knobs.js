// The piece's knobs, each between its limits, and the way back to its standard.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { about, card } from "./cards.js"

/** How fine a slider goes: 1, 2 or 5 times a power of ten, at most a hundredth of its way. */
export function stepOf(minimum, maximum) {
    const way = (maximum - minimum) / 100
    const power = 10 ** Math.floor(Math.log10(way))
    return Number(([5, 2, 1].find(digit => digit * power <= way * 1.000001) * power).toPrecision(1))
}

export class Knobs {
    #rows = new Map()

    constructor(parts, parameters) {
        this.parts = parts
        const { words } = parts
        const knobs = parameters.filter(({ isSettable }) => isSettable)
        for (const knob of knobs) this.#rows.set(knob.name, this.#row(knob))
        this.root = card("", words.say("do-knobs"), ...[...this.#rows.values()].map(({ root }) => root))
        this.root.hidden = knobs.length === 0
    }

    #row({ name, value, unit, standard, minimum, maximum }) {
        const { words } = this.parts
        const outcome = new Outcome()
        const isSwitch = typeof value === "boolean"
        const set = async value => {
            if (!isSwitch && !Number.isFinite(value)) return outcome.say(words.say("noNumber"), "bad")
            await attempt(this.parts, outcome, "param.set", { name, value })
            await this.parts.changed()
        }
        const limits = { min: String(minimum), max: String(maximum) }
        const field = element("input", isSwitch ? { type: "checkbox", role: "switch" }
            : { type: "number", ...limits, step: "any", inputmode: "decimal" })
        const slider = isSwitch ? null
            : element("input", { type: "range", ...limits, step: String(stepOf(minimum, maximum)), "aria-label": name })
        field.onchange = () => {
            if (slider) slider.value = field.value
            set(isSwitch ? field.checked : field.valueAsNumber)
        }
        if (slider) {
            slider.oninput = () => { field.value = slider.value }
            slider.onchange = () => set(slider.valueAsNumber)
        }
        const standardText = isSwitch ? words.say(standard ? "on" : "off") : standard
        const back = element("button", { type: "button", class: "do small quiet", onclick: () => set(standard) },
            words.say("toStandard", { value: standardText }))
        const range = isSwitch ? null : element("small", {}, words.say("fromTo", { from: minimum, to: maximum, unit: unit ?? "" }).trim())
        const draw = value => {
            if (![field, slider].includes(document.activeElement) || isSwitch) {
                if (isSwitch) field.checked = value
                else field.value = slider.value = String(value)
            }
            back.hidden = value === standard
        }
        draw(value)
        const named = element("label", {}, about(name, ...range ? [range] : []), field)
        return { draw, root: element("div", { class: "row", "data-knob": name }, named, slider, back, outcome.root) }
    }

    /** What `param.list` tells. */
    draw(parameters) { for (const { name, value } of parameters) this.#rows.get(name)?.draw(value) }
}
