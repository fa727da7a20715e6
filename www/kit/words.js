// Words in the visitor's language, from a file for each: `lang/en.json`.

/** The first of `wanted` that there is; the first there is when none of them is. */
export function choose(wanted, available) {
    for (const wish of wanted) {
        const language = wish.toLowerCase().split("-")[0]
        if (available.includes(language)) return language
    }
    return available[0]
}

export class Words {
    constructor(language, entries) {
        this.language = language
        this.entries = entries
        this.plural = new Intl.PluralRules(language)
        this.number = new Intl.NumberFormat(language)
        this.isOfTwelve = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions().hour12
        this.clockFace = new Intl.DateTimeFormat(language, { hour: this.isOfTwelve ? "numeric" : "2-digit", minute: "2-digit", timeZone: "UTC" })
    }

    /** In the language of `?lang=`, or the browser's. */
    static async load(folder, available, location = globalThis.location, navigator = globalThis.navigator) {
        const wish = new URLSearchParams(location.search).get("lang")
        const language = choose(wish ? [wish] : navigator.languages, available)
        const answer = await fetch(new URL(`${language}.json`, folder))
        return new Words(language, await answer.json())
    }

    /** `{name}` stands for a value. An entry with `one` and `other` goes by `count`. */
    say(key, values = {}) {
        const entry = this.entries[key]
        if (entry === undefined) throw new Error(`no words for ${key}`)
        const text = typeof entry === "string" ? entry : entry[this.plural.select(values.count)] ?? entry.other
        return text.replace(/\{(\w+)\}/g, (_, name) => typeof values[name] === "number" ? this.number.format(values[name]) : values[name])
    }

    /** A time of day, `HH:MM` as the engine tells it, as it is written in this language: 3:26 PM in English, 15:26 in German. */
    clock(time) {
        const [hour, minute] = time.split(":").map(Number)
        // A day ends at 24:00, where there is such an hour.
        if (hour === 24 && !this.isOfTwelve) return time
        return this.clockFace.format(Date.UTC(2000, 0, 1, hour, minute)).replaceAll("\u202f", " ")
    }

    /** Fills every element below `root` that has `data-words`, and every `data-label` as what it is called for who cannot see it. */
    fill(root) {
        for (const element of root.querySelectorAll("[data-words]")) element.textContent = this.say(element.dataset.words)
        for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", this.say(element.dataset.label))
    }
}
