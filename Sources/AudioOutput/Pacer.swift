import Synth
import Units

/// Renders into nothing at the pace of the clock, so that time goes on where no sound server asks for frames: commands
/// take effect, and sound is in the right place when there is one again.
///
/// Thread: render.
struct Pacer: ~Copyable {
    /// How often it is worth being called.
    static let periodNanoseconds: Int64 = 5_000_000

    private let scratch: UnsafeMutableBufferPointer<Float>
    private let rate: SampleRate
    private var start: Int64
    private var rendered: Int64 = 0

    init(rate: SampleRate, now: Int64) {
        self.rate = rate
        start = now
        // A tenth of a second.
        scratch = .allocate(capacity: Int(rate.hertz) / 10)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    /// Counts time from `now` on.
    mutating func restart(now: Int64) {
        start = now
        rendered = 0
    }

    /// Renders the frames that have become due. After a standstill of more than a second (a suspended machine) it does
    /// not catch up.
    mutating func catchUp(_ renderer: inout Renderer, now: Int64, state: OutputState) {
        var due = rate.frames(inNanoseconds: now - start).rawValue - rendered
        if due > Int64(rate.hertz) {
            restart(now: now)
            due = 0
        }
        while due > 0 {
            let count = Int(min(due, Int64(scratch.count)))
            let part = UnsafeMutableBufferPointer(rebasing: scratch[..<count])
            var span = part.mutableSpan
            renderer.render(into: &span, now: now, state: state)
            rendered += Int64(count)
            due -= Int64(count)
        }
    }
}
