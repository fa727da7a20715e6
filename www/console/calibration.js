// Calibrating with a sound level meter, step by step: what is in the way, where the meter goes, a tone of known level, what the meter shows,
// and the line for the settings file. The settings are a file: this page writes none.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { countries, countryName } from "./hearing.js"
import { inFigures, tenths } from "./level.js"

const lasts = 30_000, looksEvery = 200 // milliseconds
const frequency = 1000 // Hz
const least = 40, most = 140 // dB: what the settings take
const overTheRoom = 10 // dB

/** What keeps the tone from being as loud as it will be, each as `key` and `values` of the words. `level` is the tone's, in dBFS. */
export function obstacles({ house, output }, level) {
    const found = []
    const add = (key, values = {}) => found.push({ key, values })
    if (output.kind === "null") add("way-null")
    else if (output.state === "waiting") add("way-waiting", { why: output.issue ?? "" })
    if (output.isMutedByOthers) add("way-mutedByOthers")
    if (house.isMuted) add("way-muted")
    if (house.hearing?.volume < 0) add("way-guard")
    else if (house.volume <= -120) add("way-silent", { preset: house.preset })
    else if (house.volume < 0) add("way-volume", { level: -house.volume })
    if (house.ceiling.level <= level) add("way-ceiling", { level: house.ceiling.level })
    return found
}

/** The calibration in dB: the level of a full-scale sine where a tone of `level` dBFS reads `reading` dBA. Null where the settings take none such. */
export function calibrationOf(reading, level) {
    const calibration = Math.round((reading - level) * 10) / 10
    return calibration >= least && calibration <= most ? calibration : null
}

/** The section `hearing` as one line. What `former`, its value in the settings, says of limit and visitors stays. */
export function lineOf(former, calibration, country) {
    const inside = /^\{(.*)\}$/.exec(former ?? "")?.[1] ?? ""
    const pairs = new Map(inside.split(", ").filter(pair => pair.includes(": ")).map(pair => pair.split(": ")))
    pairs.delete("country")
    const rest = [...pairs].filter(([key]) => key !== "calibration")
    const all = [["calibration", calibration], ...country ? [["country", country]] : [], ...rest]
    return `hearing: {${all.map(([key, value]) => `${key}: ${value}`).join(", ")}}`
}

/** The file that the settings come from, and the line of `hearing` in it; null for each that is not known. */
export function placeOf(settings) {
    const at = ({ source, place }) => source === "file" ? /^(.*):(\d+)$/.exec(place ?? "") : null
    const own = settings.find(({ key }) => key === "hearing")
    const found = at(own ?? {})
    return { former: found ? own.value : null, line: found ? Number(found[2]) : null, file: found?.[1] ?? settings.map(at).find(place => place)?.[1] ?? null }
}

export class Calibration {
    #status = null
    #place = { former: null, line: null, file: null }
    #isPlaying = false
    #timer = null

