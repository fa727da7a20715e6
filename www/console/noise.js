// A check of loudspeakers: pink noise at a level, until it is ended, the engine ends it after a minute, or somebody goes to another view.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"

const looksEvery = 250 // milliseconds
const levels = [-40, -30, -20]

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`

/** The command that plays pink noise on one loudspeaker of a sink with `channels`, beside the engine. Without a `sink` it is the server's default one. */
export const aloneCommand = (channels, sink) => `${sink ? `PULSE_SINK=${quoted(sink)} ` : ""}speaker-test -D pulse -c ${channels} -s 1 -t pink`

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

    /** How many channels the sink has that is in use, and its name. */
    name(channels, sink) { this.alone.textContent = aloneCommand(channels, sink) }

    /** Follows that noise ends, whoever has ended it. */
    heard({ cue, on }) { if (this.#timer && (cue === "stop" || cue === "noise" && !on)) this.#ended() }

    /** Follows that the engine is away: with its client the noise has ended. */
    lost() { if (this.#timer) this.#ended() }

    /** The button is pressed from the request on, so that a second press ends the noise, however late the answer is. */
    async #start() {
        const level = Number(this.level.value)
        const { engine, words } = this.parts
        clearInterval(this.#timer)
        this.#timer = setInterval(() => { if (!this.root.isConnected) this.#stop() }, looksEvery)
        this.#draw()
        if (!await attempt(this.parts, this.outcome, "noise", { on: true, level }, words.say("noiseSounds", { level: words.number.format(level) }))) return this.#release()
        const { house } = await engine.ask("status").catch(() => ({}))
        if (this.#timer && house && (house.isMuted || !house.isOpen)) this.outcome.say(words.say(house.isMuted ? "noiseMuted" : "noiseClosed"), "waiting")
    }

    async #stop() {
        this.#ended()
        await attempt(this.parts, this.outcome, "noise", { on: false }, this.parts.words.say("noiseEnded"))
    }

    #release() {
        clearInterval(this.#timer)
        this.#timer = null
        this.#draw()
    }

    #ended() {
        this.#release()
        this.outcome.say(this.parts.words.say("noiseEnded"))
    }

    #draw() {
        this.button.ariaPressed = String(this.#timer !== null)
        this.button.textContent = this.parts.words.say(this.#timer ? "stopNoise" : "playNoise")
    }
}
