// How long things take, what went wrong since the daemon began, and who is connected.

import { element } from "../kit/elements.js"
import { entry } from "./cards.js"

export class Figures {
    constructor(words) {
        this.words = words
        this.root = element("dl", { class: "facts" })
        this.clients = element("ul", { class: "people" })
    }

    draw({ output, sessions, session, uptimeSeconds }, discontinuities) {
        const { words } = this
        const milliseconds = value => `${words.number.format(Math.round(value * 10) / 10)} ms`
        const count = value => words.number.format(value)
        const rows = [
            ["touchToSound", milliseconds(output.latency.touchToSoundMilliseconds)],
            ["queued", milliseconds(output.latency.queuedMilliseconds)],
            ["underruns", count(output.underruns), output.underruns > 0],
            ["discontinuities", count(discontinuities), discontinuities > 0],
            ["lateEvents", count(output.lateEvents)], ["sessions", count(sessions)],
            ["sessionNow", session ? lasting(words, session.seconds) : "–"], ["uptime", lasting(words, uptimeSeconds)],
        ]
        this.root.replaceChildren(...rows.map(([key, value, isBad = false]) => {
            const row = entry(words.say(`figure-${key}`), value)
            row.dataset.bad = String(isBad)
            return row
        }))
    }

    /** `mine` is the number of this page. */
    drawClients(clients, mine) {
        const { words } = this
        this.clients.replaceChildren(...clients.map(({ client, name, role, isLocal, refused, lastRefusal }) => {
            const where = words.say(client === mine ? "thisPage" : isLocal ? "isHere" : "isElsewhere")
            const refusals = refused > 0 ? [words.say("wasRefused", { count: refused, why: lastRefusal ?? "" })] : []
            return element("li", {}, element("b", {}, name ?? words.say("client", { number: String(client) })),
                element("span", { class: "chip" }, words.say(`role-${role}`)), element("small", {}, [where, ...refusals].join(", ")))
        }))
    }
}

/** A length of time by its two largest units: 2 h 5 min. */
export function lasting(words, seconds) {
    const whole = Math.floor(seconds)
    const units = [
        [words.say("unit-days"), Math.floor(whole / 86_400)], ["h", Math.floor(whole / 3600) % 24], ["min", Math.floor(whole / 60) % 60],
        ["s", whole % 60],
    ]
    const first = units.findIndex(([, count]) => count > 0)
    if (first < 0) return "0 s"
    return units.slice(first, first + 2).map(([unit, count]) => `${words.number.format(count)} ${unit}`).join(" ")
}
