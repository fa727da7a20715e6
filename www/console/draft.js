// A document that somebody changes and that nobody has proposed yet. It is the page's alone until then.

import { Signals } from "../kit/signals.js"
import { withValue } from "./tree.js"

const pause = 300 // milliseconds without a change until the engine is asked what it thinks of it

/** Signals `changed`, and `judged` when the engine has said what it changes and what is wrong with it. */
export class Draft extends Signals {
    kind = null
    /** The document that is changed, as it is in force, and what has become of it; null for no draft. */
    base = null
    document = null
    /** The engine's comparison; null while it is not known. */
    diff = null
    #timer = null

    constructor(engine) {
        super()
        this.engine = engine
    }

    get isOpen() { return this.document !== null }

    /** Begins with what is in force. */
    async open(kind) {
        if (this.isOpen && this.kind === kind) return
        const { document } = await this.engine.ask("config.get", { kind })
        Object.assign(this, { kind, base: document, document, diff: null })
        this.emit("changed")
    }

    discard() {
        clearTimeout(this.#timer)
        Object.assign(this, { kind: null, base: null, document: null, diff: null })
        this.emit("changed")
    }

    set(path, value) { this.replace(withValue(this.document, path, value)) }

    replace(document) {
        this.document = document
        this.diff = null
        this.emit("changed")
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.judge().catch(() => {}), pause)
    }

    async judge() {
        const document = this.document
        const diff = await this.engine.ask("config.diff", { kind: this.kind, document })
        if (document !== this.document) return
        this.diff = diff
        this.emit("judged")
    }

    /** The version that it has become. */
    async propose() {
        const version = await this.engine.ask("config.propose", { kind: this.kind, document: this.document })
        this.discard()
        return version
    }
}
