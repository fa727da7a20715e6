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
