import Units

/// A value that moves to another along a raised cosine, by one step a frame.
///
/// Each value depends only on the number of steps taken, and not on the value before. So frames may be computed in groups of any size.
struct Ramp {
    private var from: Float
    private(set) var target: Float
    /// The ramp's length in frames. It is below 2²⁴, so that the number of a step can be converted to Float exactly.
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

    /// The number of frames until the target is reached; 0 at rest.
    var remaining: Int {
        @_noLocks @_noAllocation get { Int(length - taken) }
    }

    /// The value at the last computed frame.
    var value: Float {
        @_noLocks @_noAllocation get {
            if remaining == 0 { return target }
            // The curve's first value is only right to 1e-8. A ramp that has not moved yet must return its start exactly.
            return taken == 0 ? from : at(SIMD8(repeating: taken))[0]
        }
    }

    /// Starts to move to `target` from the present value. The target is reached after `frames`.
    @_noLocks @_noAllocation
    mutating func head(for target: Float, in frames: Int) {
        let steps = Int32(clamping: max(0, min(frames, 1 << 23)))
        from = value
        self.target = target
        length = steps
        taken = 0
        perStep = steps > 0 ? 1 / Float(steps) : 0
    }

    /// The next eight values. Only the first `remaining` of them may be used.
    var next: SIMD8<Float> {
        @inline(__always) @_noLocks @_noAllocation get {
            remaining == 0 ? SIMD8(repeating: target) : at(laneOffsets &+ (taken + 1))
        }
    }

    /// Takes `frames` steps: at most `remaining`, or any number at rest.
    @inline(__always) @_noLocks @_noAllocation
    mutating func advance(_ frames: Int) {
        taken = min(length, taken + Int32(truncatingIfNeeded: frames))
    }

    @inline(__always) @_noLocks @_noAllocation
    private func at(_ step: SIMD8<Int32>) -> SIMD8<Float> {
        let values = raisedCosine(floats(step) * perStep) * (target - from) + from
        // Comparing lane by lane costs more than everything else here, and only the last steps need it.
        return step[7] < length ? values : values.replacing(with: target, where: step .>= length)
    }
}

/// Turns the sound down and up for a mute or a volume, along a raised cosine each time.
struct Gain {
    private var gain = Ramp(at: 1)

    @_noLocks @_noAllocation
    init() {}

    /// Whether the gain is 1 and does not change, so that nothing is turned down.
    var isWhole: Bool { @_noLocks @_noAllocation get { gain.target == 1 && gain.remaining == 0 } }

    /// Starts to move to a magnitude of 0…1. It is reached after `frames`.
    @_noLocks @_noAllocation
    mutating func head(for magnitude: Float, in frames: Int) { gain.head(for: magnitude, in: frames) }

    /// Advances by `count` samples without applying the gain.
    @_noLocks @_noAllocation
    mutating func advance(_ count: Int) { gain.advance(count) }

    /// Applies the gain to `count` samples of `span`, from `start` on. It computes eight samples at a time to save work: while a fade lasts
    /// for seconds, audio is often rendered anew.
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
