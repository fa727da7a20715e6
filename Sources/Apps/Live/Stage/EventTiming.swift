import Fields
import Signals
import Synth
import Units
import Wire

/// Calculates at which frame of the output an event is due. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds) and
/// the output's report.
struct EventTiming {
    /// The largest age of an event when it is reported, in nanoseconds.
    static let oldest: Int64 = 10_000_000_000

    /// When an event is acted on.
    enum Turn: Equatable {
        /// The event is acted on at once. `stamp` is when it happened (CLOCK_MONOTONIC, nanoseconds); nil where it happens now.
        case atOnce(stamp: Int64?)
        /// The event is acted on later, so that it is heard at `heard` (CLOCK_MONOTONIC, nanoseconds).
        case planned(heard: Int64)
    }

    let rate: SampleRate
    /// The time from a command to its first sample, in frames: the limiter's look-ahead.
    let latency: FrameCount

    /// Returns when an event is due. An event without a stamp is heard as soon as possible. An event that happened at `stamp` is heard a
    /// constant time later, so that events keep their rhythm.
    func due(_ now: Int64, stamp: Int64? = nil, _ report: OutputReport) -> Due {
        let prompt = Frame(report.clock.frame(at: now).rawValue - latency.rawValue)
        let steady = Frame(report.clock.frame(at: stamp ?? now).rawValue - latency.rawValue) + report.eventToSound
        guard stamp == nil else { return Due(max(steady, prompt), deadline: steady, stamp: stamp) }
        // The sound server may have to be asked for the time first, so the deadline is a millisecond later.
        return Due(prompt, deadline: steady + rate.frames(in: .milliseconds(1)))
    }

    /// Returns when to act on an event that is to be heard at `moment`; nil stands for as soon as possible. It is planned for later if
    /// `moment` is at most `Moment.horizon` ahead. Otherwise it is acted on at once, and may be refused then.
    func turn(of moment: Moment?, at now: Int64) -> Turn {
        let heard: Int64? = switch moment {
        case .at(let moment)?: moment
        case .after(let milliseconds)?: now + Int64(milliseconds * 1e6)
        case nil: nil
        }
        if let heard, (now + 1...now + Moment.horizon).contains(heard) { return .planned(heard: heard) }
        return .atOnce(stamp: heard)
    }

    /// Returns the stamp that an event must have in order to be heard at `heard`, provided that the output's `eventToSound` does not
    /// change. Both are CLOCK_MONOTONIC in nanoseconds.
    func stamp(for heard: Int64, eventToSound: FrameCount) -> Int64 { heard - eventToSound.rawValue * 1_000_000_000 / Int64(rate.hertz) }

    /// Returns when the piece must be woken so that its tick is placed at exactly `frame` of the output; nil until the output has reported
    /// which frame is heard when.
    func moment(forTickAt frame: Frame, _ report: OutputReport) -> Int64? {
        guard report.clock.framesPerNanosecond > 0 else { return nil }
        return stamp(for: report.clock.moment(of: frame + latency), eventToSound: report.eventToSound)
    }

    /// Throws for an event that happened more than 10 s ago, or in the future. `stamp` is when it happened; nil for now.
    func check(_ stamp: Int64?, at now: Int64) throws(Fault) {
        guard let stamp, !(now - Self.oldest...now).contains(stamp) else { return }
        throw Fault(field: "at", expected: "a moment from 10 s ago to 10 min ahead (CLOCK_MONOTONIC, nanoseconds)",
                    found: "\(Double(stamp - now) / 1e9) s from now")
    }

    /// Returns the time stamp of one of our own touchscreens, moved into the range that `check` accepts. So the end of a touch counts even
    /// after the process stood still for a while.
    func accepted(_ stamp: Int64, at now: Int64) -> Int64 { min(now, max(stamp, now - Self.oldest)) }

    /// Returns in how many nanoseconds a stop that is sent now will have faded out at the listener.
    func timeToStop(_ report: OutputReport) -> Int64 {
        let wait = report.eventToSound + report.sinkBlock + rate.frames(in: .stopTime)
        return wait.rawValue * 1_000_000_000 / Int64(rate.hertz)
    }
}
