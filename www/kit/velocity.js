// How fast a finger is, and how fast it is slowing down.

const window = 100, rest = 80 // milliseconds

export class VelocityTracker {
    #samples = []

    /** `time` in milliseconds, `position` in anything. */
    add(time, position) {
        this.#samples.push({ time, position })
        while (time - this.#samples[0].time > window) this.#samples.shift()
    }

    /** Per second, when the finger leaves at `now`: the least-squares line through its last 100 ms. One that has rested before has none. */
    velocity(now) { return this.#hasRested(now) ? 0 : slope(this.#samples) }

    /** Per second in a second: how much slower the second half of those was than the first. */
    deceleration(now) {
        const samples = this.#hasRested(now) ? [] : this.#samples
        const middle = samples.length >> 1
        const [early, late] = [samples.slice(0, middle + 1), samples.slice(middle)]
        if (early.length < 2 || late.length < 2) return 0
        const seconds = (mean(late) - mean(early)) / 1000
        return seconds > 0 ? (Math.abs(slope(early)) - Math.abs(slope(late))) / seconds : 0
    }

    #hasRested(now) { return this.#samples.length === 0 || now - this.#samples.at(-1).time > rest }
}

const mean = samples => samples.reduce((sum, sample) => sum + sample.time, 0) / samples.length

function slope(samples) {
    if (samples.length < 2) return 0
    const time = mean(samples)
    let above = 0, below = 0
    for (const sample of samples) {
        above += (sample.time - time) * sample.position
        below += (sample.time - time) ** 2
    }
    return below > 0 ? 1000 * above / below : 0
}
