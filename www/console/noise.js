// A check of loudspeakers: pink noise at a level, until it is ended, a minute is over, or somebody goes to another view.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"

const lasts = 60_000, looksEvery = 250 // milliseconds
const levels = [-40, -30, -20]

/** The command that plays pink noise on one loudspeaker of a sink with `channels`, beside the engine. */
export const aloneCommand = channels => `speaker-test -D pulse -c ${channels} -s 1 -t pink`

export class Noise {
    #timer = null

    constructor(parts) {
        const { words } = parts
        this.parts = parts
        this.outcome = new Outcome()
        this.level = element("select", { id: "noiseLevel" }, levels.map(level => element("option", { value: level }, words.say("noiseLevel", { level: words.number.format(level) }))))
        this.level.onchange = () => { if (this.#timer) this.#start() }
        this.button = element("button", { type: "button", class: "do", "data-do": "noise", "aria-pressed": "false", onclick: () => this.#timer ? this.#stop() : this.#start() }, words.say("playNoise"))
        this.alone = element("code")
        this.root = element("div", { class: "noise" }, element("h3", {}, words.say("speakers")), element("p", { class: "quiet" }, words.say("noiseText")),
            element("div", { class: "steps" }, element("label", {}, element("span", {}, words.say("noiseLevelOf")), this.level), this.button), this.outcome.root,
            element("p", { class: "quiet" }, words.say("noiseAlone")),
            element("pre", { tabindex: "0", "aria-label": words.say("noiseAloneCommand") }, this.alone))
        this.name(2)
    }

    /** How many channels the sink has that is in use. */
    name(channels) { this.alone.textContent = aloneCommand(channels) }

    async #start() {
        const level = Number(this.level.value)
        const said = this.parts.words.say("noiseSounds", { level: this.parts.words.number.format(level) })
        if (!await attempt(this.parts, this.outcome, "noise", { on: true, level }, said)) return
        clearInterval(this.#timer)
        const ends = performance.now() + lasts
        this.#timer = setInterval(() => { if (performance.now() >= ends || !this.root.isConnected) this.#stop() }, looksEvery)
        this.#draw()
    }

    async #stop() {
        clearInterval(this.#timer)
        this.#timer = null
        this.#draw()
        await attempt(this.parts, this.outcome, "noise", { on: false }, this.parts.words.say("noiseEnded"))
    }

    #draw() {
        this.button.ariaPressed = String(this.#timer !== null)
        this.button.textContent = this.parts.words.say(this.#timer ? "stopNoise" : "playNoise")
    }
}
