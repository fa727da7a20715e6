// The sessions that were recorded, newest first: found by piece and words, heard here, and saved. The engine renders a session while it is heard.

import { element } from "../kit/elements.js"
import { asksTwice, attempt, Outcome } from "./act.js"
import { entry, recallButton } from "./cards.js"
import { picture } from "./course.js"
import { fileAt } from "./files.js"
import { summary } from "./journal.js"
import { Pass, tryTwice } from "./sounds.js"
import { dayInWords, dayOf, hour, moment } from "./time.js"

const most = 256, readable = 8e6, shown = 200 // sessions that the engine tells of at once; bytes of a journal that is read here; marks

/** `YYYY-MM-DDTHH-MM-SSZ` of a journal's path, without its folder and its ending. */
export const nameOf = journal => journal.slice(journal.lastIndexOf("/") + 1).replace(/\.jsonl$/, "")

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

/** The marks and what went wrong of a session's `summary`, by when they were: the first 200, and how many are `left`. */
export function momentsOf({ marks, faults }) {
    const all = [...marks.map(({ at, text }) => ({ at, text })), ...faults.map(({ at, kind }) => ({ at, kind }))].sort((a, b) => a.at - b.at)
    return { moments: all.slice(0, shown), left: Math.max(0, all.length - shown) }
}

export class Sessions {
    #sessions = []
    #wanted = { words: "", piece: "", day: "" }
    #isOld = false

