import Units

/// How far the tone's phase turns per frame, steady or gliding geometrically (in equal musical steps).
struct Pitch {
    /// In 2⁻³² turns per frame.
    private(set) var increment: UInt32
    private var target: UInt32
    private var exact: Double
    private var ratio = 1.0
    private var remaining = 0

    @_noLocks @_noAllocation
    init(increment: UInt32) {
        self.increment = increment
        target = increment
        exact = Double(increment)
    }

    var isGliding: Bool {
        @_noLocks @_noAllocation get { remaining > 0 }
    }

    /// Arrives at `target` after `frames`; at once for 0.
    @_noLocks @_noAllocation
    mutating func head(for target: UInt32, in frames: Int) {
        self.target = target
        remaining = frames
        if frames > 0, increment > 0, target > 0 {
            exact = Double(increment)
            ratio = exp2(log2(Double(target) / exact) / Double(frames))
        } else {
            remaining = 0
            increment = target
        }
    }

    /// Turns `phase` on by `frames`. One frame at a time while gliding, so that any grouping adds up to the same.
    @inline(__always) @_noLocks @_noAllocation
    mutating func turn(_ phase: inout UInt32, by frames: Int) {
        var left = frames
        while left > 0, remaining > 0 {
            phase = phase &+ increment
            remaining -= 1
            exact *= ratio
            increment = remaining == 0 ? target : UInt32(exact)
            left -= 1
        }
        phase = phase &+ increment &* UInt32(truncatingIfNeeded: left)
    }
}
