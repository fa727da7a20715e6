// What is on and what is off, of every kind of document that says so under `flags`. Turning one makes a draft.

import { element } from "../kit/elements.js"

export class Flags {
    #drawn = null

    /** `toDraft` goes where a draft is looked at and proposed. */
    constructor(root, { engine, words, draft, toDraft }) {
        Object.assign(this, { root, engine, words, draft, toDraft })
        draft.on("changed", () => { if (root.isConnected) this.show() })
    }

    async show() {
        const { engine, words, draft } = this
        const { kinds } = await engine.ask("config.history")
        const documents = await Promise.all(kinds.map(({ kind }) => engine.ask("config.get", { kind })))
        const drawn = JSON.stringify([documents, draft.document])
        if (drawn === this.#drawn && this.root.childElementCount > 0) return
        this.#drawn = drawn
        const withFlags = documents.filter(({ document }) => document.flags && typeof document.flags === "object")
        const isMine = ({ kind }) => draft.isOpen && draft.kind === kind
        this.root.replaceChildren(element("header", { class: "top" }, element("h1", {}, words.say("go-flags")), element("p", { class: "quiet" }, words.say("flagsText"))),
            ...withFlags.length === 0 ? [element("p", { class: "empty" }, words.say("noFlags"))] : [],
            ...withFlags.map(report => element("section", { class: "switches", "aria-label": report.kind }, Object.entries(isMine(report) ? draft.document.flags : report.document.flags).map(([name, isOn]) => {
                const isChanged = isOn !== report.document.flags[name]
                return element("label", { class: "switch", "data-flag": name, "data-changed": String(isChanged) }, element("span", {}, element("b", {}, words.entries[`flag: ${name}`] ?? name), element("small", {}, isChanged ? words.say("inDraft", { now: words.say(isOn ? "off" : "on"), then: words.say(isOn ? "on" : "off") }) : words.say(isOn ? "on" : "off"))),
                    element("input", { type: "checkbox", role: "switch", checked: isOn, onchange: ({ target }) => this.#turn(report.kind, name, target.checked) }))
            }))),
            ...draft.isOpen ? [element("div", { class: "steps bar" }, element("p", {}, words.say("draftWaits")), element("button", { type: "button", class: "do", "data-do": "review", onclick: this.toDraft }, words.say("reviewDraft")), element("button", { type: "button", class: "do quiet", onclick: () => draft.discard() }, words.say("discard")))] : [])
    }

    async #turn(kind, name, isOn) {
        if (this.draft.isOpen && this.draft.kind !== kind) this.draft.discard()
        await this.draft.open(kind)
        this.draft.set(["flags", name], isOn)
    }
}
