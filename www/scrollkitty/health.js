// How the cat is, as figures and bars, and what a bypass takes of it.

import { bar, element } from "../kit/elements.js"
import { isCalm } from "../kit/motion.js"
import { icon } from "./icons.js"
import { timeLeft } from "./phone.js"

const falls = 900, floats = 1600 // milliseconds

export class Health {
    constructor(root, words) { Object.assign(this, { root, words }) }

    /** A bypass has cost `lost` HP, and `total` are left: that piece comes off the bar, and its figure off the percentage. */
    lose({ lost, total }) {
        if (lost === 0) return
        const figure = element("span", { class: "loss", "aria-hidden": "true" }, `−${this.words.number.format(lost)}`)
        this.root.querySelector(".percent").append(figure)
        const rises = isCalm() ? [{ opacity: 1 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }]
            : [{ opacity: 1, transform: "none" }, { opacity: 1, offset: 0.5 }, { opacity: 0, transform: "translateY(-0.35em)" }]
        gone(figure, rises, { duration: floats, easing: "ease-out" })
        if (isCalm()) return
        const vital = this.root.querySelector(".vital")
        const piece = element("i", { class: "piece", "data-bar": vital.querySelector(".bar").dataset.bar, "aria-hidden": "true" })
        piece.style.left = `${total}%`
        piece.style.width = `${lost}%`
        vital.append(piece)
        gone(piece, [{ transform: "none", opacity: 1 }, { transform: "translateY(-0.5em) rotate(-9deg)", opacity: 1, offset: 0.25, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
            { transform: "translate(0.6em, 4.5em) rotate(64deg)", opacity: 0 }], { duration: falls, easing: "cubic-bezier(0.1, 0.7, 0.4, 1)" })
    }

    show(state) {
        const part = place => this.root.querySelector(place)
        part(".figure").textContent = state.percent
        part("small").textContent = "HP"
        part(".condition").textContent = this.words.say(state.condition)
        const meter = part(".bar")
        meter.dataset.bar = state.bar
        meter.setAttribute("aria-valuenow", state.percent)
        meter.querySelector("i").style.transform = `scaleX(${state.hp / 100})`
        part(".day-ends").hidden = !state.isOwn
        part(".day-ends").textContent = this.words.say("dayEndsIn", { time: timeLeft(state.dayEndsIn) })
        const isTallied = state.isOwn !== undefined && state.counting !== "per-app"
        this.root.toggleAttribute("data-tallied", isTallied)
        if (isTallied) this.#tally(state)
        else this.#list(state)
    }

    /** A small icon for each time that an app was opened anyway: what a visitor of minutes has done, at a glance. */
    #tally({ apps }) {
        const count = apps.reduce((sum, app) => sum + app.bypasses, 0)
        this.root.querySelector(".opened").textContent = this.words.say(count === 0 ? "nothingOpened" : "openedAnyway", { count })
        this.root.querySelector(".apps").replaceChildren(...apps.flatMap(({ name, bypasses }) =>
            Array.from({ length: bypasses }, () => element("li", { "aria-label": name }, icon(name)))))
    }

    #list(state) {
        this.root.querySelector(".opened").textContent = ""
        this.root.querySelector(".apps").replaceChildren(...state.apps.map(app => element("li", { "data-shield": app.shield },
            icon(app.name),
            element("span", { class: "name" }, app.name),
            element("span", { class: "figure" }, state.counting === "per-app" ? `${this.words.number.format(app.hp)}/${this.words.number.format(app.of)}`
                : app.bypasses === 0 ? this.words.say("notOpened") : this.words.say("opened", { count: app.bypasses })),
            state.counting === "per-app" ? bar(app.of > 0 ? app.hp / app.of : 0, state.bar)
                : element("span", { class: "use" }, this.words.say("useMinutes", { count: Math.round(app.useMinutes) })))))
    }
}

/** Takes `element` away at its animation's end. */
function gone(element, frames, timing) { element.animate(frames, { ...timing, fill: "forwards" }).finished.then(() => element.remove()) }
