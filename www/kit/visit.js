// Whether somebody is there, as the engine tells it.

import { Signals } from "./signals.js"

/** Signals `changed` with `{state, endsAt}`: `away`, `here`, or `leaving`, then with the moment, in milliseconds of `performance.now()`, at
 * which the visit will be over; and `over` when a visit has ended. */
export class Visit extends Signals {
    state = "away"

    constructor(engine) {
        super()
        engine.on("up", ({ snapshot }) => this.#become(snapshot.state.hasSession ? "here" : "away"))
        engine.on("session", ({ phase, endsIn }) => {
            if (phase === "leaving") return this.#become("leaving", performance.now() + endsIn * 1000)
            this.#become(phase === "ended" ? "away" : "here")
            if (phase === "ended") this.emit("over")
        })
    }

    #become(state, endsAt = null) {
        this.state = state
        this.emit("changed", { state, endsAt })
    }
}
