// What ears have had today against what they may have, by the hearing guard, and what the country's limit is in words.

import { element } from "../kit/elements.js"
import { entry } from "./cards.js"
import { tenths } from "./level.js"

const children = "-children"

/** The words of countries that the settings take, as far as this page has a name for their source. */
export const countries = words => Object.keys(words.entries).filter(key => key.startsWith("source-")).map(key => key.slice("source-".length))

/** Whose limit a word stands for: `Germany`, or `France, where children come`. */
export function countryName(words, word) {
    const region = word.endsWith(children) ? word.slice(0, -children.length) : word
    const name = region.length === 2 ? new Intl.DisplayNames(words.language, { type: "region" }).of(region) : words.say("worldHealth")
    return word.endsWith(children) ? words.say("whereChildren", { country: name }) : name
}

/** What a country allows, with the source, in a sentence. */
export function lawOf(words, { word, level, minutes }) {
    const time = minutes >= 60 && minutes % 60 === 0 ? words.say("inHours", { count: minutes / 60 }) : words.say("inMinutes", { count: minutes })
    const source = words.entries[`source-${word}`]
    return words.say(source ? "countryLaw" : "countryLimit", { country: countryName(words, word), level, time, source })
}

export class Ears {
    #drawn = null

    constructor(words) {
        this.words = words
        this.root = element("div", { class: "ears" })
    }

    /** `hearing` of `status.house`; undefined where nothing is calibrated. */
    draw(hearing) {
        const drawn = JSON.stringify(hearing ?? null)
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        const { words } = this
        if (!hearing) return this.root.replaceChildren(element("p", { class: "quiet" }, words.say("noDose")))
        const { level, sessionDose, dayDose, equivalent, volume, rules } = hearing
        const tenth = value => tenths(words, value)
        const rows = [
            ["ears-level", level === undefined ? words.say("ears-silence") : `${tenth(level)} dBA`],
            ["ears-visitor", `${tenth(sessionDose)} %`, words.say("ears-ofVisitor", { share: rules.session })],
            ["ears-equivalent", equivalent === undefined ? "–" : `${tenth(equivalent)} dBA`, words.say("ears-overHours")],
            ["ears-calibration", `${tenth(rules.calibration)} dB`],
        ]
        this.root.replaceChildren(this.#dose(dayDose, tenth),
            element("p", { class: volume < 0 ? "hint" : "quiet" }, this.#guard(volume)),
            element("p", { class: "law" }, [words.say("dayLimit", { level: rules.limit }), ...rules.country ? [lawOf(words, rules.country)] : [words.say("noCountry")]].join(" ")),
            element("dl", { class: "facts" }, rows.map(([term, value, small]) => entry(words.say(term), value, small ?? null))))
    }

    #guard(volume) {
        if (volume <= -120) return this.words.say("guardSilent")
        return volume < 0 ? this.words.say("guardEases", { level: -volume }) : this.words.say("guardRests")
    }

    #dose(dose, tenth) {
        const text = this.words.say("dayDose", { dose: tenth(dose) })
        const fill = element("i", { class: "fill", "data-hot": String(dose >= 50) })
        fill.style.width = `${Math.min(100, dose)}%`
        const values = { "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(Math.min(100, dose)), "aria-valuetext": text }
        return element("div", { class: "dose" }, element("p", { class: "big" }, text),
            element("div", { class: "allowance", role: "meter", "aria-label": this.words.say("ears-today"), ...values }, fill, element("i", { class: "half" })))
    }
}
