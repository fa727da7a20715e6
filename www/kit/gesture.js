// What a finger's way comes to, by the same arithmetic as the engine's (GestureRecognizer): so a page that is ahead of the engine seldom
// guesses wrong. The engine has the last word.

const clickReach = 0.03 // of the width or height
const swipeReach = 0.05, dragReach = 0.5 // heights
const swipeVelocity = 0.3 // heights per second
const window = 100 // milliseconds

/** The way of one finger. Times are milliseconds of any one clock, positions 0 to 1. */
export class Way {
    #start
    #recent
    #reach = 0

    constructor(time, x, y) {
        this.#start = { time, x, y }
        this.#recent = [this.#start]
    }

    add(time, x, y) {
        this.#reach = Math.max(this.#reach, Math.abs(x - this.#start.x), Math.abs(y - this.#start.y))
        this.#recent.push({ time, x, y })
        this.#recent = this.#recent.filter(sample => time - sample.time <= window)
    }

    /** Whether it went nowhere. */
    get isClick() { return this.#reach < clickReach }

    /** Heights per second, downwards: the slope of the straight line nearest to the last 100 ms. */
    get velocity() { return slope(this.#recent) ?? 0 }

    /** `direction`, `velocity` and `deceleration` as the protocol has them; null where it is no swipe. */
    get swipe() {
        const end = this.#recent.at(-1)
        const way = end.y - this.#start.y
        if (this.isClick || Math.abs(way) < swipeReach || Math.abs(way) <= Math.abs(end.x - this.#start.x)) return null
        const velocity = this.velocity
        const isThrown = Math.abs(velocity) >= swipeVelocity
        if (isThrown ? velocity * way <= 0 : Math.abs(way) < dragReach) return null
        return { direction: way < 0 ? "up" : "down", velocity: Math.min(1000, Math.abs(velocity)), deceleration: this.#deceleration() }
    }

    /** By how much it was slowing down at last, in heights per second in a second; undefined of too few samples. */
    #deceleration() {
        const samples = this.#recent
        const middle = samples.length >> 1
        const [before, after] = [slope(samples.slice(0, middle + 1)), slope(samples.slice(middle))]
        const seconds = (samples.at(-1).time - samples[0].time) / 2000
        if (middle < 2 || before === null || after === null || seconds <= 0) return undefined
        return Math.max(-100_000, Math.min(100_000, (Math.abs(before) - Math.abs(after)) / seconds))
    }
}

/** Heights per second; null where all samples are of one moment. */
function slope(samples) {
    const mean = key => samples.reduce((sum, sample) => sum + sample[key], 0) / samples.length
    const [time, place] = [mean("time"), mean("y")]
    let above = 0, below = 0
    for (const sample of samples) {
        above += (sample.time - time) * (sample.y - place)
        below += (sample.time - time) ** 2
    }
    return below > 0 ? 1000 * above / below : null
}
