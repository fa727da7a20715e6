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

    /// Keeps `timeline` if it stands where a checkpoint is wanted: before the commands of that frame have been applied. It is only read:
    /// given by its place, its 17 KiB are copied once.
    @_noLocks @_noAllocation
    mutating func keep(_ timeline: inout Timeline) {
        let (index, rest) = timeline.position.rawValue.quotientAndRemainder(dividingBy: spacing)
        guard rest == 0 else { return }
        slots[Int(index % capacity)] = timeline
        furthest = max(furthest, index)
    }

    /// Sets `timeline` back to the last checkpoint at or before `frame`. Returns false when that has been overwritten since.
    @_noLocks @_noAllocation
    func restore(_ timeline: inout Timeline, notAfter frame: Frame) -> Bool {
        let index = frame.rawValue / spacing
        let slot = slots + Int(index % capacity)
        guard slot.pointee.position.rawValue == index * spacing else { return false }
        timeline = slot.pointee
        return true
    }

    /// The first frame from which can be rendered again.
    var oldest: Frame {
        @_noLocks @_noAllocation get { Frame(max(0, furthest - capacity + 1) * spacing) }
    }
}
