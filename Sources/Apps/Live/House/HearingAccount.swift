import Synth
import Units

/// Up to where the hearing guard has accounted what was heard. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
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
        // A guard that a reload brings begins with the reload.
        guard house.guardian != nil else { return heardUntil = heard }
        // The next visitor has a dose of their own, and must not find the sound turned down.
        if sessions != session || start == nil { house.beginSession() }
        if sessions != session, let start { heardUntil = max(heardUntil, start) }
        session = sessions
        let time = rate.seconds(in: heard - heardUntil)
        guard time >= Seconds(1) else { return }
        // Without a sound server nothing was heard.
        guard report.state != .waiting else { return heardUntil = heard }
        // A partial reading stands for the whole time. Without any, the time is accounted with the next reading.
        guard let reading = reading(heardUntil..<heard) else { return }
        heardUntil = heard
        house.hear(weightedMeanSquare: reading.weightedMeanSquare, for: time, on: day)
    }
}

extension OutputReport {
    /// The frame that is heard at `now` (CLOCK_MONOTONIC, nanoseconds), as far as it is rendered.
    func heard(at now: Int64) -> Frame { min(clock.frame(at: now), rendered) }
}
