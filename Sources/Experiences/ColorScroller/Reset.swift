import Experience
import Signals

extension ColorScroller {
    /// The feed begins anew, as for the next visitor: another seed, nothing unlocked, the tone at its start. What this visitor came to is
    /// the last session's, if it counts. The run and its clock go on.
    mutating func reset(at time: Double) -> Effects {
        let memory = memory
        let seed = Draws(state.seed, for: .reset).bits(0)
        var next = State(seed: seed, curve: state.curve, tuning: state.tuning, memory)
        next.timeOfDay = state.timeOfDay
        next.pace = Pace(from: time)
        next.began = time
        next.lastSign = time
        state = next
        // In a moment, not at once: a finger may be down.
        var effects = Effects(cues: [.tonePitch(state.tone.pitch, glide: .milliseconds(50)), .toneLevel(state.tone.level)])
        effects.tell(FeedBegun(index: state.feed.index))
        effects += tellHour(at: time)
        effects.tell(counters)
        effects.wake = wake(after: time)
        return effects
    }
}
