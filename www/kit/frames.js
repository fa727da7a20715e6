// What is drawn, counted: told to the engine once a second, so that whoever tends the screen notices a page that has stopped, and measured.

const kept = 3000

export class Frames {
    count = 0
    /** Milliseconds from frame to frame, and from a finger's move to the frame after the one that shows it, of the last. */
    intervals = []
    inputs = []
    #last = null
    #input = null

    constructor(engine) {
        // Whoever tends the screen gave it this name, and a word that no other page knows.
        const wishes = new URLSearchParams(location.search)
        const [screen, word] = ["kiosk", "word"].map(wish => wishes.get(wish) || undefined)
        const step = now => {
            this.#drawn(now)
            requestAnimationFrame(step)
        }
        requestAnimationFrame(step)
        // A page that stands still says nothing: to an engine that has just come back the same number would be news.
        let told = 0
        setInterval(() => {
            if (this.count !== told) engine.tell("page.drew", { frames: this.count, screen, word })
            told = this.count
        }, 1000)
    }

    /** A finger's event of this time is being drawn. */
    moved(time) { this.#input ??= { time, isDrawn: false } }

    #drawn(now) {
        this.count += 1
        if (this.#last !== null) keep(this.intervals, now - this.#last)
        this.#last = now
        if (this.#input === null) return
        // The first frame after an event draws it; when the second begins, it has been handed on.
        if (this.#input.isDrawn) {
            keep(this.inputs, performance.now() - this.#input.time)
            this.#input = null
        } else {
            this.#input.isDrawn = true
        }
    }
}

/** The value that `part` of them do not pass; null of none. */
export function quantile(values, part) {
    const sorted = [...values].sort((a, b) => a - b)
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] : null
}

function keep(values, value) {
    values.push(value)
    if (values.length > kept) values.shift()
}
