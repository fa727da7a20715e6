// What happens over the cards: an unlock's light, toasts, taunts, and how tired the page gets.

import { enter, isCalm, leave } from "../kit/motion.js"
import { fromHex, mix, toHex } from "./colors.js"
import { swatch } from "./pictures.js"

const toastStays = 2400, tauntStays = 3000 // milliseconds
const brightens = 800 // as long as the feed stands still

const byID = id => document.getElementById(id)

/** The card of `view` brightens by a fifth and comes back. Light sweeps over what is rare, and confetti falls for what is special. */
export function celebrate(skin, view) {
    const flash = byID("flash")
    flash.dataset.skin = skin.id
    flash.animate([{ opacity: 0 }, { opacity: 0.2, offset: isCalm() ? 0.15 : 0.25 }, { opacity: 0 }], { duration: brightens, easing: "ease-out" })
    if (isCalm() || skin.rarity === "common") return
    // Light falls on the card and not on its words: over them it would show the edges of their dark ground.
    const sweep = byID("sweep")
    view?.prompt.element.before(sweep)
    sweep.animate([{ transform: "translate3d(-72%, 0, 0)", opacity: 1 }, { transform: "translate3d(72%, 0, 0)", opacity: 1 }],
                          { duration: brightens, easing: "cubic-bezier(0.4, 0, 0.3, 1)" })
    if (skin.rarity === "special") confetti([...new Set(skin.colors)])
}

function confetti(colors) {
    const canvas = byID("confetti")
    const [width, height] = [canvas.width, canvas.height] = [innerWidth, innerHeight]
    const context = canvas.getContext("2d")
    const size = Math.min(width, height)
    // What is the card's own ground would not show on it: paler ones of it do.
    const [ground, ...others] = colors
    const inks = [...others, "#ffffff", ...[0.35, 0.65].map(part => toHex(mix(fromHex(ground), [1, 1, 1], part)))]
    const pieces = Array.from({ length: 110 }, (_, n) => ({
        x: width * Math.random(), y: -size * 0.1 * (1 + 4 * Math.random()), fall: size * (0.9 + 0.9 * Math.random()),
        sway: size * 0.05 * (Math.random() - 0.5), turn: 6 * Math.random(), spin: 8 * (Math.random() - 0.5),
        length: size * (0.018 + 0.02 * Math.random()), ink: inks[n % inks.length],
    }))
    const start = performance.now(), lasts = 2.2
    canvas.hidden = false
    const draw = now => {
        const time = (now - start) / 1000
        context.clearRect(0, 0, width, height)
        if (time > lasts) return void (canvas.hidden = true)
        context.globalAlpha = Math.min(1, (lasts - time) * 2)
        for (const piece of pieces) {
            context.save()
            context.translate(piece.x + piece.sway * Math.sin(5 * time + piece.turn), piece.y + piece.fall * time)
            context.rotate(piece.turn + piece.spin * time)
            context.scale(1, Math.cos(6 * time + piece.turn))
            context.fillStyle = piece.ink
            context.fillRect(-piece.length / 2, -piece.length / 4, piece.length, piece.length / 2)
            context.restore()
        }
        requestAnimationFrame(draw)
    }
    requestAnimationFrame(draw)
}

/** Shows something for a while; what comes next takes its place. */
class Notice {
    #until = 0

    constructor(element, offset, stays) { Object.assign(this, { element, offset, stays }) }

    show(...parts) {
        this.element.replaceChildren(...parts)
        enter(this.element, this.offset)
        clearTimeout(this.#until)
        this.#until = setTimeout(() => leave(this.element, this.offset), this.stays)
    }
}

function part(name, text) {
    const element = document.createElement("span")
    element.className = name
    element.textContent = text
    return element
}

export class Toasts {
    #notice = new Notice(byID("toast"), "translateY(-140%)", toastStays)

    constructor(words) { this.words = words }

    /** `skin` is what it is about, where that is known. A toast comes late where another was still being read: then it is about a card that
     *  has gone, and says so. */
    show({ rarity, name }, skin, isHere) {
        this.#notice.element.dataset.rarity = rarity
        const text = document.createElement("div")
        text.append(part("rarity", isHere ? this.words.say(rarity) : this.words.say("foundBefore", { rarity: this.words.say(rarity) })), part("name", name))
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

/** `part`, 0 to 1: how far the tone has come. The edges darken from a third on, and the prompt trembles towards the end. */
export function tire(part) {
    const tiredness = Math.min(1, Math.max(0, (part - 0.3) / 0.5))
    byID("tired").style.opacity = (tiredness * 0.9).toFixed(3)
    document.documentElement.toggleAttribute("data-tired", tiredness > 0.15)
    document.documentElement.toggleAttribute("data-trembling", tiredness > 0.7)
}
