// Moments, in the operator's language and the place's time. Seconds since 1970-01-01 in UTC. `words.timeZone` is the place's; undefined is the
// browser's own.

const units = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86_400]]

/** The place's time zone for `Intl`, as the engine's greeting tells it: by its name, or where the browser knows no such name, by how far it is
 * ahead of UTC now. */
export function zoneOf({ timeZone, utcOffset }) {
    const isKnown = zone => { try { return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone })) } catch { return false } }
    const two = number => String(number).padStart(2, "0")
    const [hours, minutes] = [Math.floor(Math.abs(utcOffset) / 3600), Math.floor(Math.abs(utcOffset) / 60) % 60]
    // Zones of whole hours have names, whose sign is the other way round; others need a browser that knows offsets.
    const fixed = minutes === 0 ? `Etc/GMT${utcOffset < 0 ? "+" : "-"}${hours}` : `${utcOffset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`
    return [timeZone, fixed].find(zone => zone && isKnown(zone))
}

const asDate = seconds => new Date(seconds * 1000)

/** The day of a moment at the place, as a field for a date has it: `2026-01-31`. */
export function dayOf({ timeZone }, seconds) {
    const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(asDate(seconds))
    return ["year", "month", "day"].map(name => parts.find(({ type }) => type === name).value).join("-")
}

/** How long ago: `5 minutes ago`; a date after a week. */
export function ago(words, seconds, now = Date.now() / 1000) {
    const passed = Math.max(0, now - seconds)
    if (passed >= 7 * 86_400) return asDate(seconds).toLocaleDateString(words.language, { dateStyle: "medium", timeZone: words.timeZone })
    const [unit, length] = units.findLast(([, length]) => passed >= length) ?? units[0]
    return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(-Math.floor(passed / length), unit)
}

export const moment = (words, seconds) => asDate(seconds).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short", timeZone: words.timeZone })

/** A time of day. */
export const hour = (words, seconds) => asDate(seconds).toLocaleTimeString(words.language, { timeStyle: "short", timeZone: words.timeZone })

/** A time of day; with its date where that is another one than today's. */
export function shortMoment(words, seconds, now = Date.now() / 1000) {
    if (dayOf(words, seconds) === dayOf(words, now)) return hour(words, seconds)
    return asDate(seconds).toLocaleString(words.language, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: words.timeZone })
}

/** A day in words: today, yesterday, or the date, with its year where that is another one than now. */
export function dayInWords(words, seconds, now = Date.now() / 1000) {
    const [day, today] = [dayOf(words, seconds), dayOf(words, now)]
    const days = (Date.parse(today) - Date.parse(day)) / 86_400_000
    if (days === 0 || days === 1) return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(-days, "day")
    const year = day.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric"
    return asDate(seconds).toLocaleDateString(words.language, { weekday: "long", day: "numeric", month: "long", year, timeZone: words.timeZone })
}

/** A time of day to the second, `offset` seconds ahead of UTC: at the place, and not where the page is. */
export const timeAt = (words, seconds, offset) => asDate(seconds + offset).toLocaleTimeString(words.language, { timeStyle: "medium", timeZone: "UTC" })

/** Its day there. */
export const dayAt = (words, seconds, offset) => asDate(seconds + offset).toLocaleDateString(words.language, { dateStyle: "full", timeZone: "UTC" })
