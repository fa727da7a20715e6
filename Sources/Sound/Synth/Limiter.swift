import Units

/// A look-ahead limiter, followed by a clipper: no sample exceeds the ceiling.
///
/// For each sample, the gain that it needs is computed. The smallest gain within the window (a sliding minimum) is released slowly, and
/// then averaged over the window (a box filter). So the gain has come down smoothly by the time the loud sample leaves the delay. Gains are
/// integers, where 2³⁰ means one: their sum has no rounding errors, and at rest the output equals the input bit for bit.
struct Limiter {
    /// The delay from input to output in frames, 1 ms.
    let latency: Int
    /// The number of samples that were turned down so far.
    private(set) var limited: UInt64 = 0

    private static var one: Int32 { @_noLocks @_noAllocation get { 1 << 30 } }

    private var ceiling: Float
    /// The magnitude that no output exceeds. While the ceiling moves, it is the higher of the two ceilings.
    private var bound: Float
    private var course: Ramp
    /// The number of frames for which the ceiling still counts as moving.
    private var unrest = 0
    /// The number of frames that a move of the ceiling takes.
    private let moveTime: Int
    private let window: Int
    /// The part of the remaining distance to one by which the gain rises in each frame, in 2⁻³².
    private let releaseRate: Int64
    /// The gains that the samples in the window need; `released` has their released gains. There are up to 193 of each: 1 ms at 192 kHz,
    /// and one more.
    private var needed = InlineArray<193, Int32>(repeating: one)
    private var released = InlineArray<193, Int32>(repeating: one)
    private var slot = 0
    private var minimum = one
    private var minimumAge = 0
    private var gain = one
    private var sum: Int64

    @_noLocks @_noAllocation
    init(rate: SampleRate, ceiling: Decibels) {
        latency = Int(rate.hertz) / 1000
        window = latency + 1
        self.ceiling = min(1, ceiling.magnitude.rawValue)
        bound = self.ceiling
        course = Ramp(at: self.ceiling)
        // After 50 ms no sample exceeds the new ceiling, the delay included.
        moveTime = Int(rate.hertz) / 20 - 2 * window
        // The time constant is 100 ms, with the approximation 1 − e^(−1/n) ≈ 1/n.
        releaseRate = Int64(0x1p32 / (Double(rate.hertz) * 0.1))
        sum = Int64(window) * Int64(Self.one)
    }

    /// Whether the gain is one, and no sample in the delay needs a smaller one.
    private var isResting: Bool {
        @_noLocks @_noAllocation get {
            sum == Int64(window) * Int64(Self.one) && gain == Self.one && minimum == Self.one
        }
    }

    /// Whether silence would pass through and leave the limiter as it is.
    var passesSilence: Bool { @_noLocks @_noAllocation get { unrest == 0 && isResting } }

    /// Moves the ceiling to `level` within 50 ms. The move is slow enough that it does not click where samples are turned down.
    @_noLocks @_noAllocation
    mutating func setCeiling(_ level: Decibels) {
        let target = min(1, level.magnitude.rawValue)
        guard target != course.target else { return }
        course.head(for: target, in: moveTime)
        bound = max(bound, target)
        // Samples in the delay came in while a higher ceiling applied.
        unrest = moveTime + window
    }

    @_noLocks @_noAllocation
    private mutating func move() {
        course.advance(1)
        ceiling = course.value
        unrest -= 1
        if unrest == 0 { bound = ceiling }
    }

    /// Takes `count` new samples, which follow the `latency` old ones at the start of `line`. Writes as many samples to every `stride`th
    /// place of `out` from `start` on, and moves the samples that are still in the delay to the start of `line`.
    @_noLocks @_noAllocation @_lifetime(line: copy line) @_lifetime(out: copy out)
    mutating func process(_ line: inout MutableSpan<Float>, count: Int, into out: inout MutableSpan<Float>,
                          at start: Int, stride: Int) {
        if unrest == 0, isResting, isWithinCeiling(line, count: count) {
            // A loop of its own, which the compiler turns into a copy of whole vectors.
            if stride == 1 {
                for index in 0..<count { out[unchecked: start &+ index] = line[unchecked: index] }
            } else {
                for index in 0..<count { out[unchecked: start &+ index &* stride] = line[unchecked: index] }
            }
        } else {
            for index in 0..<count {
                if unrest > 0 { move() }
                // An infinite sample, or one that is not a number, cannot be scaled down: silence is the only safe value.
                if !line[unchecked: latency + index].isFinite { line[unchecked: latency + index] = 0 }
                let gain = nextGain(for: line[unchecked: latency + index])
                let sample = line[unchecked: index] * gain
                out[unchecked: start &+ index &* stride] = max(-bound, min(bound, sample))
                if gain < 1 { limited += 1 }
            }
        }
        for index in 0..<latency { line[unchecked: index] = line[unchecked: count &+ index] }
    }

    @inline(__always) @_noLocks @_noAllocation
    private func isWithinCeiling(_ line: borrowing MutableSpan<Float>, count: Int) -> Bool {
        // As integers, the bits of magnitudes have the same order. Infinity and NaN come after all other values.
        let limit = Int32(bitPattern: ceiling.bitPattern)
        var largest: Int32 = 0
        for index in latency..<(latency + count) {
            largest = max(largest, Int32(bitPattern: line[unchecked: index].bitPattern & 0x7FFF_FFFF))
        }
        return largest <= limit
    }

    /// Returns the gain for the sample that leaves the delay when `sample` enters it.
    @inline(__always) @_noLocks @_noAllocation
    private mutating func nextGain(for sample: Float) -> Float {
        let magnitude = sample.magnitude
        let need = magnitude > ceiling ? Int32(ceiling / magnitude * 0x1p30) : Self.one
        needed[slot] = need
        minimumAge += 1
        if need <= minimum {
            minimum = need
            minimumAge = 0
        } else if minimumAge >= window {
            findMinimum()
        }
        let step = max(1, (Int64(Self.one - gain) * releaseRate) >> 32)
        gain = Int32(min(Int64(minimum), Int64(gain) + step))
        sum += Int64(gain - released[slot])
        released[slot] = gain
        slot = slot + 1 == window ? 0 : slot + 1
        return sum == Int64(window) * Int64(Self.one) ? 1 : Float(sum) / (Float(window) * 0x1p30)
    }

    @_noLocks @_noAllocation
    private mutating func findMinimum() {
        minimum = Self.one
        minimumAge = 0
        // From the newest sample back, so that of equal gains the newest one is found.
        for back in 0..<window {
            let index = slot >= back ? slot - back : slot - back + window
            if needed[index] < minimum {
                minimum = needed[index]
                minimumAge = back
            }
        }
    }
}
