import Units

/// The samples last rendered, to tell whether rendering them again makes a difference. Thread: render.
// Safe to send, because the samples belong to this value alone, and it cannot be copied.
struct SentFrames: ~Copyable, @unchecked Sendable {
    private let samples: UnsafeMutablePointer<Float>
    private let mask: Int
    private let channels: Int

    /// Room for at least the last `reach` frames.
    init(reach: FrameCount, channels: Int) {
        self.channels = channels
        var capacity = 1
        while capacity < Int(reach.rawValue) * channels { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
    }

    deinit { samples.deallocate() }

    /// Keeps `count` frames of `span` from frame `start` on as those from `frame` on.
    @_noLocks @_noAllocation
    mutating func keep(_ span: borrowing MutableSpan<Float>, at start: Int, count: Int, as frame: Frame) {
        let position = Int(frame.rawValue) * channels
        for index in 0..<count * channels { samples[(position + index) & mask] = span[start * channels + index] }
    }

    /// Whether the frames from `frame` on are, bit for bit, the first `count` frames of `span`.
    @_noLocks @_noAllocation
    func agree(with span: borrowing MutableSpan<Float>, count: Int, from frame: Frame) -> Bool {
        let position = Int(frame.rawValue) * channels
        for index in 0..<count * channels
        where samples[(position + index) & mask].bitPattern != span[unchecked: index].bitPattern { return false }
        return true
    }
}
