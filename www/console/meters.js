// Level meters: peak with its hold, and the root mean square. A scale from −60 to 0 dBFS.

import { element } from "../kit/elements.js"
import { PeakHold, placeOf } from "./level.js"

const ticks = [-60, -48, -36, -24, -12, -6, 0]

export class Meters {
    #rows = {}
    #hold = new PeakHold()

    constructor(words) {
        this.words = words
        this.decibels = new Intl.NumberFormat(words.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
        this.root = element("div", { class: "meters" }, ["peak", "rms"].map(name => this.#row(name)),
            element("p", { class: "scale", "aria-hidden": "true" }, ticks.map(level => {
                const tick = element("span", {}, words.number.format(level))
                tick.style.left = `${placeOf(level) * 100}%`
                return tick
            })))
        this.forget()
    }

    #row(name) {
        const fill = element("i", { class: "fill" }), mark = name === "peak" ? element("i", { class: "held" }) : null
        const figure = element("output", { class: "figure" })
        const label = this.words.say(`level-${name}`)
        const values = { "aria-valuemin": "-120", "aria-valuemax": "0", "aria-valuenow": "-120" }
        const track = element("div", { class: "level", role: "meter", "aria-label": label, ...values }, fill, mark)
        this.#rows[name] = { fill, mark, figure, track }
        return element("div", { class: "meter", "data-meter": name }, element("span", { class: "label" }, label), track, figure)
    }

    /** What the topic `meters` tells. */
    draw({ peak, rms }, now = performance.now()) {
        this.#set("peak", peak, this.#hold.hold(peak, now))
        this.#set("rms", rms, rms)
    }

    /** Nothing is measured. */
    forget() {
        for (const { fill, mark, figure } of Object.values(this.#rows)) {
            fill.style.transform = "scaleX(0)"
            if (mark) mark.style.opacity = "0"
            figure.textContent = "–"
        }
    }

    /** The figure of the peak is that of its hold: nobody reads one that changes 20 times a second. */
    #set(name, level, shown) {
        const { fill, mark, figure, track } = this.#rows[name]
        fill.style.transform = `scaleX(${placeOf(level)})`
        track.setAttribute("aria-valuenow", shown.toFixed(1))
        track.setAttribute("aria-valuetext", this.#say(shown))
        if (figure.textContent !== this.#say(shown)) figure.textContent = this.#say(shown)
        if (!mark) return
        mark.style.opacity = shown > -60 ? "1" : "0"
        mark.style.left = `${placeOf(shown) * 100}%`
        mark.dataset.hot = String(shown > -1)
    }

    #say(level) { return level <= -120 ? "−∞ dBFS" : `${this.decibels.format(level).replace("-", "−")} dBFS` }
}
