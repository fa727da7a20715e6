import Units

/// A value on its way to another along a raised cosine, one step a frame.
///
/// Every value is a function of the steps taken, never of the one before, so frames may be computed in any grouping.
struct Ramp {
    private var from: Float
    private(set) var target: Float
    /// In frames, below 2²⁴ so that a step converts to Float exactly.
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

    /// Frames until the target is reached; 0 at rest.
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
