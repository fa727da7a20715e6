// What has just happened, as cards that come one below the other and go. Who is told much at once is told in turn.

import { element } from "../kit/elements.js"
import { enter, leave } from "../kit/motion.js"
import { icon } from "./icons.js"

const stays = 4200, staysAtLeast = 1500 // milliseconds; the latter while others wait

export class Notices {
    #waiting = []
    #shown = []

    /** `most` cards are seen at once; the others wait. */
    constructor(root, most) { Object.assign(this, { root, most }) }

    /** `kind` is one of `good`, `bad` and `plain`; `figure` is what came or went. */
    show(mark, text, { detail = null, figure = null, kind = "plain", topic } = {}) {
        this.#waiting.push(element("div", { class: "notice", "data-kind": kind, "data-topic": topic }, icon(mark),
            element("p", {}, element("strong", {}, text), detail ? element("span", {}, detail) : null), figure))
        this.#goOn()
    }

    /** Somebody goes elsewhere: what has been read goes, and what has not stays. */
    turn() { for (const entry of this.#shown.filter(({ since }) => performance.now() - since > staysAtLeast)) this.#leave(entry) }

    clear() {
        for (const { timer } of this.#shown) clearTimeout(timer)
        this.#waiting = []
        this.#shown = []
        this.root.replaceChildren()
    }

    #goOn() {
        while (this.#waiting.length > 0 && this.#shown.length < this.most) this.#enter(this.#waiting.shift())
        if (this.#waiting.length === 0) return
        const oldest = this.#shown[0]
        clearTimeout(oldest.timer)
        oldest.timer = setTimeout(() => this.#leave(oldest), Math.max(0, oldest.since + staysAtLeast - performance.now()))
    }

    #enter(card) {
        const entry = { card, since: performance.now() }
        entry.timer = setTimeout(() => this.#leave(entry), stays)
        this.#shown.push(entry)
        this.root.append(card)
        enter(card, "translateY(-50%) scale(0.94)")
    }

    async #leave(entry) {
        clearTimeout(entry.timer)
        this.#shown = this.#shown.filter(other => other !== entry)
        await leave(entry.card, "translateY(-30%)")
        entry.card.remove()
        this.#goOn()
    }
}
