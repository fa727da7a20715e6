// One card on the screen: its colour at once, its bitmap when it is painted, and the prompt.

import { isCalm } from "../kit/motion.js"
import { baseColor, hasPicture, inkOf } from "./skins.js"
import { picture, show } from "./pictures.js"

const shrinks = 0.07 // of its size, on its way over a whole height
const unknown = { face: "gray", color: "#0d0d10" }

export class CardView {
    #shown = null
    #waits = false

    constructor(element, prompt) {
        this.element = element
        this.prompt = prompt
        element.append(prompt.element)
    }

    /** `card` as the engine has it; nothing where it is not known yet. */
    show(card = unknown) {
        const key = JSON.stringify(card) + innerWidth + "x" + innerHeight
        if (key === this.#shown) return
        this.#shown = key
        this.element.style.backgroundColor = baseColor(card)
        this.element.dataset.kind = card.face === "skin" ? card.skin.kind : card.face
        this.prompt.element.hidden = card === unknown
        this.prompt.dress(inkOf(card))
        if (this.canvas) this.canvas.hidden = true
        this.element.dataset.painted = !hasPicture(card)
        if (hasPicture(card)) this.#paint(card, key)
    }

    async #paint(card, key) {
        const density = Math.min(2, devicePixelRatio)
        const bitmap = await picture(card, innerWidth * density, innerHeight * density)
        if (key !== this.#shown) return bitmap.close()
        if (!this.canvas) {
            this.canvas = document.createElement("canvas")
            this.canvas.setAttribute("aria-hidden", "true")
            this.element.prepend(this.canvas)
        }
        show(this.canvas, bitmap)
        this.canvas.hidden = false
        this.element.dataset.painted = true
    }

    forget() { this.#shown = null }

    /** `offset` in heights from the top of the screen; on whole pixels, so that no seam shows between two cards. What comes from below lies
     *  over what goes, which shrinks a little, and keeps its lower edge where it is. */
    place(offset) {
        const pixels = Math.round(offset * innerHeight * devicePixelRatio) / devicePixelRatio
        const size = offset < 0 && !isCalm() ? 1 + shrinks * Math.max(-1, offset) : 1
        this.element.style.transform = `translate3d(0, ${pixels}px, 0) scale(${size})`
        const waits = offset >= 1
        if (waits !== this.#waits) this.element.classList.toggle("waits", this.#waits = waits)
    }

    /** Cards lie over one another in the order in which they come. */
    set depth(index) { this.element.style.zIndex = index }

    setCurrent(isCurrent) {
        this.element.classList.toggle("current", isCurrent)
        this.element.inert = !isCurrent
        this.element.setAttribute("aria-hidden", String(!isCurrent))
    }

    fadeIn() { if (isCalm()) this.element.animate([{ opacity: 0 }, { opacity: 1 }], 120) }
}
