// A phone with a few mock apps, so that a visitor can try what a day does to the cat.

import { face, paw } from "./drawing.js"
import { enter, isCalm } from "../kit/motion.js"
import { bar, drawing, element } from "../kit/elements.js"
import { feed } from "./feeds.js"
import { icon } from "./icons.js"

/** Seconds as minutes and seconds, as a countdown shows them. */
export const timeLeft = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`

export class Phone {
    #opened = null
    #view = ""
    #drawn = ""
    #state = null
    #until = new Map()

    /** `act` asks the engine for an action. */
    constructor(root, words, act) {
        Object.assign(this, { screen: root.querySelector(".screen"), words, act })
        setInterval(() => this.#countDown(), 250)
    }

    show(state) {
        this.#state = state
        for (const app of state.apps) this.#until.set(app.name, performance.now() + (app.opensFor ?? 0) * 1000)
        this.#draw()
    }

    /** Closes the app that is open, so that nothing is used any more on a phone that shows its home screen. */
    async putAway() {
        const app = this.#state.apps.find(app => app.name === this.#opened)
        this.home()
        if (app?.shield === "open") await this.act("kitty.shield", { app: app.name })
    }

    /** As nobody has touched it. */
    home() {
        this.#opened = null
        if (this.#state) this.#draw()
    }

    #draw() {
        const app = this.#state.apps.find(app => app.name === this.#opened)
        const view = app === undefined ? "home" : app.shield === "open" || app.shield === "free" ? "app" : "shield"
        // What a finger is on must stay where it is: nothing is drawn anew that looks the same.
        const { time, condition, bar, apps } = this.#state
        const drawn = JSON.stringify(view === "home" ? [time, apps.map(({ name, shield }) => [name, shield])]
            : view === "app" ? [view, condition, app.name, app.shield] : [view, condition, bar, app.name, app.shield, app.hp, app.of, app.cost])
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        const content = view === "home" ? this.#home() : view === "app" ? this.#app(app) : this.#shield(app)
        this.screen.dataset.view = view
        this.screen.dataset.app = app?.name ?? ""
        this.screen.replaceChildren(content)
        const key = `${view} ${app?.name} ${app?.shield}`
        if (view === "app" && this.#view === `shield ${app.name} shielded`) this.#liftPaw(content)
        if (key !== this.#view) enter(content, view === "home" ? "scale(1.06)" : "scale(0.9)")
        this.#view = key
        this.#countDown()
    }

    /** The paw that lay on the app gives way. */
    #liftPaw(content) {
        if (isCalm()) return
        const lifted = drawing(paw(this.#state.condition))
        lifted.classList.add("lifts")
        content.append(lifted)
        lifted.addEventListener("animationend", () => lifted.remove())
    }

    #open(name) {
        this.#opened = name
        this.#draw()
    }

    #home() {
        return element("div", { class: "apps-grid" },
            element("p", { class: "time", "aria-hidden": "true" }, this.words.clock(this.#state.time)),
            element("ul", {}, this.#state.apps.map(app => element("li", {},
                element("button", { type: "button", "data-app": app.name, "data-shield": app.shield, onclick: () => this.#open(app.name),
                                    "aria-label": `${app.name}, ${this.words.say(app.shield)}` },
                    icon(app.name), element("span", { class: "name" }, app.name),
                    element("span", { class: "state" }, this.words.say(app.shield)))))))
    }

    #shield(app) {
        const isLocked = app.shield === "locked"
        const part = app.of > 0 ? app.hp / app.of : 0
        return element("div", { class: "shield" },
            element("div", { class: "who", "aria-hidden": "true" }, icon(app.name), drawing(face(this.#state.condition)), drawing(paw(this.#state.condition))),
            element("h2", {}, this.words.say(isLocked ? "lockedTitle" : "shieldTitle", { app: app.name })),
            element("p", { class: "hp" }, this.words.say(this.#state.counting === "per-app" ? "hpOf" : "hp", { hp: this.words.number.format(app.hp), of: this.words.number.format(app.of) })),
            bar(part, this.#state.bar),
            isLocked ? element("p", { class: "until" }, this.words.say(this.#state.condition === "dead" ? "untilMorning" : "untilMidnight")) : null,
            element("button", { type: "button", class: "not-now", onclick: () => this.#open(null) },
                this.words.say(isLocked ? "goodNight" : "notNow")),
            app.canBypass ? element("button", { type: "button", class: "anyway", onclick: () => this.act("kitty.bypass", { app: app.name }) },
                this.words.say("openAnyway", { cost: app.cost })) : null)
    }

    #app(app) {
        return element("div", { class: "running" },
            element("header", {}, icon(app.name), element("h2", {}, app.name)),
            feed(app.name),
            element("div", { class: "watches", "aria-hidden": "true" }, drawing(face(this.#state.condition))),
            element("p", { class: "left" }),
            element("footer", {},
                element("button", { type: "button", class: "not-now", onclick: () => this.putAway() }, this.words.say("closeApp"))))
    }

    #countDown() {
        const left = this.screen.querySelector(".left")
        if (!left) return
        const app = this.#state.apps.find(app => app.name === this.#opened)
        if (app?.shield !== "open") return void (left.textContent = this.words.say("free"))
        const seconds = Math.max(0, Math.ceil((this.#until.get(app.name) - performance.now()) / 1000))
        left.textContent = this.words.say("backIn", { time: timeLeft(seconds) })
    }
}
