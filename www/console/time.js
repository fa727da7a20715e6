// Moments, in the operator's language. Seconds since 1970-01-01 in UTC.

const units = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86_400]]

/** How long ago: `5 minutes ago`; a date after a week. */
export function ago(words, seconds, now = Date.now() / 1000) {
    const passed = Math.max(0, now - seconds)
    if (passed >= 7 * 86_400) return new Date(seconds * 1000).toLocaleDateString(words.language, { dateStyle: "medium" })
    const [unit, length] = units.findLast(([, length]) => passed >= length) ?? units[0]
    return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(-Math.floor(passed / length), unit)
}

export const moment = (words, seconds) => new Date(seconds * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" })

/** A time of day; with its date where that is another one than today's. */
export function shortMoment(words, seconds, now = new Date()) {
    const then = new Date(seconds * 1000)
    const isToday = then.toDateString() === now.toDateString()
    const withDate = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
    return then.toLocaleString(words.language, isToday ? { timeStyle: "short" } : withDate)
}

/** A time of day to the second, `offset` seconds ahead of UTC: at the place, and not where the page is. */
export const timeAt = (words, seconds, offset) => new Date((seconds + offset) * 1000).toLocaleTimeString(words.language, { timeStyle: "medium", timeZone: "UTC" })

/** A date and time of day to the minute, `offset` seconds ahead of UTC. Where the offset is not known (null), the browser's, with its zone. */
export function momentAt(words, seconds, offset) {
    if (offset === null) return new Date(seconds * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "long" })
    return new Date((seconds + offset) * 1000).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })
}

/** Its day there. */
export const dayAt = (words, seconds, offset) => new Date((seconds + offset) * 1000).toLocaleDateString(words.language, { dateStyle: "full", timeZone: "UTC" })
