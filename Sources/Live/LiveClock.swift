import Synth
import Units

/// Maps moments to frames that can still be rendered.
///
/// What has been asked for by the last render call is out of reach; an event that comes some time after that call is due
/// as much after the last frame rendered. So the delay from event to sound is the same wherever in a block it falls.
struct LiveClock {
    /// Added so that a call that comes a little early does not find its event just missed.
    static let lead = Seconds.milliseconds(1)

    /// No render call is further apart than this while time goes on; after a standstill it goes on from where it was.
    static let longestBlock: Int64 = 250_000_000

    let rate: SampleRate

    /// The frame at which an event of time `nanoseconds` (CLOCK_MONOTONIC) is due.
    func frame(at nanoseconds: Int64, after anchor: ClockAnchor) -> Frame {
        let elapsed = min(max(0, nanoseconds - anchor.nanoseconds), Self.longestBlock)
        return anchor.frame + rate.frames(inNanoseconds: elapsed) + rate.frames(in: Self.lead)
    }
}
