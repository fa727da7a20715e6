// The engine's log: its newest thousand lines, by how severe they are and by what stands in them.

import { element } from "../kit/elements.js"
import { Outcome } from "./act.js"
import { recallButton } from "./cards.js"
import { fileAt } from "./files.js"
import { icon } from "./icons.js"
import { dayAt, timeAt } from "./time.js"

export const levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]
const kept = 1000, part = 200 // lines

/** The lines that there are, the oldest first, without a page. */
export class LogBook {
    lines = []
    #offset = 0
    /** The first time it reads, the part before this number is next; undefined once all that there was has been read. */
    #before = Infinity

    /** How many seconds local time is ahead of UTC where the engine is. */
    get offset() { return this.#offset }

    /** Reads what has been logged since the last time. The first time it reads all that there is, the newest part first: an answer that is
     * too long would leave no room for others. Where a part is refused, the next reading goes on from there. `told` is called after each
     * part. */
    async read(engine, told = () => {}) {
        const last = this.lines.at(-1)?.number
        if (last === undefined) this.#before = Infinity
        else this.#take(await engine.ask("log.list", { after: last }), false, told)
        while (this.#before !== undefined && this.lines.length < kept) {
            const answer = await engine.ask("log.list", { count: part, ...this.#before === Infinity ? {} : { before: this.#before } })
            this.#take(answer, true, told)
            this.#before = answer.records.length === part ? answer.records[0].number : undefined
        }
    }

    #take({ records, utcOffset }, isOlder, told) {
        this.#offset = utcOffset
        if (records.length === 0) return
        this.lines = isOlder ? [...records, ...this.lines] : [...this.lines, ...records].slice(-kept)
        told()
    }
}

/** What belongs to a line, as words. */
export const details = ({ metadata }) => Object.entries(metadata).sort(([a], [b]) => a < b ? -1 : 1).map(([key, value]) => `${key}=${value}`)

/** Whether a line is at least as severe as `level`, and has every word of `text`. */
export function passes(line, { level, text }) {
    if (levels.indexOf(line.level) < levels.indexOf(level)) return false
    const whole = [line.level, line.message, ...details(line)].join(" ").toLowerCase()
    return text.toLowerCase().split(/\s+/).every(word => whole.includes(word))
}

/** The file of `/support`. It is asked for with the page's token, which its address does not have. Rejects with the engine's reason. */
export function supportFile(engine, ask) {
    return fileAt(new URL("/support", engine.address.replace(/^ws/, "http")).href, engine, ask)
}

export class Log {
    #book = new LogBook()
    #reading = null
    #wish = { level: "trace", text: "", isNewestFirst: true }

    constructor(root, { engine, words, offer, recall }) {
        Object.assign(this, { root, engine, words, offer, recall })
        // Numbers begin anew with the engine.
        engine.on("down", () => { this.#book = new LogBook(); this.#reading = null })
        const choose = (name, options, chosen, changed) => element("label", { class: "chooser" }, element("span", {}, words.say(name)),
            element("select", { "data-by": name, onchange: ({ target }) => { changed(target.value); this.#draw() } },
                options.map(([value, text]) => element("option", { value, selected: value === chosen }, text))))
        const severities = [["trace", words.say("log-all")], ...levels.slice(2, 6).map(level => [level, words.say(`log-from-${level}`)])]
        const orders = ["newest", "oldest"].map(order => [order, words.say(`log-${order}`)])
        const outcome = new Outcome()
        const save = element("button", { type: "button", class: "do quiet", "data-do": "support", onclick: () => this.#save(save, outcome) },
            icon("save"), words.say("support-file"))
        this.count = element("p", { class: "quiet", role: "status" })
        this.list = element("ol", { class: "log" })
        this.root.replaceChildren(
            element("header", { class: "top" }, element("h1", {}, words.say("go-log")), element("div", {}, save), element("p", { class: "quiet" }, words.say("logText"))),
            outcome.root,
            element("div", { class: "sieve" },
                choose("log-level", severities, this.#wish.level, level => { this.#wish.level = level }),
                element("label", { class: "chooser" }, element("span", {}, words.say("log-with")), element("input", {
                    type: "search", "data-by": "log-with", autocomplete: "off", spellcheck: "false",
                    oninput: ({ target }) => { this.#wish.text = target.value.trim(); this.#draw() },
                })),
                choose("log-order", orders, "newest", order => { this.#wish.isNewestFirst = order === "newest" })),
            this.count, this.list)
    }

    /** Has the engine collect what `thrum support` does, and the browser save it. */
    async #save(button, outcome) {
        if (button.ariaBusy === "true") return
        button.ariaBusy = "true"
        outcome.say(this.words.say("support-collecting"), "waiting")
        try {
            this.offer(await supportFile(this.engine), "application/gzip", `thrum-support-${location.hostname}-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.tar.gz`)
            outcome.say(this.words.say("support-saved"))
        } catch ({ message }) {
            outcome.say(message, "bad")
        }
        button.ariaBusy = null
    }

    async show() {
        const book = this.#book
        this.#reading ??= book.read(this.engine, () => { if (book === this.#book) this.#draw() })
            .finally(() => { if (book === this.#book) this.#reading = null })
        await this.#reading
        if (book.lines.length === 0) this.#draw()
    }

    #draw() {
        const { words } = this
        const { lines } = this.#book
        const shown = lines.filter(line => passes(line, this.#wish))
        const days = []
        for (const line of shown) {
            const day = dayAt(words, line.time, this.#book.offset)
            if (days.at(-1)?.day !== day) days.push({ day, lines: [] })
            days.at(-1).lines.push(line)
        }
        const order = list => this.#wish.isNewestFirst ? list.toReversed() : list
        const rows = order(days).flatMap(({ day, lines }) => [element("li", { class: "day" }, day), ...order(lines).map(line => lineInLog(words, line, this.#book.offset, this.recall))])
        this.count.textContent = shown.length === lines.length ? words.say("log-count", { count: lines.length })
            : words.say("log-part", { count: shown.length, all: lines.length })
        this.list.replaceChildren(...rows)
    }
}

const severe = levels.indexOf("warning")

/** A line on the page. One that is severe opens the flight recorder where `recall` is given. */
export function lineInLog(words, line, offset, recall = null) {
    const belongs = details(line)
    return element("li", { "data-level": line.level },
        element("time", {}, timeAt(words, line.time, offset)),
        element("span", { class: "severity" }, words.say(`severity-${line.level}`)),
        element("div", {}, element("p", {}, line.message), belongs.length === 0 ? null : element("p", { class: "belongs" }, belongs.map(part => element("code", {}, part)))),
        recall && levels.indexOf(line.level) >= severe ? recallButton(words, recall, { title: line.message, time: line.time }) : null)
}
