// What is plugged in, what is used of it and why not the rest, and how each is tried: fingers on the touchscreens, motors, the sound's output.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { adviceOnMotor, adviceOnOutput, adviceOnScreens, isTurnedDown, triedMotors } from "./advice.js"
import { about, card } from "./cards.js"
import { TouchedScreens } from "./fingers.js"
import { inFigures, tenths } from "./level.js"
import { Noise } from "./noise.js"

const motorStarts = 600 // milliseconds until a motor has counted what it was given
const sinksEvery = 10_000 // milliseconds: a sound server is asked for them each time

const text = (tag, ...words) => element(tag, {}, ...words)

export class Devices {
    #sinks = { at: -Infinity, list: [], refusal: null }

    constructor(root, { engine, words }) {
        Object.assign(this, { root, engine, words })
        this.parts = { engine, words }
        engine.on("touches", touches => this.screens?.told(touches))
        engine.on("event", event => this.screens?.happened(event))
        engine.on("cue", cue => this.noise?.heard(cue))
        engine.on("down", () => this.noise?.lost())
        engine.on("device", () => this.#look().catch(() => {}))
    }

    get #isOperator() { return this.engine.greeting.role === "operator" }

    async show(isAsked = true) {
        if (isAsked || !this.screens) this.#build()
        await this.#look()
    }

    setScreens(screens) { this.screens?.setScreens(screens) }

    #build() {
        const { words, engine } = this
        this.screens = new TouchedScreens(words, { countsFields: true })
        this.screens.setScreens(engine.greeting.touches?.screens ?? [])
        const anew = element("button", { type: "button", class: "do quiet small", "data-do": "anew", onclick: () => this.screens.forgetFields() }, words.say("touchAnew"))
        this.lists = Object.fromEntries(["screens", "unused", "motors", "output", "sinks"].map(name => [name, this.#list(name, [])]))
        this.#sinks.at = -Infinity
        this.noise = new Noise(this.parts)
        const part = (name, ...parts) => card(name, words.say(`devices-${name}`), ...parts)
        this.root.replaceChildren(
            element("header", { class: "top" }, element("h1", {}, words.say("go-devices")), element("p", { class: "quiet" }, words.say("devicesText"))),
            element("div", { class: "board" },
                part("touchscreens", this.lists.screens), part("motors", this.lists.motors, ...this.#isOperator ? this.#motorTest() : []),
                part("sound", this.lists.output, ...this.#isOperator ? this.#soundTest() : [], text("h3", words.say("sinks")), this.lists.sinks,
                    ...this.#isOperator ? [this.noise.root] : []),
                part("unused", this.lists.unused),
                part("touchtest", element("p", { class: "quiet" }, words.say("touchTestText")), this.screens.root, element("div", { class: "steps" }, anew))))
        if (this.#isOperator) this.#fill().catch(() => {})
    }

    #motorTest() {
        const { words } = this
        this.pattern = element("select", { id: "pattern" })
        this.motorsTried = new Outcome()
        const play = element("button", { type: "button", class: "do", "data-do": "motors", onclick: () => this.#tryMotors(play) }, words.say("tryMotors"))
        return [element("div", { class: "steps" }, element("label", {}, element("span", {}, words.say("pattern")), this.pattern), play), this.motorsTried.root]
    }

    #soundTest() {
        const { words } = this
        this.chime = element("select", { id: "chime" })
        this.soundTried = new Outcome()
        const play = element("button", { type: "button", class: "do", "data-do": "sound", onclick: () =>
            attempt(this.parts, this.soundTried, "chime.play", { name: this.chime.value }, words.say("did-played", { name: this.chime.value })) }, words.say("trySound"))
        return [element("div", { class: "steps" }, element("label", {}, element("span", {}, words.say("chime")), this.chime), play), this.soundTried.root]
    }

    async #fill() {
        const { pattern, chime } = this
        const [patterns, chimes] = await Promise.all([this.engine.ask("haptic.list"), this.engine.ask("chime.list")])
        const options = names => names.map(name => element("option", { value: name }, name))
        pattern.replaceChildren(...options(patterns.names))
        chime.replaceChildren(...options(chimes.names))
    }

    /** Plays the pattern, and says of each motor what it has counted. */
    async #tryMotors(button) {
        const { engine, words } = this
        button.disabled = true
        try {
            const before = await engine.ask("device.list")
            const answer = await attempt(this.parts, this.motorsTried, "haptic.play", { name: this.pattern.value })
            if (!answer) return
            await new Promise(done => setTimeout(done, motorStarts))
            const found = triedMotors(before, await engine.ask("device.list"))
            const isGood = found.length > 0 && found.every(({ key }) => key === "motor-played")
            const said = found.map(({ key, name, why }) => words.say(key, { name, why })).join("\n")
            this.motorsTried.say(said || words.say("noMotorToTry"), isGood ? "good" : "waiting")
        } catch ({ message }) {
            this.motorsTried.say(message, "bad")
        } finally {
            button.disabled = false
        }
    }

    async #look() {
        if (!this.root.isConnected) return
        const { engine } = this
        const [devices, { output }] = await Promise.all([engine.ask("device.list"), engine.ask("status")])
        this.#draw("screens", this.#ofScreens(devices))
        this.#draw("motors", this.#ofMotors(devices))
        this.#draw("unused", this.#ofUnused(devices))
        this.#draw("output", this.#ofOutput(output))
        await this.#lookForSinks(output)
    }

    async #lookForSinks(output) {
        const now = performance.now()
        if (now - this.#sinks.at >= sinksEvery) {
            this.#sinks.at = now
            const answer = await this.engine.ask("output.sinks").catch(({ message }) => ({ sinks: [], refusal: message }))
            this.#sinks = { at: now, list: answer.sinks, refusal: answer.refusal ?? null }
        }
        this.#draw("sinks", this.#ofSinks(output))
    }

    #list(name, rows) { return element("ul", { class: "devices", "data-list": name }, rows) }

    /** What has not changed is not drawn again: somebody may be reading it aloud. */
    #draw(name, rows) {
        const list = this.#list(name, rows)
        if (list.isEqualNode(this.lists[name])) return
        this.lists[name].replaceWith(list)
        this.lists[name] = list
    }

    #advice(found) { return found.map(({ key, values }) => element("li", { class: "advice", "data-advice": key }, this.words.say(key, inFigures(this.words, values)))) }

    #device(state, name, lines, more = []) {
        const { words } = this
        return element("li", { "data-state": state }, element("div", {}, about(name, ...lines.filter(line => line).map(line => text("small", line))),
            element("span", { class: "chip", "data-is": state }, words.say(`device-${state}`))), ...more)
    }

