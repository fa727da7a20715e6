// The sound of the house: mute, preset, theme, ceiling, and everything off.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { about, card } from "./cards.js"

const schedule = "" // the value of the choice "by the schedule"

export class House {
    #ceiling = null

    constructor(parts, presets, themes) {
        const { words } = parts
        this.parts = parts
        this.mute = element("input", { type: "checkbox", role: "switch", id: "mute" })
        this.mute.onchange = () => {
            const on = this.mute.checked
            this.#try("mute", "output.mute", { on }, on ? "did-muted" : "did-unmuted")
        }
        this.preset = this.#select([[schedule, words.say("bySchedule")], ...presets.map(name => [name, name])],
            name => this.#try("preset", "preset.set", name === schedule ? {} : { name }))
        this.theme = this.#select(themes.map(name => [name, name]), name => this.#try("theme", "theme.set", { name }))
        this.level = element("input", { type: "range", min: "-60", step: "1" })
        this.figure = element("output", { class: "figure" })
        this.level.oninput = () => this.#sayLevel()
        this.level.onchange = () => this.#try("ceiling", "output.ceiling", { level: Number(this.level.value) })
        this.off = element("button", { type: "button", class: "do danger", "data-do": "stop" }, words.say("stop"))
        this.off.onclick = () => this.#try("stop", "stop", {}, "did-stop")
        this.outcomes = {}
        this.volume = element("small")
        this.root = card("", words.say("do-house"),
            this.#row("mute", this.mute), this.#row("preset", this.preset, this.volume), this.#row("theme", this.theme),
            this.#row("ceiling", element("span", { class: "ranged" }, this.level, this.figure)), this.#row("stop", this.off))
    }

    #select(options, choose) {
        const made = element("select", {}, options.map(([value, text]) => element("option", { value }, text)))
        made.onchange = () => choose(made.value)
        return made
    }

    #row(name, control, ...more) {
        const { words } = this.parts
        const outcome = this.outcomes[name] = new Outcome()
        const named = about(words.say(`house-${name}`), element("small", {}, words.say(`house-${name}Text`)), ...more)
        const tag = control === this.off ? "div" : "label"
        return element("div", { class: "row", "data-row": name }, element(tag, {}, named, control), outcome.root)
    }

    async #try(row, method, params, said) {
        const { words, changed } = this.parts
        await attempt(this.parts, this.outcomes[row], method, params, said ? words.say(said) : undefined)
        await changed()
    }

    /** `house` of `status`. What somebody holds at this moment is left alone. */
    draw({ isMuted, isByHand, preset, theme, ceiling, volume }) {
        const { words } = this.parts
        this.mute.checked = isMuted
        const isHeld = control => control === document.activeElement
        if (!isHeld(this.preset)) this.preset.value = isByHand ? preset : schedule
        this.preset.options[0].textContent = isByHand ? words.say("bySchedule") : words.say("byScheduleNow", { preset })
        this.volume.textContent = volume < 0 ? words.say(volume <= -120 ? "volumeSilent" : "volumeIs", { level: volume }) : ""
        if (!isHeld(this.theme)) this.theme.value = theme
        const told = `${ceiling.setting}/${ceiling.level}`
        if (this.#ceiling === told && isHeld(this.level)) return
        this.#ceiling = told
        this.level.max = String(ceiling.setting)
        this.level.value = String(ceiling.level)
        this.#sayLevel()
    }

    #sayLevel() {
        this.figure.textContent = `${this.parts.words.number.format(Number(this.level.value)).replace("-", "−")} dBFS`
        this.level.setAttribute("aria-valuetext", this.figure.textContent)
    }
}
