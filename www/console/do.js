// What can be done to a running house: its sound, the piece's knobs, tries, and the daemon's tasks. Whoever may set the volume and no more
// has the volume, the mute and the stop, which is everybody's.

import { element } from "../kit/elements.js"
import { House } from "./house.js"
import { Knobs } from "./knobs.js"
import { Tasks } from "./tasks.js"
import { Tries } from "./tries.js"

export class Do {
    #offered = null

    constructor(root, { engine, words }) {
        Object.assign(this, { root, engine, words })
        this.parts = { engine, words, changed: () => this.#look().catch(() => {}) }
        engine.on("down", () => { this.tries?.letGo(); this.tasks?.went() })
        engine.on("up", () => this.tasks?.came())
        engine.on("cue", ({ cue }) => { if (cue === "stop") this.tries?.letGo() })
    }

    get #isOperator() { return this.engine.greeting.role === "operator" }

    async show(isAsked = true) {
        if (isAsked || this.#offered === null) await (this.#isOperator ? this.#build() : this.#buildVolume())
        await this.#look()
    }

    #buildVolume() {
        if (this.#offered === "") return
        this.#offered = ""
        this.house = new House(this.parts, null, null)
        this.#place("volumeText", [[this.house]])
    }

    #place(about, columns) {
        const { words } = this
        this.root.replaceChildren(
            element("header", { class: "top" }, element("h1", {}, words.say("go-doing")), element("p", { class: "quiet" }, words.say(about))),
            element("div", { class: "acts" }, columns.map(column => element("div", {}, column.map(({ root }) => root)))))
    }

    /** What can be chosen changes with the theme and the settings; what somebody is about to press stays. */
    async #build() {
        const { engine } = this
        const lists = ["preset", "theme", "chime", "haptic", "texture"].map(kind => engine.ask(`${kind}.list`))
        const [presets, themes, chimes, patterns, textures] = (await Promise.all(lists)).map(({ names }) => names)
        const { parameters } = await engine.ask("param.list")
        const knobs = parameters.map(({ name, minimum, maximum, standard }) => [name, minimum, maximum, standard])
        const offered = JSON.stringify([presets, themes, chimes, patterns, textures, knobs])
        if (offered === this.#offered) return
        this.#offered = offered
        this.house = new House(this.parts, presets, themes)
        this.knobs = new Knobs(this.parts, parameters)
        this.tries = new Tries(this.parts, { chimes, patterns, textures })
        this.tasks = new Tasks(this.parts)
        this.#place("doText", [[this.house, this.tasks], [this.knobs, this.tries]])
    }

    async #look() {
        if (!this.#isOperator) {
            const { house } = await this.engine.ask("status")
            return this.house.draw(house)
        }
        const [status, { parameters }] = await Promise.all([this.engine.ask("status"), this.engine.ask("param.list")])
        this.house.draw(status.house)
        this.knobs.draw(parameters)
        this.tasks.draw(status)
    }
}
