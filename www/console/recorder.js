// The flight recorder: what happened, what was logged and what sounded in the 30 s before something went wrong.

import { element } from "../kit/elements.js"
import { picture } from "./course.js"
import { Lines } from "./happenings.js"
import { bytesAt, rateOf, stretch } from "./journal.js"
import { LogBook, lineInLog } from "./log.js"
import { beganAt, clock, nameOf } from "./sessions.js"
import { Pass, tryTwice } from "./sounds.js"
import { moment } from "./time.js"

const before = 30, after = 2, margin = 0.1, again = 2000 // seconds, but for the last, milliseconds
const beginning = 1 << 16 // bytes

/** The session to hear for a moment, in seconds since 1970: the one that went on then, or had ended less than 30 s before; null for none. */
export function sessionAt(sessions, time) {
    const held = sessions.filter(session => {
        const began = beganAt(session)
        return began <= time && (session.isRunning || time <= began + (session.seconds ?? 0) + before)
    })
    return held.sort((a, b) => beganAt(a) - beganAt(b)).at(-1) ?? null
}

/** What is said where `lines` of the log, the oldest first, have none of the 30 s before `time`. */
export const unlogged = (lines, time) => lines.length > 0 && lines[0].time <= time - before ? "recall-unlogged" : "recall-unreached"

/** The whole seconds up to which a session that goes on can be heard: what follows its last event is not known yet. */
export const heardUntil = ({ seconds = 0 }, at) => Math.max(0, Math.floor(Math.min(at + after, seconds - margin)))

/** An event's line and the cues that are heard at once, each as something that happened. */
export function told(line, words) {
    if (line.discontinuity) return [{ event: words.say(`fault-${line.discontinuity}`) }]
    if (line.end) return [{ event: words.say(`ended-${line.end}`) }]
    const { cues = [], ...event } = line
    return [event, ...cues.filter(({ cue }) => ["chime", "texture", "stop"].includes(cue) && cue !== event.event)]
}

export class Recorder {
    #asked = 0
    #timer = null

