// The endless row of cards: follows the finger, lands by a spring, and has the next three painted. Each card is a layer of its own with a
// bitmap that is painted once, so a frame that scrolls changes nothing but two transforms.

import { Signals } from "../kit/signals.js"
import { Spring } from "../kit/spring.js"
import { isCalm } from "../kit/motion.js"
import { follow } from "./paging.js"
import { CardView } from "./card-view.js"
import { asDrawn } from "./grays.js"

const ahead = 3, behind = 1
const settledWithin = 0.0005 // heights

/** Signals `swiped` with the finger, where the page goes ahead of the engine; `stepped` with the card that a key asks for; `shown` with the
 * index of the card to be. Where touches are the engine's, it is the engine that says where to go. */
export class Feed extends Signals {
    /** The card that is shown, or that the feed is on its way to. */
    index = 0
    #position = 0
    #cards = new Map()
    #views = new Map()
    #spare = []
    #drag = null
    #spring = null
    #heldUntil = 0
    #isFrozen = true
    #willDraw = false

    /** `board` is the element of card 0. `makePrompt` makes what every card has at its bottom. */
    constructor(element, { board, makePrompt, fingers, frames }) {
        super()
        Object.assign(this, { element, frames, makePrompt })
        this.board = new CardView(board, makePrompt("begin"))
        fingers.on("began", finger => this.#began(finger))
        fingers.on("moved", finger => this.#moved(finger))
        fingers.on("ended", finger => this.#ended(finger))
        addEventListener("resize", () => this.#mountAgain())
        addEventListener("keydown", event => {
            const step = { ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1 }[event.key]
            if (!step || event.target.closest("dialog, aside") || this.index + step < 0) return
            this.#step(step)
        })
        // Who explores by touch taps twice where others swipe.
        element.addEventListener("explored", event => {
            event.preventDefault()
            this.#step(1)
        })
        this.#mount()
    }

    card(index) { return this.#cards.get(index) }

    /** The view of the card that is shown. */
    get view() { return this.#views.get(this.index) }

    /** Cards as the engine has them, those that were there before among them. */
    put(cards) {
        for (const card of cards) this.#cards.set(card.index, card)
        for (const index of this.#cards.keys()) if (Math.abs(index - this.index) > 40) this.#cards.delete(index)
        this.#mount()
    }

    /** A feed anew, at this card. */
    restart(index, cards) {
        this.#cards.clear()
        this.#spring = null
        this.#drag = null
        this.#heldUntil = 0
        this.index = this.#position = index
        this.put(cards)
        this.emit("shown", index)
    }

    /** The feed stands still for so many milliseconds. */
    hold(milliseconds) { this.#heldUntil = performance.now() + milliseconds }

    /** Shows which way it goes, where no finger has. */
    bump() {
        if (this.#drag || this.#spring || isCalm()) return
        this.#land(1.2)
    }

    /** Nothing pages while nobody knows what comes. */
    freeze(isFrozen) { this.#isFrozen = isFrozen }

    get isHeld() { return this.#isFrozen || performance.now() < this.#heldUntil }

    /** Goes to a card because the engine is there. */
    goTo(index) {
        if (index === this.index) return
        this.#show(index)
        if (!this.#drag) this.#land(0)
    }

    /** The last card that is known without a gap. */
    get #last() {
        let last = this.index
        while (this.#cards.has(last + 1) && last < this.index + ahead) last += 1
        return last
    }

    #began(finger) {
        if (this.#drag || !finger.isOnSurface) return
        this.#drag = { id: finger.id, start: this.#position, way: 0 }
        this.#spring = null
    }

    #moved(finger) {
        if (this.#drag?.id !== finger.id) return
        this.#drag.way = finger.startY - finger.y
        this.#position = follow(this.#drag.start, this.#drag.way, this.#last, this.isHeld)
        this.frames.moved(finger.time)
        this.#draw()
    }

    #ended(finger) {
        if (this.#drag?.id !== finger.id) return
        this.#drag = null
        // Whoever taps, or holds, or swipes sideways is shown which way it goes.
        const isAtRest = Math.abs(this.#position - this.index) < 0.02
        if (!finger.swipe) return isAtRest && finger.target.closest("#feed") ? this.bump() : this.#land(-finger.velocity)
        this.emit("swiped", finger)
        this.#turn(finger.swipe.direction === "up" ? 1 : -1, -finger.velocity)
    }

    #step(step) {
        this.emit("stepped", this.index + step)
        this.#turn(step, 2 * step)
    }

    /** Goes a card on or back, as far as there is one. */
    #turn(step, velocity) {
        const next = Math.min(this.#last, Math.max(0, this.index + step))
        if (!this.isHeld && next !== this.index) this.#show(next)
        this.#land(this.isHeld ? 0 : velocity)
    }

    #show(index) {
        this.index = index
        this.#mount()
        this.emit("shown", index)
    }

    #land(velocity) {
        if (isCalm()) {
            if (Math.abs(this.#position - this.index) > 0.02) this.view?.fadeIn()
            this.#position = this.index
        } else {
            this.#spring = { path: new Spring({ from: this.#position, to: this.index, velocity }), since: performance.now() }
        }
        this.#draw()
    }

    #draw() {
        if (this.#willDraw) return
        this.#willDraw = true
        requestAnimationFrame(() => {
            this.#willDraw = false
            this.#frame(performance.now())
        })
    }

    #frame(now) {
        if (this.#spring) {
            const { path, since } = this.#spring
            const time = (now - since) / 1000
            this.#position = path.value(time)
            if (path.isSettled(time, settledWithin)) {
                this.#position = this.index
                this.#spring = null
            }
        }
        for (const [index, view] of this.#views) view.place(index - this.#position)
        const isSettled = !this.#spring && !this.#drag
        if (this.element.dataset.settled !== String(isSettled)) this.element.dataset.settled = isSettled
        if (this.#spring) this.#draw()
    }

    /** Views for the card that is shown and those around it, made anew where a card has changed. */
    #mount() {
        const wanted = [0, ...Array.from({ length: ahead }, (_, n) => n + 1), ...Array.from({ length: behind }, (_, n) => -n - 1)]
            .map(step => this.index + step).filter(index => index >= 0)
        // What still shows while the feed is on its way stays.
        const near = index => Math.abs(index - this.#position) < 1.5
        for (const [index, view] of this.#views) {
            if (wanted.includes(index) || near(index)) continue
            this.#views.delete(index)
            view.element.hidden = true
            if (view !== this.board) this.#spare.push(view)
        }
        for (const index of wanted) {
            const view = this.#views.get(index) ?? this.#fresh(index)
            this.#views.set(index, view)
            view.depth = index
            if (index > 0) view.show(asDrawn(...[index, index - 1, index + 1].map(place => this.#cards.get(place))))
        }
        for (const [index, view] of this.#views) view.setCurrent(index === this.index)
        this.element.dataset.index = this.index
        this.#draw()
    }

    #fresh(index) {
        const view = index === 0 ? this.board : this.#spare.pop()
        if (view) {
            view.element.hidden = false
            return view
        }
        const element = document.createElement("div")
        element.className = "card"
        this.element.append(element)
        return new CardView(element, this.makePrompt("keepScrolling"))
    }

    #mountAgain() {
        for (const view of this.#views.values()) view.forget()
        this.#mount()
    }
}