    #ofScreens(devices) {
        return [...devices.touchscreens.map(({ name, node, drops }) => this.#device(drops > 0 ? "limps" : "used", name, [node])),
            ...this.#advice(adviceOnScreens(devices))]
    }

    #ofUnused({ unused }) {
        const { words } = this
        if (unused.length === 0) return [text("li", words.say("nothingUnused"))]
        return unused.map(({ name, node, reason, rule }) => this.#device("unused", name, [node], [element("p", {}, words.say("unusedBecause", { reason })),
            ...rule ? [element("p", {}, words.say("ruleWouldUse")), element("pre", { tabindex: "0", "aria-label": words.say("settingsLine") }, text("code", rule))]
                : [element("p", {}, words.say("noRuleWouldUse"))]]))
    }

    #ofMotors({ motors, transducers, patterns }) {
        const { words } = this
        const rows = motors.map(motor => {
            const { name, node, drive, plays, held, slots, touchToEffectMilliseconds: delay } = motor
            const advice = adviceOnMotor(motor)
            const lines = [node, words.say(`drive-${drive}`), words.say("motorPlays", { count: plays, held, slots }),
                delay === undefined ? null : words.say("motorDelay", { time: tenths(words, delay) })]
            return this.#device(advice.length > 0 ? "limps" : "used", name, lines, advice.map(({ key, values }) => element("p", { class: "advice", "data-advice": key }, words.say(key, values))))
        })
        const channels = transducers.length > 0 ? [text("li", words.say("onChannels", { channels: transducers.join(", "), count: transducers.length }))] : []
        const none = rows.length + channels.length === 0 ? [element("li", { class: "advice", "data-advice": "advice-noMotor" }, words.say("advice-noMotor"))] : []
        return [...rows, ...channels, ...none, text("li", words.say("patternsAsked", { count: patterns }))]
    }

    #ofOutput(output) {
        const { words } = this
        const { kind, state, server, sink, sampleRate, latency } = output
        const advice = adviceOnOutput(output)
        const is = state === "connected" ? (advice.length > 0 ? "limps" : "used") : "away"
        const name = sink ?? words.say(`output-${kind}`)
        const rate = `${words.number.format(sampleRate)} Hz`
        const lines = [server, sink ? words.say(`output-${kind}`) : null, words.say("outputFacts", { rate, delay: tenths(words, latency.touchToSoundMilliseconds) })]
        return [this.#device(is, name, lines), ...this.#advice(advice)]
    }

    #ofSinks({ sink, kind, state }) {
        const { words } = this
        const { list, refusal } = this.#sinks
        if (refusal) return [element("li", { class: "advice" }, refusal)]
        if (list.length === 0) return [text("li", words.say(kind === "pulse" && state === "connected" ? "noSinks" : "noServer"))]
        return list.map(({ name, description, channels, channelNames, sampleRate, isDefault, isMuted, volume }) => {
            const isUsed = sink === description || sink === name
            if (isUsed) this.noise.name(channels, name)
            const lines = [name, words.say("sinkFacts", { count: channels, rate: words.number.format(sampleRate) }), channelNames.join(", "), isDefault ? words.say("isDefaultSink") : null,
                isMuted ? words.say("sinkMuted", { name }) : isTurnedDown(volume) ? words.say("sinkVolume", { level: tenths(words, volume), name }) : null]
            return this.#device(isUsed ? (isMuted ? "limps" : "used") : "there", description, lines)
        })
    }
}
