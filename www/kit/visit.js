// Whether somebody is there, as the engine tells it.

import { Signals } from "./signals.js"

/** Signals `changed` with `{state, endsAt}`: `away`, `here`, or `leaving`, then with the moment, in milliseconds of `performance.now()`, at
 * which the visit will be over; `over` when a visit has ended; and `noticed` with whether a sensor says that somebody stands there. */
export class Visit extends Signals {
    state = "away"
    isNoticed = false

    constructor(engine) {
        super()
        engine.on("up", ({ snapshot }) => {
            this.#become(snapshot.state.hasSession ? "here" : "away")
            this.#notice(snapshot.state.isNoticed)
        })
        engine.on("state", ({ isNoticed }) => this.#notice(isNoticed))
        engine.on("session", ({ phase, endsIn }) => {
            if (phase === "leaving") return this.#become("leaving", performance.now() + endsIn * 1000)
            this.#become(phase === "ended" ? "away" : "here")
            if (phase === "ended") this.emit("over")
        })
    }

    #notice(isNoticed = false) {
        if (isNoticed === this.isNoticed) return
        this.isNoticed = isNoticed
        this.emit("noticed", isNoticed)
    }

    #become(state, endsAt = null) {
        this.state = state
        this.emit("changed", { state, endsAt })
    }
}
