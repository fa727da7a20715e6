// What time it is for the engine. It says CLOCK_MONOTONIC in nanoseconds; the page counts milliseconds since it was loaded.

const readings = 8

export class Clock {
    #offsets = []

    /** The engine said `nanoseconds`, between two moments of the page's clock. */
    learn(nanoseconds, asked, answered) {
        this.#offsets.push({ trip: answered - asked, offset: nanoseconds / 1e6 - (asked + answered) / 2 })
        if (this.#offsets.length > readings) this.#offsets.shift()
    }

    /** A moment of the engine's as one of the page's, in milliseconds; null before anything is known. The quickest of the last answers
     * counts, because it says it most exactly. */
    toPage(nanoseconds) {
        if (this.#offsets.length === 0) return null
        const best = this.#offsets.reduce((a, b) => (b.trip < a.trip ? b : a))
        return nanoseconds / 1e6 - best.offset
    }
}
