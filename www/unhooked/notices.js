// What has just happened, as cards that come one below the other and go.

import { element } from "../kit/elements.js"
import { enter, leave } from "../kit/motion.js"
import { icon } from "./icons.js"

const most = 4, stays = 4200 // cards, milliseconds

export class Notices {
    constructor(root) { this.root = root }

    /** `kind` is one of `good`, `bad` and `plain`; `figure` is what came or went. */
    show(mark, text, { detail = null, figure = null, kind = "plain", topic } = {}) {
        const card = element("div", { class: "notice", "data-kind": kind, "data-topic": topic }, icon(mark),
            element("p", {}, element("strong", {}, text), detail ? element("span", {}, detail) : null), figure)
        this.root.append(card)
        while (this.root.children.length > most) this.root.firstElementChild.remove()
        enter(card, "translateY(-50%) scale(0.94)")
        setTimeout(() => leave(card, "translateY(-30%)").then(() => card.remove()), stays)
    }

    clear() { this.root.replaceChildren() }
}
