/// What a sound server says about a stream, in frames of the stream from its start.
struct Timing {
    /// Taken by the sink.
    var read: Int64
    /// Written, by the server's count.
    var written: Int64
    /// For how long yet the sink plays what it has taken, in nanoseconds.
    var held: Int64
    /// When all this was so, CLOCK_MONOTONIC in nanoseconds.
    var moment: Int64
}

/// Frames to be written at once: rendered by `Player.render`, and put `offset` frames from where the stream was last written.
struct Stretch {
    var offset: Int64
    var count: Int64
}

/// How many frames of a change are written at a time. What is due first does not wait until the rest is rendered: each part is four times
/// as long as the one before, since the sound lasts so much longer until it is due.
struct ChangeParts: Sequence, IteratorProtocol {
    /// Frames not written yet.
    private(set) var left: Int64
    private var length: Int64

    /// `first` and `count` in frames.
    init(of count: Int64, first: Int64) {
        left = count
        length = first
    }

    mutating func next() -> Int64? {
        guard left > 0 else { return nil }
        let count = Swift.min(left, length)
        left -= count
        length *= 4
        return count
    }
}
