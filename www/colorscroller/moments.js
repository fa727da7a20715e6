// What happens over the cards: an unlock's light, toasts, taunts, and how tired the page gets.

import { enter, isCalm, leave } from "../kit/motion.js"
import { hotter } from "./colors.js"
import { throwConfetti } from "./confetti.js"
import { swatch } from "./pictures.js"

const toastStays = 2400, tauntStays = 3000 // milliseconds
const burns = 800 // as long as the feed stands still

const byID = id => document.getElementById(id)

/** The card of `view` becomes hotter, never paler, and comes back. Light sweeps over what is rare, and confetti bursts for what is special. */
export function celebrate(skin, view) {
    const flash = byID("flash")
    flash.dataset.skin = skin.id
    flash.style.setProperty("--hot", hotter(skin.colors))
    flash.animate([{ opacity: 0 }, { opacity: isCalm() ? 0.4 : 0.85, offset: 0.22 }, { opacity: 0 }], { duration: burns, easing: "ease-out" })
    if (!isCalm()) {
        view?.element.animate([{ filter: "none" }, { filter: "saturate(1.7) contrast(1.12)", offset: 0.22 }, { filter: "none" }], { duration: burns, easing: "ease-out" })
    }
    if (isCalm() || skin.rarity === "common") return
    // Light falls on the card and not on its words: over them it would show the edges of their dark ground.
    const sweep = byID("sweep")
    view?.prompt.element.before(sweep)
    sweep.animate([{ transform: "translate3d(-72%, 0, 0)", opacity: 1 }, { transform: "translate3d(72%, 0, 0)", opacity: 1 }],
                          { duration: burns, easing: "cubic-bezier(0.4, 0, 0.3, 1)" })
    if (skin.rarity === "special") throwConfetti(byID("confetti"), skin, { x: innerWidth / 2, y: Math.min(innerWidth, innerHeight) * 0.12 })
}

/** Shows something for a while; what comes next takes its place. */
class Notice {
    #until = 0

    constructor(element, offset, stays) { Object.assign(this, { element, offset, stays }) }

    show(...parts) {
        this.element.replaceChildren(...parts)
        enter(this.element, this.offset)
        clearTimeout(this.#until)
        this.#until = setTimeout(() => this.hide(), this.stays)
    }

    hide() {
        clearTimeout(this.#until)
        leave(this.element, this.offset)
    }
}

function part(name, text) {
    const element = document.createElement("span")
    element.className = name
    element.textContent = text
    return element
}

/** Toasts name what is on the screen, and nothing else. A toast comes late where another was still being read: then its card has often gone. */
export class Toasts {
    #notice = new Notice(byID("toast"), "translateY(-140%)", toastStays)
    /** The name of the skin on the screen; nothing where there is none. */
    #seen = null
    /** The last toast, until it is too old to be shown. */
    #told = null

    constructor(words) { this.words = words }

    /** `skin` is what the toast is about, where that is known. */
    show(toast, skin) {
        this.#told = { ...toast, skin, until: performance.now() + toastStays }
        this.#fit()
    }

    /** Another card is on the screen, or is covered: `seen` is the name of its skin, if it has one. */
    moved(seen = null) {
        if (seen === this.#seen) return
        this.#seen = seen
        this.#fit()
    }

    #fit() {
        const told = this.#told
        if (told?.name !== this.#seen) return this.#notice.hide()
        if (performance.now() >= told.until) return
        const { rarity, name, skin } = told
        this.#notice.element.dataset.rarity = rarity
        const text = document.createElement("div")
        text.append(part("rarity", this.words.say(rarity)), part("name", name))
        const size = Math.max(56, Math.min(innerWidth, innerHeight) * 0.095)
        this.#notice.show(...(skin ? [swatch(skin, size, size)] : []), text)
    }
}

export class Taunts {
    #notice = new Notice(byID("taunt"), "translateX(110%)", tauntStays)

    constructor(words) { this.words = words }

    show({ rival, standing }) {
        const key = { passed: "youPassed", ahead: "youAreAboutToPass" }[standing]
        this.#notice.show(part("face", rival[0]), part("text", this.words.say(key, { name: rival })))
    }
}

/** `part`, 0 to 1: how far the tone has come, as a line at the edge says. The cards' edges darken from a third on, the prompt grows, and towards
 *  the end it trembles, and the next card looks in. */
export function tire(part) {
    const tiredness = Math.min(1, Math.max(0, (part - 0.3) / 0.5))
    const tone = byID("tone")
    tone.toggleAttribute("data-silent", part === 0)
    tone.style.setProperty("--part", part.toFixed(3))
    document.documentElement.style.setProperty("--tired", tiredness.toFixed(3))
    document.documentElement.toggleAttribute("data-tired", tiredness > 0.15)
    document.documentElement.toggleAttribute("data-trembling", tiredness > 0.7)
}
