// The sessions that were recorded, newest first: found by piece and words, heard here, and saved. The engine renders a session while it is heard.

import { element } from "../kit/elements.js"
import { entry } from "./cards.js"
import { fileAt } from "./files.js"
import { moment } from "./time.js"

const most = 256, renewAfter = 30 * 60_000 // sessions that the engine tells of at once; milliseconds

/** `YYYY-MM-DDTHH-MM-SSZ` of a journal's path, without its folder and its ending. */
export const nameOf = journal => journal.slice(journal.lastIndexOf("/") + 1).replace(/\.jsonl$/, "")

/** Where recordings are; null where the page is from elsewhere than the engine, for then a browser does not play them. */
export function folderOf(address, location) {
    const { host, protocol } = new URL(address)
    return host === location.host ? `${protocol === "wss:" ? "https" : "http"}://${host}/sessions/` : null
}

/** A length as a clock shows it, `9:18` or `24:06:40`. */
export function clock(seconds) {
    const whole = Math.round(seconds)
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
    const two = number => String(number).padStart(2, "0")
    return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
}

/** Whether every word of `wanted` is somewhere in `texts`, in whatever case. */
export function matches(wanted, texts) {
    const all = texts.join(" ").toLocaleLowerCase()
    return wanted.toLocaleLowerCase().split(/\s+/).every(word => all.includes(word))
}

/** When a session began, in seconds since 1970-01-01 in UTC: by its journal's name, as the engine orders them; a journal that somebody has
 * named says it itself, and one that does not has the time of its file. */
export function beganAt({ journal, started, modified }) {
    const [, date, hour, minute, second] = nameOf(journal).match(/^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z/) ?? []
    return (Date.parse(date ? `${date}T${hour}:${minute}:${second}Z` : started ?? "") || modified * 1000) / 1000
}

/** Loads a sound that fails once more after `lend`, and goes on where it was: what was lent may be over. Calls `failed` if it fails again. */
export function tryTwice(audio, lend, failed) {
    let isTried = false
    audio.addEventListener("error", async () => {
        if (isTried) return failed()
        isTried = true
        const { currentTime, paused } = audio
        await lend()
        audio.load()
        audio.currentTime = currentTime
        if (!paused) await audio.play().catch(() => {})
    })
}

export class Sessions {
    #sessions = []
    #wanted = { words: "", piece: "" }
    #lent = -Infinity
    #isOld = false

