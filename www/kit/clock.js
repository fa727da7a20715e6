// What time it is for the engine. It says CLOCK_MONOTONIC in nanoseconds; the page counts milliseconds since it was loaded.

const readings = 8

export class Clock {
    #offsets = []

    /** The engine said `nanoseconds`, between two moments of the page's clock. */
    learn(nanoseconds, asked, answered) {
        this.#offsets.push({ trip: answered - asked, offset: nanoseconds / 1e6 - (asked + answered) / 2 })
        if (this.#offsets.length > readings) this.#offsets.shift()
    }

    /** What to add to the page's milliseconds for the engine's; null before anything is known. Short by what an answer took at most, so
     * that nothing seems to happen before it has. */
    get shift() {
        const best = this.#best
        return best ? best.offset - best.trip / 2 : null
    }

    /** A moment of the engine's as one of the page's, in milliseconds; null before anything is known. The quickest of the last answers
     * counts, because it says it most exactly. */
    toPage(nanoseconds) {
        const best = this.#best
        return best ? nanoseconds / 1e6 - best.offset : null
    }

    get #best() { return this.#offsets.reduce((a, b) => (a === null || b.trip < a.trip ? b : a), null) }
}
