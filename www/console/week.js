// The week's hours, drawn: a row for each day at the place, its hours from left to right, and the present moment.

import { element } from "../kit/elements.js"

const ticks = [0, 6, 12, 18, 24], standard = "normal"

/** What `schedule.week` tells, by its days: each with the parts of it that a span takes, `from` and `to` in 0 to 1 of the day. */
export function rowsOf({ days, spans }) {
    return days.map(({ start, utcOffset, isException }, index) => {
        const until = days[index + 1]?.start ?? spans.at(-1)?.until ?? start
        const pieces = spans.filter(span => span.start < until && span.until > start).map(span => ({
            span, from: Math.max(0, (span.start - start) / (until - start)), to: Math.min(1, (span.until - start) / (until - start)),
        }))
        return { start, until, utcOffset, isException, pieces }
    })
}

/** The span that is on at `now`, and the first one after it that has another preset, which may be the first change after the seven days; null
 * where there is none. A preset that was chosen by hand ends where the next span begins, whatever that one has. */
export function onAt({ spans, after = null }, now, isByHand = false) {
    const index = spans.findIndex(({ start, until }) => start <= now && now < until)
    const span = spans[index] ?? null
    return { span, next: span && (spans.slice(index + 1).find(({ preset }) => isByHand || preset !== span.preset) ?? after) }
}

/** Local `HH:MM` of a moment, `offset` seconds ahead of UTC. */
export const hourAt = (seconds, offset) => new Date((seconds + offset) * 1000).toISOString().slice(11, 16)

const yearAt = (seconds, offset) => new Date((seconds + offset) * 1000).getUTCFullYear()

/** Which shade each preset has: none where nothing is heard, the first for `normal`, then by when they come. */
export function shadesOf({ spans }) {
    const heard = [...new Set(spans.filter(({ isOpen }) => isOpen).map(({ preset }) => preset))]
    const isStandard = preset => Number(preset === standard)
    const sorted = heard.toSorted((one, other) => isStandard(other) - isStandard(one))
    const hasStandard = heard.includes(standard)
    return new Map(sorted.map((preset, index) => [preset, index + (hasStandard ? 0 : 1)]))
}

export class Week {
    #drawn = null
    #spans = []

    constructor(words) {
        this.words = words
        this.line = element("p", { class: "onNow" })
        this.days = element("ol", { class: "week" })
        this.legend = element("ul", { class: "legend" })
        this.list = element("ul", { class: "inWords" })
        const inWords = element("details", {}, element("summary", {}, words.say("weekInWords")), this.list)
        this.root = element("div", { class: "weekly" }, this.line, this.days, this.legend, inWords)
    }

    /** `week` of `schedule.week`, and `house` of `status`. */
    draw(week, house, now = Date.now() / 1000) {
        this.#place(week, now)
        const drawn = JSON.stringify([week, house.preset, house.isByHand, house.isOpen])
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        const { words } = this
        const shades = shadesOf(week)
        this.line.textContent = this.#onNow(week, house, now)
        const rows = rowsOf(week)
        this.days.replaceChildren(...rows.map(row => this.#row(row, shades)), ...rows.length > 0 ? [this.#scale()] : [])
        this.list.replaceChildren(...rows.map(row => element("li", {}, element("b", {}, this.#named(row)),
            element("span", {}, row.pieces.map(piece => this.#piece(row, piece)).join("; ")))))
        const kinds = new Map(week.spans.map(({ preset, isOpen }) => [preset, isOpen]))
        this.legend.replaceChildren(...[...kinds].map(([preset, isOpen]) =>
            element("li", {}, element("i", { "data-shade": isOpen ? shades.get(preset) : "closed", "aria-hidden": "true" }),
                isOpen ? preset : words.say("presetClosed", { preset }))),
            ...rows.some(({ isException }) => isException) ? [element("li", { class: "exception" }, words.say("exceptionMark"))] : [])
        this.#place(week, now)
    }

    #onNow(week, { preset, isByHand, isOpen }, now) {
        const { words } = this
        if (week.days.length === 0) return words.say("weekNoClock")
        const { next } = onAt(week, now, isByHand)
        const moment = next && `${this.#day(next, { weekday: "long", day: "numeric", month: "long", ...yearAt(next.start, next.utcOffset) !== yearAt(now, next.utcOffset) && { year: "numeric" } })}, ${words.clock(hourAt(next.start, next.utcOffset))}`
        const key = isByHand ? "onByHand" : isOpen ? "onNow" : "onClosed"
        const then = next ? words.say(next.isOpen ? "thenOpen" : "thenClosed", { moment, preset: next.preset }) : words.say("thenNothing")
        return `${words.say(key, { preset })} ${then}`
    }

    #day({ start, utcOffset }, parts) {
        return new Date((start + utcOffset) * 1000).toLocaleDateString(this.words.language, { ...parts, timeZone: "UTC" })
    }

    /** A day by its weekday and its date, and that it is an exception where it is one. */
    #named(row) {
        const day = this.#day(row, { weekday: "long", day: "numeric", month: "long" })
        return row.isException ? this.words.say("exceptionDay", { day }) : day
    }

    /** A piece in words: its times on this day, its preset, and whether the house is closed. */
    #piece({ start, until }, { span }) {
        const { words } = this
        const from = span.start <= start ? words.clock("00:00") : words.clock(hourAt(span.start, span.utcOffset))
        const to = span.until >= until ? words.clock("24:00") : words.clock(this.#end(span))
        return `${from}–${to} ${span.isOpen ? span.preset : words.say("presetClosed", { preset: span.preset })}`
    }

    /** A span ends where the next one begins, at that one's local time. */
    #end(span) {
        const next = this.#spans.find(({ start }) => start === span.until)
        return hourAt(span.until, (next ?? span).utcOffset)
    }

    #row(row, shades) {
        const pieces = row.pieces.map(({ from, to, span }) => {
            const piece = element("i", { class: "piece", "data-date": span.date ?? null, "data-shade": span.isOpen ? shades.get(span.preset) : "closed" }, element("span", {}, span.preset))
            piece.style.left = `${from * 100}%`
            piece.style.width = `${(to - from) * 100}%`
            return piece
        })
        const text = `${this.#named(row)}: ${row.pieces.map(piece => this.#piece(row, piece)).join("; ")}`
        const label = element("b", { "aria-hidden": "true", class: row.isException ? "exception" : null }, this.#day(row, { weekday: "short" }),
            element("small", {}, this.#day(row, { day: "numeric", month: "short" })))
        return element("li", {}, label,
            element("div", { class: "hours", role: "img", "aria-label": text }, pieces))
    }

    #scale() {
        return element("li", { class: "ticks", "aria-hidden": "true" }, element("b"), element("div", {}, ticks.map(hour => {
            const tick = element("span", {}, String(hour))
            tick.style.left = `${hour / 24 * 100}%`
            return tick
        })))
    }

    /** The present moment, as a line through its day. */
    #place(week, now) {
        this.#spans = week.spans
        const index = rowsOf(week).findIndex(({ start, until }) => start <= now && now < until)
        const row = rowsOf(week)[index]
        this.mark ??= element("i", { class: "moment" })
        const hours = this.days.querySelectorAll(".hours")[index]
        if (!hours) return this.mark.remove()
        if (this.mark.parentElement !== hours) hours.append(this.mark)
        this.mark.style.left = `${(now - row.start) / (row.until - row.start) * 100}%`
    }
}