    constructor(parts) {
        const { words, engine } = parts
        Object.assign(this, { parts, words, engine })
        this.way = element("ul", { class: "ways" })
        this.prepared = new Outcome()
        this.normal = element("button", { type: "button", class: "do quiet", "data-do": "normal" }, words.say("chooseNormal"))
        this.normal.onclick = () => this.#choose({ name: "normal" }, "didNormal")
        this.back = element("button", { type: "button", class: "do quiet", "data-do": "bySchedule" }, words.say("backToSchedule"))
        this.back.onclick = () => this.#choose({}, "didSchedule")
        this.level = element("select", { id: "toneLevel" }, [-20, -10].map(level =>
            element("option", { value: level }, `${tenths(words, level)} dBFS`)))
        this.level.onchange = () => this.#levelChanged()
        this.play = element("button", { type: "button", class: "do", "data-do": "tone", "aria-pressed": "false" }, words.say("playTone"))
        this.play.onclick = () => this.#press()
        this.played = new Outcome()
        const number = id => element("input", { type: "number", id, min: "0", max: "140", step: "0.1", inputmode: "decimal" })
        this.reading = number("reading")
        this.room = number("room")
        for (const field of [this.reading, this.room]) field.oninput = () => this.#work()
        this.country = element("select", { id: "country" }, element("option", { value: "" }, words.say("noCountryChosen")),
            countries(words).map(word => element("option", { value: word }, countryName(words, word))))
        this.country.onchange = () => this.#work()
        this.result = element("div", { class: "result" })
        this.reloaded = new Outcome()
        this.reload = element("button", { type: "button", class: "do", "data-do": "reload" }, words.say("reload"))
        this.reload.onclick = () => this.#reload()
        const step = (name, ...inside) => element("li", { "data-step": name }, element("h3", {}, words.say(`step-${name}`)), element("p", {}, words.say(`step-${name}Text`)), ...inside)
        const field = (key, input) => element("label", {}, element("span", {}, words.say(key)), input)
        this.root = element("ol", { class: "walk" },
            step("prepare", this.way, element("div", { class: "steps" }, this.normal), this.prepared.root),
            step("place"),
            step("play", element("div", { class: "steps" }, field("toneLevel", this.level), this.play), this.played.root),
            step("read", element("div", { class: "fields" }, field("meterShows", this.reading), field("roomShows", this.room), field("whichCountry", this.country))),
            step("write", this.result, element("div", { class: "steps" }, this.reload, this.back), this.reloaded.root))
        engine.on("down", () => this.#ended())
        this.#work()
    }

    get #toneLevel() { return Number(this.level.value) }

    /** What `status` and `setting.list` tell. */
    draw(status, settings) {
        // The country that the settings name stays, unless somebody chooses another one.
        if (!this.#status) this.country.value = status.house.hearing?.rules.country?.word ?? ""
        this.#status = status
        this.#place = placeOf(settings)
        const { words } = this
        const found = obstacles(status, this.#toneLevel)
        const drawn = JSON.stringify(found)
        if (drawn !== this.way.dataset.drawn) {
            this.way.dataset.drawn = drawn
            this.way.replaceChildren(...found.length === 0 ? [element("li", { "data-kind": "good" }, words.say("way-free"))]
                : found.map(({ key, values }) => element("li", { "data-kind": "waiting" }, words.say(key, inFigures(words, values)))))
        }
        this.normal.hidden = status.house.preset === "normal"
        this.back.hidden = !status.house.isByHand
        this.#work()
    }

    async #choose(params, said) {
        await attempt(this.parts, this.prepared, "preset.set", params, this.words.say(said))
        await this.parts.changed()
    }

    async #levelChanged() {
        // What the meter showed was the former level's.
        this.reading.value = ""
        if (this.#isPlaying) await this.#start()
        if (this.#status) this.way.dataset.drawn = ""
        this.#work()
        await this.parts.changed()
    }

    #press() { return this.#isPlaying ? this.#stop() : this.#start() }

    async #start() {
        const answer = await attempt(this.parts, this.played, "tone", { on: true, frequency, level: this.#toneLevel }, this.words.say("toneSounds"))
        if (!answer) return
        clearInterval(this.#timer)
        this.#isPlaying = true
        const ends = performance.now() + lasts
        // It ends when somebody goes to another view, too.
        this.#timer = setInterval(() => { if (performance.now() >= ends || !this.root.isConnected) this.#stop() }, looksEvery)
        this.#name()
    }

    async #stop() {
        this.#ended()
        await attempt(this.parts, this.played, "tone", { on: false }, this.words.say("toneEnded"))
    }

    #ended() {
        clearInterval(this.#timer)
        this.#isPlaying = false
        this.#name()
    }

    #name() {
        this.play.ariaPressed = String(this.#isPlaying)
        this.play.textContent = this.words.say(this.#isPlaying ? "stopTone" : "playTone")
    }

    /** What comes of the meter's figure: the line for the file, or why there is none yet. */
    #work() {
        const { words } = this
        const reading = this.reading.valueAsNumber, room = this.room.valueAsNumber
        const calibration = calibrationOf(reading, this.#toneLevel)
        const { former, line, file } = this.#place
        const drawn = JSON.stringify([reading, room, this.#toneLevel, this.country.value, this.#place])
        if (drawn === this.result.dataset.drawn) return
        this.result.dataset.drawn = drawn
        this.reload.hidden = calibration === null
        if (Number.isNaN(reading)) return this.result.replaceChildren(element("p", { class: "quiet" }, words.say("noReading")))
        if (calibration === null) return this.result.replaceChildren(element("p", { class: "hint" }, words.say("badReading", { least, most, level: -this.#toneLevel })))
        const hint = reading - room < overTheRoom ? [element("p", { class: "hint" }, words.say("tooQuiet", { least: overTheRoom }))] : []
        const text = lineOf(former, calibration, this.country.value)
        const where = file === null ? words.say("writeSomewhere") : line === null ? words.say("writeInto", { file }) : words.say("writeInstead", { file, line })
        this.result.replaceChildren(...hint, element("p", {}, words.say("calibrationIs", { reading, level: -this.#toneLevel, calibration })),
            element("p", {}, where), element("pre", { tabindex: "0", "aria-label": words.say("settingsLine") }, element("code", {}, text)), ...this.#copies(text))
    }

    /** Browsers let a page copy only where it came by TLS or from this machine. */
    #copies(text) {
        if (!navigator.clipboard) return []
        const copied = new Outcome()
        const copy = element("button", { type: "button", class: "do quiet small", "data-do": "copy", onclick: () =>
            navigator.clipboard.writeText(text).then(() => copied.say(this.words.say("copied")), ({ message }) => copied.say(message, "bad")) }, this.words.say("copy"))
        return [element("div", { class: "steps" }, copy, copied.root)]
    }

    async #reload() {
        const answer = await attempt(this.parts, this.reloaded, "setting.reload", {})
        if (answer) {
            const isNew = answer.changes.some(({ key }) => key === "hearing")
            this.reloaded.say(this.words.say(isNew ? "calibrated" : "hearingSame"), isNew ? "good" : "waiting")
        }
        await this.parts.changed()
    }
}
