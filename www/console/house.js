// The sound of the house: mute, volume, preset, theme, ceiling, and everything off.

import { element } from "../kit/elements.js"
import { attempt, Outcome } from "./act.js"
import { about, card } from "./cards.js"
import { LevelSlider } from "./slider.js"

const schedule = "" // the value of the choice "by the schedule"

export class House {
    /** `presets` and `themes` are their names; null for whoever sets the volume and the mute only. */
    constructor(parts, presets, themes) {
        const { words } = parts
        this.parts = parts
        this.outcomes = {}
        this.mute = element("input", { type: "checkbox", role: "switch", id: "mute" })
        this.mute.onchange = () => {
            const on = this.mute.checked
            this.#try("mute", "output.mute", { on }, on ? "did-muted" : "did-unmuted")
        }
        this.volume = new LevelSlider(words, "dB", level => this.#try("volume", "volume.set", { level }))
        this.whole = element("small")
        this.off = element("button", { type: "button", class: "do danger", "data-do": "stop" }, words.say("stop"))
        this.off.onclick = () => this.#try("stop", "stop", {}, "did-stop")
        this.root = card("", words.say("do-house"),
            this.#row("mute", this.mute), this.#row("volume", this.volume.root, this.whole),
            ...presets ? this.#choices(presets, themes) : [], this.#row("stop", this.off))
    }

    #choices(presets, themes) {
        const { words } = this.parts
        this.preset = this.#select([[schedule, words.say("bySchedule")], ...presets.map(name => [name, name])],
            name => this.#try("preset", "preset.set", name === schedule ? {} : { name }))
        this.theme = this.#select(themes.map(name => [name, name]), name => this.#try("theme", "theme.set", { name }))
        this.ceiling = new LevelSlider(words, "dBFS", level => this.#try("ceiling", "output.ceiling", { level }))
        return [this.#row("preset", this.preset), this.#row("theme", this.theme), this.#row("ceiling", this.ceiling.root)]
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
    draw({ isMuted, isByHand, preset, theme, ceiling, volume, volumeByHand }) {
        const { words } = this.parts
        this.mute.checked = isMuted
        const byHand = volumeByHand?.level ?? 0
        this.volume.draw(byHand)
        // Preset and hearing guard turn it down, too.
        const isWhole = volume === byHand
        this.whole.textContent = volume <= -120 ? words.say("volumeSilent") : isWhole ? "" : words.say("volumeIs", { level: -volume })
        if (!this.preset) return
        const isHeld = control => control === document.activeElement
        if (!isHeld(this.preset)) this.preset.value = isByHand ? preset : schedule
        this.preset.options[0].textContent = isByHand ? words.say("bySchedule") : words.say("byScheduleNow", { preset })
        if (!isHeld(this.theme)) this.theme.value = theme
        this.ceiling.draw(ceiling.level, ceiling.setting)
    }
}
