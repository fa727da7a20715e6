// What an operator can do to a running house: its sound, the piece's knobs, tries, and the daemon's tasks.

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
        engine.on("down", () => this.tries?.letGo())
        engine.on("cue", ({ cue }) => { if (cue === "stop") this.tries?.letGo() })
    }

    async show(isAsked = true) {
        if (isAsked || this.#offered === null) await this.#build()
        await this.#look()
    }

    /** What can be chosen changes with the theme and the settings; what somebody is about to press stays. */
    async #build() {
        const { engine, words } = this
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
        const columns = [[this.house, this.tasks], [this.knobs, this.tries]]
        this.root.replaceChildren(
            element("header", { class: "top" },
                element("h1", {}, words.say("go-doing")), element("p", { class: "quiet" }, words.say("doText"))),
            element("div", { class: "acts" }, columns.map(column => element("div", {}, column.map(({ root }) => root)))))
    }

    async #look() {
        const [status, { parameters }] = await Promise.all([this.engine.ask("status"), this.engine.ask("param.list")])
        this.house.draw(status.house)
        this.knobs.draw(parameters)
        this.tasks.draw(status)
    }
}
