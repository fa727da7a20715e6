import Units

/// A value that moves to another along a raised cosine, one step a frame.
///
/// Every value is a function of the steps taken, never of the value before, so frames may be computed in any grouping.
struct Ramp {
    private var from: Float
    private(set) var target: Float
    /// The ramp's length in frames, below 2²⁴ so that a step converts to Float exactly.
    private var length: Int32
    private var taken: Int32
    private var perStep: Float

    @_noLocks @_noAllocation
    init(at value: Float) {
        from = value
        target = value
        length = 0
        taken = 0
        perStep = 0
    }

    /// The frames until the target is reached; 0 at rest.
    var remaining: Int {
        @_noLocks @_noAllocation get { Int(length - taken) }
    }

    /// The value of the last frame computed.
    var value: Float {
        @_noLocks @_noAllocation get {
            if remaining == 0 { return target }
            // The curve's own start is rounded to 1e-8; where nothing has moved yet, nothing may.
            return taken == 0 ? from : at(SIMD8(repeating: taken))[0]
        }
    }

    /// Heads for `target` from wherever the value is, to be there in `frames`.
    @_noLocks @_noAllocation
    mutating func head(for target: Float, in frames: Int) {
        let steps = Int32(clamping: max(0, min(frames, 1 << 23)))
        from = value
        self.target = target
        length = steps
        taken = 0
        perStep = steps > 0 ? 1 / Float(steps) : 0
    }

    /// The next eight values; only the first `remaining` are meant to be used.
    var next: SIMD8<Float> {
        @inline(__always) @_noLocks @_noAllocation get {
            remaining == 0 ? SIMD8(repeating: target) : at(laneOffsets &+ (taken + 1))
        }
    }

    /// Takes `frames` steps, at most `remaining` unless at rest.
    @inline(__always) @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        taken = min(length, taken + Int32(truncatingIfNeeded: frames))
    }

    @inline(__always) @_noLocks @_noAllocation
    private func at(_ step: SIMD8<Int32>) -> SIMD8<Float> {
        let values = raisedCosine(floats(step) * perStep) * (target - from) + from
        // Comparing lane by lane costs more than all the rest, and only the last steps need it.
        return step[7] < length ? values : values.replacing(with: target, where: step .>= length)
    }
}

/// Turns the sound down and up again, each along a raised cosine, for a mute or a volume.
struct Gain {
    private var gain = Ramp(at: 1)

    @_noLocks @_noAllocation
    init() {}

    /// Heads for a magnitude of 0…1, to be there in `frames`.
    @_noLocks @_noAllocation
    mutating func head(for magnitude: Float, in frames: Int) { gain.head(for: magnitude, in: frames) }

    /// Advances as if it had acted on `count` samples.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) { gain.advance(count) }

    /// Applies the gain to `count` samples of `span` from `start` on, eight at a time, because a fade of seconds is often under way when
    /// audio is revised.
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
