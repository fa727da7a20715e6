import Synth
import Units

/// Follows whether others keep the sound from being heard: by muting the sink or the stream, or turning them down to nothing. A plain
/// value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct AttenuationWatch {
    enum Change: Equatable {
        /// Nothing is heard from this frame of commands on.
        case silent(from: Frame)
        /// Everything is.
        case heard(from: Frame)
    }

    private var isInaudible = false

    /// Nil when there is nothing new. What is told begins no later than the silence, and ends no earlier. `delay` is how long others may
    /// have had it so before it was noticed, in nanoseconds. `latency` is the engine's.
    ///
    /// While nothing is connected nobody says what others do, and all is as it was.
    mutating func change(_ report: OutputReport, at now: Int64, noticedWithin delay: Int64, latency: FrameCount) -> Change? {
        guard report.state == .connected, report.attenuation.isInaudible != isInaudible else { return nil }
        isInaudible = report.attenuation.isInaudible
        // What the sink has taken may still be played as it was.
        let frame = isInaudible ? report.heard(at: now - delay) : report.heard(at: now) + report.sinkBlock
        let command = Frame(frame.rawValue - latency.rawValue)
        return isInaudible ? .silent(from: command) : .heard(from: command)
    }
}