    constructor(root, { engine, words, offer }) {
        Object.assign(this, { root, engine, words, offer })
        engine.on("session", () => { this.#isOld = true })
        // Another engine has lent nothing, and sessions may have ended meanwhile.
        engine.on("up", () => {
            this.#lent = -Infinity
            this.#isOld = true
        })
        this.size = new Intl.NumberFormat(words.language, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 })
    }

    async show(isAsked = true) {
        if (isAsked) this.#build()
        if (!this.root.isConnected) return
        if (performance.now() - this.#lent > renewAfter) await this.#lend()
        // What somebody listens to is not taken from under them.
        const isHeard = [...this.root.querySelectorAll("audio")].some(audio => !audio.paused)
        if (!isAsked && (!this.#isOld || isHeard)) return
        this.#isOld = false
        this.#sessions = (await this.engine.ask("session.list", { count: most })).sessions
        this.#draw()
    }

    get #folder() { return folderOf(this.engine.address, location) }

    /** Has the browser keep a pass as a cookie, because it sends no token with what an element asks for. */
    async #lend() {
        if (!this.#folder) return
        const headers = this.engine.token ? { Authorization: `Bearer ${this.engine.token}` } : {}
        const answer = await fetch(this.#folder, { headers, cache: "no-store" }).catch(() => null)
        if (answer?.ok) this.#lent = performance.now()
    }

    #build() {
        const { words } = this
        const find = element("input", { type: "search", id: "find", autocomplete: "off", placeholder: words.say("sessionsHint"), value: this.#wanted.words, oninput: () => {
            this.#wanted.words = find.value
            this.#draw()
        } })
        this.pieces = element("select", { "aria-label": words.say("whichPiece"), onchange: () => {
            this.#wanted.piece = this.pieces.value
            this.#draw()
        } })
        this.finding = element("div", { class: "finding", hidden: true }, element("label", { class: "unseen", for: "find" }, words.say("find")), find, this.pieces)
        this.count = element("p", { class: "quiet", role: "status" }, words.say("looking"))
        this.list = element("div", { class: "recorded" })
        this.root.replaceChildren(element("header", { class: "top" }, element("h1", {}, words.say("go-sessions")),
            this.finding, this.count), this.list)
    }

    #draw() {
        const { words } = this
        const pieces = [...new Set(this.#sessions.map(({ experience }) => experience).filter(Boolean))].sort()
        if (!pieces.includes(this.#wanted.piece)) this.#wanted.piece = ""
        this.pieces.hidden = pieces.length < 2
        this.pieces.replaceChildren(...["", ...pieces].map(piece => element("option", { value: piece, selected: piece === this.#wanted.piece }, piece || words.say("allPieces"))))
        this.finding.hidden = this.#sessions.length === 0
        const found = this.#sessions.filter(session => this.#isWanted(session))
        this.count.textContent = this.#sessions.length === 0 ? "" : words.say(this.#sessions.length === most ? "newestSessions" : "sessionCount", { count: found.length, of: this.#sessions.length })
        const opened = this.list.querySelector("details[open]")?.dataset.session
        this.list.replaceChildren(...found.length > 0 ? this.#days(found, opened) : [this.#nothing()])
    }

    #isWanted(session) {
        const { words, piece } = this.#wanted
        const texts = [session.experience ?? "", session.theme ?? "", nameOf(session.journal), this.#day(session), moment(this.words, beganAt(session))]
        return (!piece || session.experience === piece) && matches(words, texts)
    }

    #nothing() {
        const { words } = this
        if (this.#sessions.length > 0) return element("p", { class: "empty" }, words.say("noneFound"))
        return element("div", { class: "empty" }, element("h2", {}, words.say("noSessions")), element("p", {}, words.say("noSessionsText")))
    }

    /** In words: today, yesterday, or the date. */
    #day(session, now = new Date()) {
        const { words } = this
        const began = new Date(beganAt(session) * 1000)
        const days = Math.round((new Date(now.toDateString()) - new Date(began.toDateString())) / 86_400_000)
        if (days === 0 || days === 1) return new Intl.RelativeTimeFormat(words.language, { numeric: "auto" }).format(-days, "day")
        return began.toLocaleDateString(words.language, { weekday: "long", day: "numeric", month: "long", year: began.getFullYear() === now.getFullYear() ? undefined : "numeric" })
    }

    #days(found, opened) {
        const days = Map.groupBy(found, session => this.#day(session))
        return [...days].map(([day, sessions]) => element("section", { class: "day", "aria-label": day }, element("h2", {}, day),
            element("ul", {}, sessions.map(session => element("li", {}, this.#row(session, opened))))))
    }

    #row(session, opened) {
        const { words } = this
        const name = nameOf(session.journal)
        const time = new Date(beganAt(session) * 1000).toLocaleTimeString(words.language, { timeStyle: "short" })
        const state = session.isRunning ? "isRunning" : session.experience === undefined ? "isUnreadable" : session.end ? `ended-${session.end}` : "wasCut"
        const head = [element("b", { class: "figure" }, time), element("span", { class: "what" }, element("span", { class: session.experience ? "named" : "named raw" }, session.experience ?? name), element("small", {}, words.say(state))),
            element("span", { class: "figure" }, session.seconds === undefined || session.isRunning ? "" : clock(session.seconds))]
        if (session.isRunning || session.experience === undefined) return element("div", { class: "session still", "data-session": name }, head)
        const body = element("div", { class: "body" })
        const row = element("details", { class: "session", name: "session", "data-session": name, ontoggle: () => {
            // Only an opened session has a player: a page of players asks for much.
            if (!row.open) body.replaceChildren()
            else if (!body.hasChildNodes()) body.replaceChildren(...this.#body(session, name))
        } }, element("summary", {}, head), body)
        row.open = name === opened
        return row
    }

    #body(session, name) {
        const { words, engine } = this
        const figures = element("dl", { class: "figures" }, entry(words.say("began"), moment(words, beganAt(session))), entry(words.say("length"), clock(session.seconds)),
            entry(words.say("inTheme"), session.theme), entry(words.say("journalSize"), this.size.format(Math.ceil(session.bytes / 1000))))
        if (!this.#folder) return [figures]
        const address = ending => `${this.#folder}${encodeURIComponent(name)}.${ending}`
        const fault = element("p", { class: "fault", role: "status" })
        const audio = element("audio", { controls: true, preload: "none", src: address("wav"), "aria-label": words.say("soundOf", { name }), onplay: () => { fault.textContent = "" } })
        tryTwice(audio, () => this.#lend(), () => { fault.textContent = words.say("noSound") })
        const saveSound = element("a", { class: "do quiet", href: address("wav"), download: `${name}.wav`, "data-save": "wav" }, words.say("saveSound"))
        const saveJournal = element("button", { class: "do quiet", type: "button", "data-save": "jsonl", onclick: async () => {
            fault.textContent = ""
            try {
                // What is lent to the browser is for sounds alone.
                this.offer(await fileAt(address("jsonl"), engine), "application/jsonl", `${name}.jsonl`)
            } catch ({ message }) {
                fault.textContent = message
            }
        } }, words.say("saveJournal"))
        return [audio, fault, figures, element("div", { class: "steps" }, saveSound, engine.greeting.role === "operator" ? saveJournal : null)].filter(Boolean)
    }
}
