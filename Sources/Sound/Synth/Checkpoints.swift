import Units

/// Timelines as they were every so many frames, the newest of a fixed number. Thread: render.
// Safe to send, because the slots belong to this value alone, and it cannot be copied.
struct Checkpoints: ~Copyable, @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Timeline>
    private let capacity: Int64
    /// Frames from one to the next.
    let spacing: Int64
    /// The number, from frame 0, of the furthest checkpoint kept so far.
    private var furthest: Int64 = 0

    /// Room for the checkpoints of `reach` frames.
    init(_ settings: EngineSettings, reach: FrameCount) {
        // About 20 ms: little to render twice, and few to copy.
        spacing = max(32, Int64(settings.rate.hertz) / 47)
        capacity = reach.rawValue / spacing + 2
        slots = .allocate(capacity: Int(capacity))
        slots.initialize(repeating: Timeline(settings), count: Int(capacity))
    }

    deinit { slots.deallocate() }

    /// The first frame after `frame` at which a checkpoint is wanted.
    @_noLocks @_noAllocation
    func next(after frame: Frame) -> Frame { Frame((frame.rawValue / spacing + 1) * spacing) }

    /// Keeps `timeline` if it stands where a checkpoint is wanted: before the commands of that frame have been applied.
    @_noLocks @_noAllocation
    mutating func keep(_ timeline: Timeline) {
        let (index, rest) = timeline.position.rawValue.quotientAndRemainder(dividingBy: spacing)
        guard rest == 0 else { return }
        slots[Int(index % capacity)] = timeline
        furthest = max(furthest, index)
    }

    /// The last checkpoint at or before `frame`; nil when it has been overwritten since.
    @_noLocks @_noAllocation
    func last(notAfter frame: Frame) -> Timeline? {
        let index = frame.rawValue / spacing
        let timeline = slots[Int(index % capacity)]
        return timeline.position.rawValue == index * spacing ? timeline : nil
    }

    /// The first frame from which can be rendered again.
    var oldest: Frame {
        @_noLocks @_noAllocation get { Frame(max(0, furthest - capacity + 1) * spacing) }
    }
}
