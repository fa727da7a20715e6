// How the box is, at this moment: one line, what is wrong, levels, tone, fingers, what is heard and felt, what happens, and who is there.

import { element } from "../kit/elements.js"
import { card, entry, recallButton } from "./cards.js"
import { condition, remarks } from "./condition.js"
import { Figures, lasting } from "./figures.js"
import { TouchedScreens } from "./fingers.js"
import { invitation } from "./gate.js"
import { Happenings } from "./happenings.js"
import { icon } from "./icons.js"
import { noteOf } from "./level.js"
import { Meters } from "./meters.js"
import { inspects, setsVolume } from "./roles.js"
import { shortMoment } from "./time.js"

const shownFaults = 12

export class Now {
    #status = null
    #state = null
    #faults = []
    #drawn = null
    #drawnFaults = null
    #discontinuities = 0

    /** `toDo` goes where something can be done about it; `recall` opens the flight recorder. */
    constructor(root, { engine, words, toDo, recall }) {
        Object.assign(this, { root, engine, words, toDo, recall })
        this.fixed = new Intl.NumberFormat(words.language, { maximumFractionDigits: 1, minimumFractionDigits: 1 })
        engine.on("state", state => { this.#state = state; this.#draw() })
        engine.on("meters", meters => this.meters?.draw(meters))
        engine.on("touches", touches => this.screens?.told(touches))
        engine.on("cue", cue => this.cues?.add(cue))
        engine.on("event", event => {
            this.events?.add(event)
            this.screens?.happened(event)
        })
        engine.on("session", () => this.#look().catch(() => {}))
        engine.on("fault", ({ discontinuity, frames, issues }) => {
            // A gap is told twice: when it is noticed, and with its length when it is over.
            if (discontinuity && (discontinuity !== "gap" || frames === undefined)) this.#discontinuities += 1
            if (issues && this.#status) this.#status = { ...this.#status, issues }
            this.#draw()
            this.#look().catch(() => {})
        })
        engine.on("down", () => this.meters?.forget())
    }

    get #mayLook() { return inspects(this.engine.greeting.role) }

    async show(isAsked = true) {
        if (isAsked || !this.line) this.#build()
        await this.#look()
    }

    setScreens(screens) { this.screens?.setScreens(screens) }

    /** The snapshot of a subscription: newer than what was drawn. */
    taken({ state, status }) {
        this.#state = state
        this.#status = status ?? null
        this.#draw()
    }

    async #look() {
        if (!this.root.isConnected || !this.#mayLook) return
        const [status, { clients }, { faults }] = await Promise.all(["status", "client.list", "fault.list"].map(method => this.engine.ask(method)))
        this.#status = status
        this.#faults = faults
        this.figures?.draw(status, this.#discontinuities)
        this.figures?.drawClients(clients, this.engine.greeting.client)
        this.#draw()
        this.#drawFaults()
    }

    #build() {
        const { words, engine } = this
        const { role, touches } = engine.greeting
        this.line = element("div", { class: "condition", role: "status" })
        this.notes = element("ul", { class: "notes" })
        this.tone = element("dl", { class: "tone" })
        this.meters = new Meters(words)
        this.screens = new TouchedScreens(words)
        this.screens.setScreens(touches?.screens ?? [])
        this.down = element("p", { class: "down" })
        this.cues = new Happenings(words, words.say("heardAndFelt"))
        this.events = this.#mayLook ? new Happenings(words, words.say("happened")) : null
        this.figures = this.#mayLook ? new Figures(words) : null
        this.faults = element("ol", { class: "faults" })
        this.#drawn = null
        this.#drawnFaults = null
        const part = (name, ...parts) => card(name, words.say(`now-${name}`), ...parts)
        this.root.replaceChildren(element("h1", { class: "unseen" }, words.say("go-now")),
            ...role === "operator" ? [] : [invitation(words, role)],
            element("div", { class: "state" }, this.line, this.notes),
            element("div", { class: "board" }, part("levels", this.meters.root, this.tone), part("fingers", this.screens.root, this.down),
                part("cues", this.cues.root), ...this.events ? [part("events", this.events.root)] : [],
                ...this.figures ? [part("faults", this.faults), part("figures", this.figures.root), part("clients", this.figures.clients)] : []))
        this.#draw()
    }

    #draw() {
        if (!this.line) return
        const { words } = this
        const found = {
            line: condition(this.#status, this.#state),
            issues: this.#status?.issues ?? [], notes: this.#status ? remarks(this.#status) : [],
            since: this.#faults.filter(({ ended }) => ended === undefined).map(({ began }) => began),
            tone: this.#state?.tone, fingers: this.#state?.fingers ?? 0,
        }
        // What has not changed is not said again to who listens to the page.
        const drawn = JSON.stringify(found)
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        const { kind, key, values } = found.line
        if (this.line.dataset.key !== key || kind === "bad") {
            Object.assign(this.line.dataset, { kind, key })
            this.line.replaceChildren(element("i", { class: "light", "aria-hidden": "true" }), element("p", {}, words.say(key, values)))
        }
        const issues = found.issues.map(issue => {
            const since = this.#faults.findLast(fault => fault.issue === issue && fault.ended === undefined)?.began
            return element("li", { class: "issue" }, icon("wrong"), element("span", {}, issue, since === undefined ? null : element("small", {},
                words.say("issueSince", { time: shortMoment(words, since) }))), since === undefined ? null : recallButton(words, this.recall, { title: issue, time: since }))
        })
        const notes = found.notes.map(({ key, values }) => element("li", {}, words.say(key, this.#inWords(values))))
        this.notes.replaceChildren(...issues, ...notes)
        const { role } = this.engine.greeting
        if (kind === "waiting" && (key === "is-muted" ? setsVolume(role) : role === "operator")) {
            const way = element("button", { type: "button", class: "do small quiet", onclick: this.toDo }, words.say("changeThat"))
            this.notes.append(element("li", { class: "way" }, way))
        }
        // One that was down before this page came is counted, and drawn when it moves.
        this.down.textContent = words.say("fingers", { count: found.fingers })
        this.#drawTone(found.tone)
    }

    /** What went wrong since the engine began, the newest first. An issue that goes on stands above already. */
    #drawFaults() {
        const { words } = this
        const newest = this.#faults.filter(({ issue, ended }) => issue === undefined || ended !== undefined).toReversed().slice(0, shownFaults)
        const drawn = JSON.stringify(newest)
        if (drawn === this.#drawnFaults) return
        this.#drawnFaults = drawn
        const rows = newest.map(({ kind, issue, began, ended, frame }) => {
            const title = issue ?? words.say(`fault-${kind}`)
            const lasted = ended === undefined ? words.say("faultGoesOn") : ended - began < 1 ? null : words.say("faultLasted", { time: lasting(words, ended - began) })
            return element("li", {}, element("div", {}, element("b", {}, title), element("small", {}, [shortMoment(words, began), lasted].filter(Boolean).join(", "))),
                recallButton(words, this.recall, { title, time: began, frame }))
        })
        this.faults.replaceChildren(...rows.length > 0 ? rows : [element("li", { class: "quiet" }, words.say("noFaults"))])
    }

    #inWords({ moment, ...values }) { return { ...values, time: moment === undefined ? "" : shortMoment(this.words, moment) } }

    #drawTone(tone) {
        const { words } = this
        const note = noteOf(tone?.frequency)
        const isSilent = !tone || tone.level <= -120
        const named = note ? `${note.name} ${note.cents < 0 ? "−" : "+"}${Math.abs(note.cents)} ct` : ""
        this.tone.replaceChildren(entry(words.say("tone"), words.say(tone?.isOpen ? "toneOn" : "toneOff"), ""),
            entry(words.say("pitch"), note ? `${this.fixed.format(tone.frequency)} Hz` : "–", named),
            entry(words.say("toneLevel"), isSilent ? "–" : this.fixed.format(tone.level).replace("-", "−"), isSilent ? "" : "dBFS"))
    }
}
