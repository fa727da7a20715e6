// What the cat does by itself while nobody touches it, so that somebody who passes sees that it lives.

import { isCalm } from "../kit/motion.js"

/** By condition. Who is weak keeps still. */
export const acts = {
    healthy: ["look", "yawn", "wash", "tap", "twitch", "stretch", "flick", "blink"],
    concerned: ["look", "twitch", "flick", "blink"],
    tired: ["yawn", "blink", "twitch"],
    weak: [],
    dead: [],
}

/** As long as in cat.css, milliseconds. */
export const lasts = { look: 3600, yawn: 2600, wash: 4200, tap: 2400, twitch: 900, stretch: 2200, flick: 2400, blink: 1100 }

const quiet = 5000, between = [2500, 6000] // milliseconds after a finger, and from one act to the next
const livelier = 3 // times as often where somebody stands there
/** What it does at once when somebody comes to stand there. */
const greeting = { healthy: "tap", concerned: "look", tired: "blink" }

/** Names in turn, in another order each time round, and none twice in a row. */
export class Deck {
    #left = []
    #last = null

    constructor(chance = Math.random) { this.chance = chance }

    next(names) {
        this.#left = this.#left.filter(name => names.includes(name))
        if (this.#left.length === 0) this.#left = names.map(name => [this.chance(), name]).sort(([a], [b]) => a - b).map(([, name]) => name)
        if (this.#left[0] === this.#last && names.length > 1) this.#left.push(this.#left.shift())
        this.#last = this.#left.shift() ?? null
        return this.#last
    }
}

export class Idle {
    #deck = new Deck()
    #timer = null
    #isWatched = false

    constructor(cat, fingers) {
        this.cat = cat
        for (const name of ["began", "moved", "ended"]) fingers.on(name, () => this.#wait(quiet))
        this.#wait(quiet)
    }

    /** Somebody stands there who has touched nothing yet, or nobody any more. */
    notice(isThere) {
        this.#isWatched = isThere
        const name = isThere && !isCalm() ? greeting[this.cat.condition] : undefined
        if (name === undefined) return
        this.cat.act(name, lasts[name])
        this.#wait(lasts[name] + between[0] / livelier)
    }

    #wait(milliseconds) {
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#act(), milliseconds)
    }

    #act() {
        const name = isCalm() ? null : this.#deck.next(acts[this.cat.condition] ?? [])
        if (name !== null) this.cat.act(name, lasts[name])
        const pause = between[0] + Math.random() * (between[1] - between[0])
        this.#wait((lasts[name] ?? 0) + pause / (this.#isWatched ? livelier : 1))
    }
}
