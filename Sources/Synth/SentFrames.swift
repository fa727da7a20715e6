import Units

/// The samples last rendered, to tell whether rendering them again makes a difference. Thread: render.
// Safe to send, because the samples belong to this value alone, and it cannot be copied.
struct SentFrames: ~Copyable, @unchecked Sendable {
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int

    /// Room for at least the last `reach` frames.
    init(reach: FrameCount) {
        var capacity = 1
        while capacity < Int(reach.rawValue) { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit { samples.deallocate() }

    /// Keeps `count` samples of `span` from `start` on as the frames from `frame` on.
    @_noLocks @_noAllocation
    mutating func keep(_ span: borrowing MutableSpan<Float>, at start: Int, count: Int, as frame: Frame) {
        let position = Int(frame.rawValue)
        for index in 0..<count { samples[(position + index) & mask] = span[unchecked: start &+ index] }
    }

    /// Whether the frames from `frame` on are, bit for bit, the first `count` samples of `span`.
    @_noLocks @_noAllocation
    func agree(with span: borrowing MutableSpan<Float>, count: Int, from frame: Frame) -> Bool {
        let position = Int(frame.rawValue)
        for index in 0..<count
        where samples[(position + index) & mask].bitPattern != span[unchecked: index].bitPattern { return false }
        return true
    }
}
