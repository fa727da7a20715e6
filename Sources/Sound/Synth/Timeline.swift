import Signals
import Units

/// The engine, together with its position on the sample clock.
///
/// A plain value, so that a copy is a checkpoint. To revise audio that was rendered ahead, the renderer goes back to a checkpoint and
/// renders again with other commands.
public struct Timeline: Sendable {
    public private(set) var engine: Engine
    /// The next frame that will be rendered.
    public private(set) var position: Frame = .zero

    @_noLocks @_noAllocation
    public init(_ settings: EngineSettings) { engine = Engine(settings) }

    /// Renders the frames before `frame` into `out`, from frame `start` on; none if the position is at or after `frame`. Returns the number
    /// of frames written.
    @_noLocks @_noAllocation
    public mutating func render(until frame: Frame, into out: inout MutableSpan<Float>, at start: Int) -> Int {
        render(until: frame, into: &out, at: start, nil)
    }

    /// Renders the frames before `frame`, as `render(until:into:at:)` does. `kept` has samples of notes that were computed before. It
    /// only saves work: the samples are the same without it.
    @_noLocks @_noAllocation
    mutating func render(until frame: Frame, into out: inout MutableSpan<Float>, at start: Int, _ kept: KeptNotes?) -> Int {
        let count = Int(frame.rawValue - position.rawValue)
        guard count > 0 else { return 0 }
        engine.render(into: &out, at: start, count: count, kept)
        position = frame
        return count
    }

    /// Applies a command at the next frame.
    @_noLocks @_noAllocation
    public mutating func apply(_ command: SynthCommand) { engine.apply(command) }

    /// Applies a command at the next frame. `number` identifies the command.
    @_noLocks @_noAllocation
    mutating func apply(_ command: SynthCommand, number: UInt64) { engine.apply(command, number: number) }
}

/// Copies of the timeline at regular distances. The newest ones are stored, up to a fixed number. Thread: render.
// Safe to send: the slots belong to this value alone, which cannot be copied.
struct Checkpoints: ~Copyable, @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Timeline>
    private let capacity: Int64
    /// The number of frames from one checkpoint to the next.
    let spacing: Int64
    /// The number of the latest checkpoint so far, counted from frame 0.
    private var furthest: Int64 = 0

    /// Allocates room for the checkpoints of the latest `reach` frames.
    init(_ settings: EngineSettings, reach: FrameCount) {
        // About 20 ms: little has to be rendered twice, and copies are rare.
        spacing = max(32, Int64(settings.rate.hertz) / 47)
        capacity = reach.rawValue / spacing + 2
        slots = .allocate(capacity: Int(capacity))
        slots.initialize(repeating: Timeline(settings), count: Int(capacity))
    }

    deinit { slots.deallocate() }

    /// Returns the first frame after `frame` at which there is a checkpoint.
    @_noLocks @_noAllocation
    func next(after frame: Frame) -> Frame { Frame((frame.rawValue / spacing + 1) * spacing) }

    /// Stores `timeline` if its position is that of a checkpoint, before the commands of that frame are applied. The timeline is only read.
    /// It is `inout` so that its 17 KiB are copied only once.
    @_noLocks @_noAllocation
    mutating func keep(_ timeline: inout Timeline) {
        let (index, rest) = timeline.position.rawValue.quotientAndRemainder(dividingBy: spacing)
        guard rest == 0 else { return }
        slots[Int(index % capacity)] = timeline
        furthest = max(furthest, index)
    }

    /// Sets `timeline` back to the last checkpoint at or before `frame`. Returns false when that checkpoint has been overwritten.
    @_noLocks @_noAllocation
    func restore(_ timeline: inout Timeline, notAfter frame: Frame) -> Bool {
        let index = frame.rawValue / spacing
        let slot = slots + Int(index % capacity)
        guard slot.pointee.position.rawValue == index * spacing else { return false }
        timeline = slot.pointee
        return true
    }

    /// The earliest frame from which audio can be rendered again.
    var oldest: Frame {
        @_noLocks @_noAllocation get { Frame(max(0, furthest - capacity + 1) * spacing) }
    }
}
