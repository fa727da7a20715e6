// Documents: all versions of a kind, what one of them changes, and which step it may take next. In place of them, a draft that is changed.

import { element } from "../kit/elements.js"
import { changes, judgement, simulation } from "./diff.js"
import { Editor } from "./editor.js"
import { icon } from "./icons.js"
import { ago, moment } from "./time.js"

const steps = ["proposed", "approved", "published"]

export class Configuration {
    #kind = null
    #chosen = null
    #drawn = null

    /** `act` asks for a step and says what came of it. */
    constructor(root, { engine, words, draft, act }) {
        Object.assign(this, { root, engine, words, draft, act })
        this.editor = new Editor({ engine, words, draft, propose: () => this.#propose() })
        draft.on("changed", () => { if (root.isConnected) this.draw() })
    }

    async show() {
        this.history = await this.engine.ask("config.history")
        const kinds = this.history.kinds.map(({ kind }) => kind)
        if (!kinds.includes(this.#kind)) this.#kind = kinds[0] ?? null
        await this.draw()
    }

    async choose(version) {
        this.#chosen = version
        await this.show()
    }

    async draw() {
        const { words, history } = this
        if (!history) return
        if (this.#kind === null) return void this.root.replaceChildren(element("p", { class: "empty" }, words.say("noKinds")))
        if (this.draft.isOpen) {
            this.#drawn = null
            if (!this.root.contains(this.editor.root)) this.root.replaceChildren(this.editor.root)
            return this.editor.show()
        }
        const kind = history.kinds.find(({ kind }) => kind === this.#kind)
        const versions = history.versions.filter(({ kind }) => kind === this.#kind).reverse()
        // Somebody may be reading it, or about to press a button of it.
        const drawn = JSON.stringify([kind, versions, this.#chosen])
        if (drawn === this.#drawn) return
        this.#drawn = drawn
        if (!versions.some(({ version }) => version === this.#chosen)) this.#chosen = null
        const chosen = versions.find(({ version }) => version === this.#chosen) ?? versions.find(isOpen) ?? versions.find(({ version }) => version === kind.version) ?? null
        const detail = element("section", { class: "detail", "aria-label": words.say("version", { version: chosen?.version ?? 0 }) })
        this.root.replaceChildren(element("div", { class: "split" }, this.#list(kind, versions, chosen), detail))
        await this.#detail(detail, kind, chosen)
    }

    #list(kind, versions, chosen) {
        const { words, history } = this
        const row = version => element("li", {}, element("button", {
            type: "button", class: "version", "data-version": version.version, "aria-pressed": String(version === chosen), onclick: () => this.choose(version.version),
        }, element("span", { class: "knot", "data-state": stateOf(version, kind), "aria-hidden": "true" }), element("b", {}, `${version.version}`), stateChip(words, version, kind),
        element("small", {}, words.say("byWhom", { name: version.proposed.by, time: ago(words, version.proposed.at) }))))
        return element("section", { class: "versions", "aria-label": words.say("versions") },
            history.kinds.length > 1 ? element("div", { class: "kinds", role: "group", "aria-label": words.say("kinds") }, history.kinds.map(({ kind }) =>
                element("button", { type: "button", "aria-pressed": String(kind === this.#kind), onclick: () => { this.#kind = kind; this.#chosen = null; this.show() } }, kind))) : null,
            element("header", {}, element("h1", {}, kind.kind), element("p", { class: "quiet" }, words.entries[`about: ${kind.about}`] ?? kind.about)),
            element("button", { type: "button", class: "do", "data-do": "draft", onclick: () => this.draft.open(this.#kind) }, icon("plus"), words.say("newDraft")),
            element("ol", { class: "timeline" }, versions.map(row),
                element("li", { class: "standard" }, element("span", { class: "knot", "data-state": kind.version === 0 ? "force" : "published", "aria-hidden": "true" }), element("b", {}, "0"),
                    kind.version === 0 ? element("span", { class: "chip", "data-state": "force" }, words.say("state-force")) : null, element("small", {}, words.say("standard")))))
    }

    async #detail(root, kind, version) {
        const { words, engine } = this
        if (version === null) {
            return void root.replaceChildren(element("div", { class: "empty" }, element("h2", {}, words.say("standardInForce")), element("p", {}, words.say("nothingProposed"))))
        }
        const name = { kind: version.kind, version: version.version }
        const diff = await engine.ask("config.diff", name)
        const state = stateOf(version, kind)
        const isMine = version.proposed.by === engine.greeting.person
        const stale = isOpen(version) && version.former !== kind.version
        const step = (method, key, more = "") => element("button", { type: "button", class: `do ${more}`, "data-do": key, onclick: ({ currentTarget }) => this.#step(currentTarget, method, name) }, words.say(`do-${key}`))
        const next = []
        if (version.state === "proposed" && !stale && !isMine) next.push(step("config.approve", "approve"))
        if (version.state === "approved" && !stale) next.push(step("config.publish", "publish"))
        if (isOpen(version)) next.push(step("config.withdraw", "withdraw", "quiet"))
        if (version.state === "published" && state !== "force") {
            next.push(element("button", { type: "button", class: "do quiet", "data-do": "rollback", onclick: ({ currentTarget }) => this.#step(currentTarget, "config.propose", { kind: version.kind, copyOf: version.version }) }, icon("back"), words.say("do-rollback")))
        }
        if (state === "force") {
            next.push(element("button", { type: "button", class: "do quiet", "data-do": "rollback", onclick: ({ currentTarget }) => this.#step(currentTarget, "config.propose", { kind: version.kind, copyOf: version.former }) }, icon("back"), words.say("do-rollbackTo", { version: version.former })))
        }
        root.replaceChildren(...[
            element("header", {}, element("h2", {}, words.say("version", { version: version.version }), " ", stateChip(words, version, kind)),
                element("p", { class: "quiet" }, version.former === 0 ? words.say("afterStandard") : words.say("after", { version: version.former }))),
            this.#track(version),
            stale ? element("p", { class: "hint" }, words.say("stale", { version: kind.version })) : isMine && version.state === "proposed" ? element("p", { class: "hint" }, words.say("somebodyElse")) : null,
            next.length > 0 ? element("div", { class: "steps" }, next) : null,
            element("h3", {}, words.say("changes", { count: diff.changes.length })), changes(words, diff),
            isOpen(version) ? judgement(words, diff) : null,
            simulation(words, engine, name)].filter(part => part !== null))
    }

    /** Who has taken which step, and which are still to come. */
    #track(version) {
        const { words } = this
        const known = version.withdrawn ? [...steps.filter(step => version[step]), "withdrawn"] : steps
        return element("ol", { class: "track" }, known.map(step => element("li", { "data-done": String(Boolean(version[step])), "data-step": step },
            element("span", { class: "dot", "aria-hidden": "true" }, version[step] ? icon(step === "withdrawn" ? "wrong" : "done") : null), element("b", {}, words.say(`step-${step}`)),
            version[step] ? element("small", { title: moment(words, version[step].at) }, `${version[step].by} · ${ago(words, version[step].at)}`) : element("small", {}, words.say("waitsFor")))))
    }

    async #step(button, method, params) {
        const version = await this.act(button, method, params)
        if (version) await this.choose(version.version)
    }

    async #propose() {
        const version = await this.act(null, "config.propose", { kind: this.draft.kind, document: this.draft.document })
        if (!version) return
        this.draft.discard()
        await this.choose(version.version)
    }
}

const isOpen = ({ state }) => state === "proposed" || state === "approved"

/** As it is told; `force` for the one in force. */
export const stateOf = (version, kind) => version.version === kind.version ? "force" : version.state

const stateChip = (words, version, kind) => element("span", { class: "chip", "data-state": stateOf(version, kind) }, words.say(`state-${stateOf(version, kind)}`))