    constructor({ engine, words }) {
        Object.assign(this, { engine, words })
        this.pass = new Pass(engine)
        engine.on("up", () => this.pass.forget())
        this.seconds = new Intl.NumberFormat(words.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
        this.title = element("h2", { id: "recall-title" })
        this.when = element("p", { class: "quiet" })
        const close = element("button", { type: "button", class: "do quiet small", "data-do": "close", onclick: () => this.dialog.close() }, words.say("close"))
        const part = name => {
            const body = element("div", { class: "part" })
            return [body, element("section", { class: `card ${name}`, "aria-label": words.say(`recall-${name}`) },
                element("h3", {}, words.say(`recall-${name}`)), body)]
        }
        const [[sound, soundCard], [events, eventCard], [log, logCard]] = ["sound", "events", "log"].map(part)
        Object.assign(this, { sound, events, log, cards: { eventCard, logCard } })
        this.dialog = element("dialog", { class: "recall", "aria-labelledby": "recall-title", onclose: () => this.#leave() },
            element("header", {}, element("div", {}, this.title, this.when), close),
            element("div", { class: "parts" }, soundCard, eventCard, logCard))
        document.body.append(this.dialog)
    }

    /** Shows what was before `time`, in seconds since 1970, or `at`, in seconds since the start of the session `name`. `title` is what
     * went wrong. */
    async open(wish) {
        const asked = this.#begin()
        const { words } = this
        this.title.textContent = wish.title
        this.when.textContent = ""
        const isOperator = this.engine.greeting.role === "operator"
        for (const card of Object.values(this.cards)) card.hidden = !isOperator
        for (const part of [this.sound, this.events, this.log]) part.replaceChildren(this.#quiet(words.say("looking")))
        if (!this.dialog.open) this.dialog.showModal()
        this.dialog.scrollTop = 0
        const place = await this.#find(wish).catch(({ message }) => ({ fault: message }))
        if (asked !== this.#asked) return
        if (place.fault) return [this.sound, this.events, this.log].forEach(part => part.replaceChildren(this.#fault(place.fault)))
        const { session, time, at } = place
        this.when.textContent = session ? words.say("recall-when", { time: moment(words, time), at: clock(Math.max(0, at)) }) : moment(words, time)
        await Promise.all([this.#hear(place, asked), ...isOperator ? [this.#look(place, asked), this.#read(time, asked)] : []])
    }

    #begin() {
        clearInterval(this.#timer)
        return ++this.#asked
    }

    #leave() {
        this.#begin()
        for (const part of [this.sound, this.events, this.log]) part.replaceChildren()
    }

    #quiet(text) { return element("p", { class: "quiet" }, text) }

    #fault(text) { return element("p", { class: "fault", role: "status" }, text) }

    async #find({ time, frame, name, at }) {
        const { sessions } = await this.engine.ask("session.list", { count: 256 })
        if (name !== undefined) {
            const session = sessions.find(session => nameOf(session.journal) === name)
            if (!session) return { fault: this.words.say("recall-gone") }
            return { session, at, time: beganAt(session) + at }
        }
        const session = sessionAt(sessions, time)
        if (!session) return { session, time }
        // A discontinuity says its frame, and was noticed a little later.
        const exact = frame === undefined ? NaN : frame / this.engine.greeting.sampleRate
        return { session, time, at: Number.isFinite(exact) ? exact : Math.max(0, time - beganAt(session)) }
    }

    async #hear({ session, at }, asked) {
        const { words } = this
        if (!session) return this.sound.replaceChildren(this.#quiet(words.say("recall-nobody")))
        if (!this.pass.folder) return this.sound.replaceChildren(this.#quiet(words.say("recall-elsewhere")))
        const start = Math.max(0, Math.min(at, session.seconds ?? at) - before)
        const until = session.isRunning ? heardUntil(session, at) : null
        if (until !== null && until <= start) {
            this.sound.replaceChildren(this.#quiet(words.say("recall-running")))
            this.#timer = setInterval(() => this.#lookAgain(session, at, asked), again)
            return
        }
        await this.pass.renew()
        if (asked !== this.#asked) return
        const fault = this.#fault("")
        const name = nameOf(session.journal)
        const audio = element("audio", { controls: true, preload: "none", src: `${this.pass.address(name, "wav")}${until === null ? "" : `?until=${until}`}#t=${start.toFixed(2)}`,
            "aria-label": words.say("soundOf", { name }), onplay: () => { fault.textContent = "" } })
        tryTwice(audio, () => this.pass.lend(), () => { fault.textContent = words.say("noSound") })
        this.sound.replaceChildren(audio, this.#quiet(words.say(until === null ? "recall-from" : "recall-until", { from: clock(start), at: clock(at), until: clock(until ?? 0) })), fault)
    }

    /** The sound of a session is there when something more has happened, or it has ended. */
    async #lookAgain(session, at, asked) {
        const { sessions } = await this.engine.ask("session.list", { count: 8 }).catch(() => ({ sessions: [] }))
        const now = sessions.find(({ journal }) => journal === session.journal)
        if (asked !== this.#asked || !now || now.isRunning && heardUntil(now, at) <= Math.max(0, at - before)) return
        clearInterval(this.#timer)
        await this.#hear({ session: now, at }, asked)
    }

    async #look({ session, at }, asked) {
        const { words } = this
        if (!session || !this.pass.folder) return this.events.replaceChildren(this.#quiet(words.say(session ? "recall-elsewhere" : "recall-nobody")))
        try {
            const address = this.pass.address(nameOf(session.journal), "jsonl")
            const read = (from, to) => bytesAt(address, this.engine, from, to)
            const rate = rateOf(await read(0, Math.min(session.bytes, beginning))) ?? this.engine.greeting.sampleRate
            const from = Math.max(0, at - before), to = at + after
            const lines = await stretch(read, session.bytes, Math.floor(from * rate), Math.ceil(to * rate))
            if (asked === this.#asked) this.#drawEvents(lines, { rate, from, to, at })
        } catch ({ message }) {
            if (asked === this.#asked) this.events.replaceChildren(this.#fault(message))
        }
    }

    #drawEvents(lines, { rate, from, to, at }) {
        const { words } = this
        if (lines.length === 0) return this.events.replaceChildren(this.#quiet(words.say("recall-nothing")))
        const rows = new Lines()
        // A gap is told when it begins, and once more with its length.
        const isOver = ({ discontinuity, frame, frames }) => discontinuity === "gap" && frames === undefined
            && lines.some(line => line.discontinuity === "gap" && line.frame === frame && line.frames !== undefined)
        for (const line of lines.filter(line => !isOver(line))) for (const happened of told(line, words)) rows.add(happened, line.frame / rate)
        const deeds = lines.filter(({ event, client }) => event && client).length
        const shown = rows.newest.map(({ name, text, moment, count }) => element("li", {}, element("time", {}, this.#beside(moment - at)),
            element("b", {}, name), element("span", {}, text), count > 1 ? element("small", {}, `×${count}`) : null))
        this.events.replaceChildren(picture({ lines, rate, from, to, faults: [{ at }] }, words.say("recall-picture", { count: deeds })),
            element("ol", { class: "lines" }, shown))
    }

    /** How long before what went wrong: `−12.3 s`. */
    #beside(seconds) { return `${seconds < -0.05 ? "−" : "+"}${this.seconds.format(Math.abs(seconds))} s` }

    async #read(time, asked) {
        const { words } = this
        try {
            const book = new LogBook()
            await book.read(this.engine)
            if (asked !== this.#asked) return
            const lines = book.lines.filter(line => line.time >= time - before && line.time <= time + after)
            this.log.replaceChildren(lines.length === 0 ? this.#quiet(words.say(unlogged(book.lines, time)))
                : element("ol", { class: "log" }, lines.toReversed().map(line => lineInLog(words, line, book.offset))))
        } catch ({ message }) {
            if (asked === this.#asked) this.log.replaceChildren(this.#fault(message))
        }
    }
}
