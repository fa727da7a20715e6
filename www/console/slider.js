// A slider for a level in decibels, with its figure beside it.

import { element } from "../kit/elements.js"

export class LevelSlider {
    #drawn = null

    /** `unit` is dB or dBFS; `set` is called with the level that somebody has chosen. */
    constructor(words, unit, set) {
        Object.assign(this, { words, unit })
        this.input = element("input", { type: "range", min: "-60", max: "0", step: "1" })
        this.figure = element("output", { class: "figure" })
        this.input.oninput = () => this.#say()
        this.input.onchange = () => set(Number(this.input.value))
        this.root = element("span", { class: "ranged" }, this.input, this.figure)
    }

    /** What somebody holds at this moment is left alone, unless another level is told. */
    draw(level, most = 0) {
        const told = `${most}/${level}`
        if (this.#drawn === told && this.input === document.activeElement) return
        this.#drawn = told
        this.input.max = String(most)
        this.input.value = String(level)
        this.#say()
    }

    #say() {
        this.figure.textContent = `${this.words.number.format(Number(this.input.value)).replace("-", "−")} ${this.unit}`
        this.input.setAttribute("aria-valuetext", this.figure.textContent)
    }
}
