import Synth
import Units

/// Which of what was heard the hearing guard has accounted. A plain value, without a clock: whoever asks says what time it is
/// (CLOCK_MONOTONIC, nanoseconds).
struct HearingAccount {
    /// Up to this frame of the output.
    private var heardUntil = Frame.zero
    /// In which session, counted from 1.
    private var session = 0

    /// Has the house's guard account what was heard since it last did, about once a second. `sessions` have begun so far, and `start` is
    /// the frame at which the running one did; nil for none. `day` is nil while nobody knows which it is. `reading` tells how loud some
    /// frames were; nil when that is not known.
    mutating func account(_ report: OutputReport, at now: Int64, sessions: Int, start: Frame?, rate: SampleRate, day: Int?,
                          in house: inout House, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        // A guard that comes with a reload begins then, and not with the daemon.
        guard house.guardian != nil else { return heardUntil = heard }
        // Whoever comes next has ears of their own, and is not to find it turned down.
        if sessions != session || start == nil { house.beginSession() }
        if sessions != session, let start { heardUntil = max(heardUntil, start) }
        session = sessions
        let time = rate.seconds(in: heard - heardUntil)
        guard time >= Seconds(1) else { return }
        // Nobody heard what no server played.
        guard report.state != .waiting else { return heardUntil = heard }
        // What is known of the time stands for all of it; if nothing is, it waits for what comes next.
        guard let reading = reading(heardUntil..<heard) else { return }
        heardUntil = heard
        house.hear(weightedMeanSquare: reading.weightedMeanSquare, for: time, on: day)
    }
}

extension OutputReport {
    /// The frame that is heard at `now` (CLOCK_MONOTONIC, nanoseconds), as far as it is rendered.
    func heard(at now: Int64) -> Frame { min(clock.frame(at: now), rendered) }
}