    constructor(root, { engine, words, offer, recall }) {
        Object.assign(this, { root, engine, words, offer, recall })
        this.pass = new Pass(engine)
        engine.on("session", () => { this.#isOld = true })
        // Another engine has lent nothing, and sessions may have ended meanwhile.
        engine.on("up", () => {
            this.pass.forget()
            this.#isOld = true
        })
        this.size = new Intl.NumberFormat(words.language, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 })
    }

    async show(isAsked = true) {
        if (isAsked) this.#build()
        if (!this.root.isConnected) return
        await this.pass.renew()
        // What somebody listens to is not taken from under them.
        const isHeard = [...this.root.querySelectorAll("audio")].some(audio => !audio.paused)
        if (!isAsked && (!this.#isOld || isHeard)) return
        this.#isOld = false
        const { sessions, removed = [] } = await this.engine.ask("session.list", { count: most })
        this.#sessions = sessions
        this.#drawRemoved(removed)
        this.#draw()
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
        const day = element("input", { type: "date", "aria-label": words.say("onDay"), value: this.#wanted.day, onchange: () => {
            this.#wanted.day = day.value
            this.#draw()
        } })
        this.finding = element("div", { class: "finding", hidden: true }, element("label", { class: "unseen", for: "find" }, words.say("find")), find, day, this.pieces)
        this.count = element("p", { class: "quiet", role: "status" }, words.say("looking"))
        this.list = element("div", { class: "recorded" })
        this.removed = element("section", { class: "removed", hidden: true })
        this.root.replaceChildren(element("header", { class: "top" }, element("h1", {}, words.say("go-sessions")),
            this.finding, this.count), this.list, this.removed)
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

    /** Who has removed what since the engine began, for operators. */
    #drawRemoved(removed) {
        const { words } = this
        this.removed.hidden = removed.length === 0
        this.removed.replaceChildren(element("h2", {}, words.say("removedSessions")), element("ul", {}, removed.map(({ session, by, at }) =>
            element("li", {}, element("code", {}, session), " ", element("small", { class: "quiet" }, words.say("removedBy", { by, time: moment(words, at) }))))))
    }

    #isWanted(session) {
        const { words, piece, day } = this.#wanted
        const texts = [session.experience ?? "", session.theme ?? "", nameOf(session.journal), dayInWords(this.words, beganAt(session)), moment(this.words, beganAt(session))]
        return (!piece || session.experience === piece) && (!day || day === dayOf(this.words, beganAt(session))) && matches(words, texts)
    }

    #nothing() {
        const { words } = this
        if (this.#sessions.length > 0) return element("p", { class: "empty" }, words.say("noneFound"))
        return element("div", { class: "empty" }, element("h2", {}, words.say("noSessions")), element("p", {}, words.say("noSessionsText")))
    }

    #days(found, opened) {
        const days = Map.groupBy(found, session => dayInWords(this.words, beganAt(session)))
        return [...days].map(([day, sessions]) => element("section", { class: "day", "aria-label": day }, element("h2", {}, day),
            element("ul", {}, sessions.map(session => element("li", {}, this.#row(session, opened))))))
    }

    #row(session, opened) {
        const { words } = this
        const name = nameOf(session.journal)
        const time = hour(words, beganAt(session))
        const state = session.isRunning ? "isRunning" : session.experience === undefined ? "isUnreadable" : session.end ? `ended-${session.end}` : "wasCut"
        const head = [element("b", { class: "figure" }, time), element("span", { class: "what" }, element("span", { class: session.experience ? "named" : "named raw" }, session.experience ?? name), element("small", {}, words.say(state))),
            element("span", { class: "figure" }, session.seconds === undefined || session.isRunning ? "" : clock(session.seconds))]
        // One that cannot be read has nothing to open but what deletes it.
        if (session.isRunning || session.experience === undefined && !this.#mayRemove) return element("div", { class: "session still", "data-session": name }, head)
        const body = element("div", { class: "body" })
        const row = element("details", { class: "session", name: "session", "data-session": name, ontoggle: () => {
            // Only an opened session has a player: a page of players asks for much.
            if (!row.open) body.replaceChildren()
            else if (!body.hasChildNodes()) body.replaceChildren(...this.#body(session, name))
        } }, element("summary", {}, head), body)
        row.open = name === opened
        return row
    }

    get #mayRemove() { return this.engine.greeting.role === "operator" }

    #body(session, name) {
        const { words, engine } = this
        const size = entry(words.say("journalSize"), this.size.format(Math.ceil(session.bytes / 1000)))
        if (session.experience === undefined) return [element("dl", { class: "figures" }, size), this.#removal(name)]
        const figures = element("dl", { class: "figures" }, entry(words.say("began"), moment(words, beganAt(session))), entry(words.say("length"), clock(session.seconds)),
            entry(words.say("inTheme"), session.theme), size)
        if (!this.pass.folder) return [figures]
        const address = ending => this.pass.address(name, ending)
        const fault = element("p", { class: "fault", role: "status" })
        const audio = element("audio", { controls: true, preload: "none", src: address("wav"), "aria-label": words.say("soundOf", { name }), onplay: () => { fault.textContent = "" } })
        tryTwice(audio, () => this.pass.lend(), () => { fault.textContent = words.say("noSound") })
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
        const isOperator = this.#mayRemove
        const removal = isOperator ? this.#removal(name) : null
        const inside = isOperator ? element("div", { class: "inside" }) : null
        if (inside) this.#look(session, name, inside, figures).catch(({ message }) => inside.replaceChildren(element("p", { class: "fault", role: "status" }, message)))
        return [audio, fault, inside, figures, element("div", { class: "steps" }, saveSound, isOperator ? saveJournal : null), removal].filter(Boolean)
    }

    /** Removes the session for good, at the second press. Where rows of it may not have been sent, that is said, and asked once more. */
    #removal(name) {
        const { words } = this
        const outcome = new Outcome()
        const holder = element("div", { class: "steps", "data-do": "remove" })
        const remove = params => async () => {
            if (!await attempt(this, outcome, "session.remove", { session: name, ...params })) {
                if (!outcome.root.textContent.startsWith("force:")) return
                outcome.say(words.say("removeUnsent"), "bad")
                return holder.replaceChildren(asksTwice(words, words.say("removeAllTheSame"), words.say("removeSure"), remove({ force: true })))
            }
            this.#sessions = this.#sessions.filter(({ journal }) => nameOf(journal) !== name)
            // The engine says who did it.
            this.#isOld = true
            this.#draw()
        }
        holder.append(asksTwice(words, words.say("removeSession"), words.say("removeSure"), remove({})))
        return element("div", { class: "removal" }, holder, outcome.root)
    }

    /** What the journal tells of the session: a picture of it, figures, and each mark and each moment that went wrong, with what was before. */
    async #look(session, name, inside, figures) {
        const { words } = this
        if (session.bytes > readable) return inside.replaceChildren(element("p", { class: "quiet" }, words.say("journalTooLong", { size: this.size.format(Math.ceil(session.bytes / 1000)) })))
        const found = summary(await (await fileAt(this.pass.address(name, "jsonl"), this.engine)).text())
        if (!found.rate || !inside.isConnected) return
        const count = number => words.number.format(number)
        const chimes = [...found.chimes].sort(([a], [b]) => a < b ? -1 : 1).map(([chime, times]) => `${chime} × ${count(times)}`)
        figures.append(entry(words.say("visits"), count(found.visits)), entry(words.say("deeds"), count(found.deeds)),
            ...chimes.length > 0 ? [entry(words.say("chimesPlayed"), chimes.join(", "))] : [], entry(words.say("wentWrong"), count(found.faults.length)))
        const { moments, left } = momentsOf(found)
        const rows = moments.map(({ at, text, kind }) => {
            const title = kind === undefined ? text : words.say(`fault-${kind}`)
            return element("li", { "data-wrong": String(kind !== undefined) },
                element("span", { class: "figure" }, clock(at)), element("span", {}, title), recallButton(words, this.recall, { title, name, at }))
        })
        if (left > 0) rows.push(element("li", {}, element("span"), element("span", { class: "quiet" }, words.say("momentsLeft", { count: left }))))
        const seen = picture({ ...found, from: 0, to: Math.max(1, session.seconds) }, words.say("pictureOf", { length: clock(session.seconds), count: found.deeds }))
        inside.replaceChildren(seen, ...rows.length > 0 ? [element("ol", { class: "moments", "aria-label": words.say("moments") }, rows)] : [])
    }
}
