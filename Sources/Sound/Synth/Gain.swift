import Units

/// Turns the sound down and up again, each along a raised cosine: a mute, a volume.
struct Gain {
    private var gain = Ramp(at: 1)

    @_noLocks @_noAllocation
    init() {}

    /// To that magnitude, 0…1, in so many frames.
    @_noLocks @_noAllocation
    mutating func head(for magnitude: Float, in frames: Int) { gain.head(for: magnitude, in: frames) }

    /// As if it had acted on `count` samples.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) { gain.advance(count) }

    /// Acts on `count` samples of `span` from `start` on. Eight at a time: a fade of seconds is under way whenever something is revised.
    @_noLocks @_noAllocation
    mutating func apply(to span: inout MutableSpan<Float>, at start: Int, count: Int) {
        var index = start
        let end = start + count
        while index < end, gain.remaining > 0 {
            let lanes = min(8, min(end - index, gain.remaining))
            let values = gain.next
            for lane in 0..<lanes { span[index &+ lane] *= values[lane] }
            gain.advance(lanes)
            index += lanes
        }
        guard gain.target < 1 else { return }
        let target = gain.target
        for rest in index..<end { span[rest] *= target }
    }
}
