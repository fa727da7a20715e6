// How the cat is, as figures and bars.

import { bar, element } from "../kit/elements.js"
import { icon } from "./icons.js"

export class Health {
    constructor(root, words) { Object.assign(this, { root, words }) }

    show(state) {
        const part = place => this.root.querySelector(place)
        part(".figure").textContent = state.percent
        part("small").textContent = "%"
        part(".condition").textContent = this.words.say(state.condition)
        const meter = part(".bar")
        meter.dataset.bar = state.bar
        meter.setAttribute("aria-valuenow", state.percent)
        meter.querySelector("i").style.transform = `scaleX(${state.hp / 100})`
        this.root.querySelector(".apps").replaceChildren(...state.apps.map(app => element("li", { "data-shield": app.shield },
            icon(app.name),
            element("span", { class: "name" }, app.name),
            element("span", { class: "figure" }, state.counting === "per-app" ? `${this.words.number.format(app.hp)}/${this.words.number.format(app.of)}`
                : app.bypasses === 0 ? this.words.say("notOpened") : this.words.say("opened", { count: app.bypasses })),
            state.counting === "per-app" ? bar(app.of > 0 ? app.hp / app.of : 0, state.bar)
                : element("span", { class: "use" }, this.words.say("useMinutes", { count: Math.round(app.useMinutes) })))))
    }
}
