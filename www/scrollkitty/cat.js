// The cat on the page: how it is, what it looks at, and the hand that strokes it.

import { scene } from "./drawing.js"
import { drawing } from "../kit/elements.js"

const slowest = 0.02, fastest = 1.4 // of the screen's longer side a second: slower is a rest, faster is a swipe
const handStays = 700, looksFor = 2500, flinchesFor = 400, staresFor = 1500, wakesFor = 6000 // milliseconds
const bounded = value => Math.max(-1, Math.min(1, value))

/** Whether a finger that goes so far, in parts of the screen's longer side, within so many milliseconds strokes. */
export function isStroke(distance, milliseconds) {
    if (milliseconds <= 0) return false
    const speed = distance / milliseconds * 1000
    return speed >= slowest && speed <= fastest
}

/** How far the cat's ears and its sky have come down with `hp` left, 0 to 1: the first loss is seen at a glance, not only a band's end. */
export const spent = hp => Math.sqrt(bounded(1 - hp / 100))

export class Cat {
    #svg = drawing(scene)
    #last = null
    #lift = null
    #flinch = null
    #acts = null
    #wakes = null
    #isMorning = false
    #away = null

    constructor(element, fingers, frames, words) {
        this.element = element
        this.words = words
        element.append(this.#svg)
        fingers.on("began", finger => this.#touched(finger))
        fingers.on("moved", finger => {
            this.#touched(finger)
            frames.moved(finger.time)
        })
        fingers.on("ended", () => {
            this.#last = null
            this.#away = setTimeout(() => this.#look(0, 0), looksFor)
        })
    }

    get condition() { return this.#svg.dataset.state }

    /** Does something by itself for so many milliseconds, unless a hand comes. */
    act(name, milliseconds) {
        if ("wakes" in this.#svg.dataset) return
        this.#rest()
        this.#svg.dataset.act = name
        this.#acts = setTimeout(() => this.#rest(), milliseconds)
    }

    #rest() {
        clearTimeout(this.#acts)
        delete this.#svg.dataset.act
    }

    /** A day has begun: if it has slept, it gets up when it is shown next. */
    morning() { this.#isMorning = true }

    show({ condition, hp }) {
        this.#svg.style.setProperty("--spent", spent(hp))
        const getsUp = this.#isMorning && this.#svg.dataset.state === "dead" && condition === "healthy"
        this.#isMorning = false
        if (this.#svg.dataset.state === condition) return
        this.#rest()
        clearTimeout(this.#wakes)
        this.#svg.toggleAttribute("data-wakes", getsUp)
        if (getsUp) this.#wakes = setTimeout(() => this.#svg.removeAttribute("data-wakes"), wakesFor)
        this.#svg.dataset.state = condition
        this.element.setAttribute("aria-label", this.words.say(`cat-${condition}`))
    }

    /** Something was taken from it at `place`, an element: its ears go back, and it looks there, and then at whoever did it. Its other faces on
     *  the page do as it does. */
    flinch(place) {
        clearTimeout(this.#flinch)
        clearTimeout(this.#away)
        this.#rest()
        const { x, y, width, height } = place.getBoundingClientRect()
        this.#lookAt(x + width / 2, y + height / 2)
        document.body.dataset.flinches = ""
        this.#flinch = setTimeout(() => { delete document.body.dataset.flinches }, flinchesFor)
        this.#away = setTimeout(() => this.#look(0, 0), staresFor)
    }

    #touched(finger) {
        clearTimeout(this.#away)
        this.#rest()
        const box = this.element.getBoundingClientRect()
        const [x, y] = [finger.x * innerWidth, finger.y * innerHeight]
        this.#lookAt(x, y)
        const isOver = x > box.left && x < box.right && y > box.top && y < box.bottom
        const last = this.#last
        this.#last = isOver ? { x, y, time: finger.time } : null
        if (!isOver || last === null) return
        const distance = Math.hypot(x - last.x, y - last.y) / Math.max(innerWidth, innerHeight)
        if (isStroke(distance, finger.time - last.time)) this.#stroke()
    }

    /** A place on the screen, in pixels. */
    #lookAt(x, y) {
        const box = this.element.getBoundingClientRect()
        this.#look((x - box.x - box.width / 2) / box.width, (y - box.y - box.height * 0.4) / box.height)
    }

    #look(x, y) {
        this.#svg.style.setProperty("--look-x", bounded(x))
        this.#svg.style.setProperty("--look-y", bounded(y))
    }

    #stroke() {
        clearTimeout(this.#lift)
        this.#svg.dataset.stroked = this.element.parentElement.dataset.stroked = ""
        this.#lift = setTimeout(() => {
            delete this.#svg.dataset.stroked
            delete this.element.parentElement.dataset.stroked
        }, handStays)
    }
}
