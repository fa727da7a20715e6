// A draft that is changed: a field for each value of the document, whatever it is, beside what the engine says of it.

import { element } from "../kit/elements.js"
import { changes, judgement, simulation } from "./diff.js"
import { at, leaves, line, twin } from "./tree.js"

export class Editor {
    root = element("div", { class: "split editing" })
    #drawn = null
    #reviewed = null
    #isText = false

    constructor({ engine, words, draft, propose }) {
        Object.assign(this, { engine, words, draft, propose })
        draft.on("judged", () => this.#review())
    }

    show() {
        const { draft, words } = this
        // A field that somebody is in stays; what only the values are is marked in it.
        const drawn = JSON.stringify([draft.kind, leaves(draft.document).map(({ path }) => path), this.#isText])
        if (drawn !== this.#drawn || !draft.isOpen) {
            this.#drawn = drawn
            this.#reviewed = null
            this.review = element("section", { class: "review", "aria-label": words.say("review") })
            this.fields = element("section", { class: "fields", "aria-label": words.say("document") }, this.#head(), this.#isText ? this.#text() : Object.entries(draft.document).map(([key, part]) => this.#part(key, part)))
            this.root.replaceChildren(this.review, this.fields)
        }
        this.#mark()
        this.#review()
    }

    #head() {
        const mode = isText => element("button", { type: "button", "aria-pressed": String(isText === this.#isText), onclick: () => { this.#isText = isText; this.show() } }, this.words.say(isText ? "asText" : "asFields"))
        return element("header", {}, element("h2", {}, this.words.say("draftOf", { kind: this.draft.kind })), element("div", { class: "modes", role: "group", "aria-label": this.words.say("modes") }, mode(false), mode(true)))
    }

    #part(key, part) {
        const isList = Array.isArray(part) && part.every(element => element !== null && typeof element === "object")
        const inside = isList ? part.map((item, place) => element("details", { class: "item", "data-path": `${key}.${place}` },
            element("summary", {}, element("b", {}, item.id ?? `${place + 1}`), element("span", { class: "quiet" }, item.title?.[this.words.language] ?? brief(item))), this.#grid([key, place], item),
            element("button", { type: "button", class: "do quiet small", onclick: () => this.draft.set([key, place], undefined) }, this.words.say("remove"))))
            : [this.#grid([key], part)]
        return element("details", { class: "part", open: !isList, "data-path": key }, element("summary", {}, element("b", {}, key), isList ? element("span", { class: "quiet" }, this.words.say("items", { count: part.length })) : null), inside)
    }

    #grid(path, part) {
        return element("div", { class: "grid" }, leaves(part, path).map(leaf => this.#field(leaf.path, leaf.value, leaf.path.slice(path.length).join(".") || path.at(-1))))
    }

    #field(path, value, label) {
        const name = path.join(".")
        const set = next => this.draft.set(path, next)
        const input = typeof value === "boolean" ? element("input", { type: "checkbox", role: "switch", checked: value, onchange: ({ target }) => set(target.checked) })
            : typeof value === "number" ? element("input", { type: "number", step: "any", value, oninput: ({ target }) => { if (target.value !== "") set(Number(target.value)) } })
            : element("input", { type: "text", value: line(value), oninput: ({ target }) => set(target.value) })
        return element("label", { class: "field", "data-path": name }, element("span", {}, label), input, element("small", { class: "was" }))
    }

    #text() {
        const problem = element("p", { class: "verdict bad", hidden: true })
        return element("div", { class: "text" }, element("textarea", { spellcheck: "false", "aria-label": this.words.say("document"), oninput: ({ target }) => {
            try {
                const document = JSON.parse(target.value)
                problem.hidden = true
                // What is written stays as it is written.
                this.#drawn = JSON.stringify([this.draft.kind, leaves(document).map(({ path }) => path), true])
                this.draft.replace(document)
            } catch ({ message }) {
                problem.hidden = false
                problem.textContent = message
            }
        } }, JSON.stringify(this.draft.document, null, 2)), problem)
    }

    /** Fields whose value is another than the one in force. */
    #mark() {
        const { draft, words } = this
        for (const field of this.fields.querySelectorAll(".field")) {
            const path = field.dataset.path.split(".").map(key => /^\d+$/.test(key) ? Number(key) : key)
            const old = before(draft, path)
            const isChanged = line(old) !== line(at(draft.document, path))
            field.dataset.changed = String(isChanged)
            field.querySelector(".was").textContent = isChanged ? old === undefined ? words.say("isNew") : words.say("was", { value: line(old) }) : ""
        }
        for (const part of this.fields.querySelectorAll("details")) part.dataset.changed = String(part.querySelector(".field[data-changed=true]") !== null)
    }

    #review() {
        const { draft, words, engine } = this
        if (!draft.isOpen) return
        const { diff } = draft
        // A simulation goes on until something else is judged.
        const reviewed = JSON.stringify(diff)
        if (reviewed === this.#reviewed) return
        this.#reviewed = reviewed
        const isReady = diff !== null && diff.changes.length > 0 && diff.objections.length === 0
        this.review.replaceChildren(
            element("header", {}, element("h1", {}, words.say("draft")), element("p", { class: "quiet" }, words.say("draftText"))),
            diff === null ? element("p", { class: "quiet" }, words.say("noChangeYet")) : element("div", { class: "told" }, element("h2", { class: "label" }, words.say("changes", { count: diff.changes.length })), changes(words, diff), diff.changes.length > 0 ? judgement(words, diff) : null),
            element("div", { class: "steps" },
                element("button", { type: "button", class: "do", "data-do": "propose", disabled: !isReady, onclick: () => this.propose() }, words.say("do-propose")),
                element("button", { type: "button", class: "do quiet", "data-do": "discard", onclick: () => draft.discard() }, words.say("discard"))),
            ...isReady ? [simulation(words, engine, { kind: draft.kind, document: draft.document })] : [])
    }
}

/** What is in force at `path`; elements of lists are found by their id. */
function before(draft, path) {
    let [now, old] = [draft.document, draft.base]
    for (const key of path) {
        old = Array.isArray(now) ? twin(old, now[key], key) : old?.[key]
        now = now?.[key]
    }
    return old
}

/** A few values of an item, for its closed row. */
const brief = item => leaves(item).filter(({ path, value }) => path[0] !== "id" && typeof value !== "boolean").slice(0, 4).map(({ value }) => line(value)).join(" · ")
