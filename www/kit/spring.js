// A damped spring, in closed form: where it is does not depend on how often one looks.

/** `response` is the period without damping, in seconds; `damping` is 1 where it just does not swing, and less where it does. */
export class Spring {
    constructor({ from, to, velocity = 0, response = 0.35, damping = 0.86 }) {
        this.to = to
        this.decay = damping * 2 * Math.PI / response
        const swing = 2 * Math.PI / response * Math.sqrt(Math.max(0, 1 - damping * damping))
        this.swing = swing
        this.a = from - to
        this.b = swing > 0 ? (velocity + this.decay * this.a) / swing : velocity + this.decay * this.a
    }

    /** After `time` seconds. */
    value(time) {
        return this.to + Math.exp(-this.decay * time) * (this.swing > 0
            ? this.a * Math.cos(this.swing * time) + this.b * Math.sin(this.swing * time)
            : this.a + this.b * time)
    }

    /** Units per second after `time` seconds. */
    velocity(time) {
        const { decay, swing, a, b } = this
        const fade = Math.exp(-decay * time)
        if (swing === 0) return fade * (b - decay * (a + b * time))
        return fade * ((b * swing - decay * a) * Math.cos(swing * time) - (a * swing + decay * b) * Math.sin(swing * time))
    }

    /** Whether it stays within `distance` of its end from `time` on. */
    isSettled(time, distance) {
        const reach = this.swing > 0 ? Math.hypot(this.a, this.b) : Math.abs(this.a) + Math.abs(this.b) * time
        return Math.exp(-this.decay * time) * reach < distance
    }
}
