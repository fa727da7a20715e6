// The last things that happened, the newest first. What repeats counts on one line.

import { element } from "../kit/elements.js"

const most = 50
const own = new Set(["number", "frame", "due", "event", "cue", "client", "fade", "glide", "id", "x", "y", "phase", "time", "utcOffset", "sum", "signature", "margin"])
// A line of these is replaced by the next one of its kind, because a finger makes 60 of them a second.
const flowing = new Set(["tone.pitch", "tone.level", "volume", "touch", "tick"])

/** A notification in words: what it is, and its own fields that fit a line. */
export function describe(notification) {
    const name = notification.cue ?? notification.event
    const rest = Object.entries(notification).filter(([key, value]) => !own.has(key) && typeof value !== "object")
    const say = (key, value) => {
        if (key === "name") return value
        if (typeof value === "boolean") return value ? "on" : "off"
        return `${key} ${typeof value === "number" ? Number(value.toFixed(2)) : value}`
    }
    const phase = name === "touch" && notification.phase !== "moved" ? [notification.phase] : []
    return { name, text: [...phase, ...rest.map(([key, value]) => say(key, value))].join(" · "), client: notification.client }
}

/** Lines with their counts, at most 50, without a page. */
export class Lines {
    newest = []

    add(notification, moment) {
        const line = { ...describe(notification), moment, count: 1 }
        const last = this.newest[0]
        const isSame = last && last.name === line.name && last.client === line.client && (flowing.has(line.name) || last.text === line.text)
        if (isSame) line.count += last.count
        this.newest = [line, ...isSame ? this.newest.slice(1) : this.newest].slice(0, most)
    }
}

/** A list of them on the page. It is drawn once a frame at most. */
export class Happenings {
    #lines = new Lines()
    #isAwaited = false

    constructor(words, label) {
        this.clock = new Intl.DateTimeFormat(words.language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false })
        this.list = element("ol", { class: "lines" })
        this.empty = element("p", { class: "quiet" }, words.say("nothingYet"))
        this.root = element("div", { class: "happenings", tabindex: "0", role: "region", "aria-label": label }, this.empty, this.list)
    }

    add(notification) {
        this.#lines.add(notification, new Date())
        if (this.#isAwaited) return
        this.#isAwaited = true
        requestAnimationFrame(() => this.#draw())
    }

    #draw() {
        this.#isAwaited = false
        this.empty.hidden = true
        this.list.replaceChildren(...this.#lines.newest.map(({ name, text, moment, count }) => element("li", {},
            element("time", {}, this.clock.format(moment)), element("b", {}, name), element("span", {}, text),
            count > 1 ? element("small", {}, `×${count}`) : null)))
    }
}
