import Signals
import Units

/// What the tone is made of: sines at whole multiples of its frequency.
struct Timbre {
    private var count = 0
    private var ratios = InlineArray<8, UInt32>(repeating: 1)
    private var magnitudes = InlineArray<8, Float>(repeating: 0)

    /// Partials out of range are left out.
    @_noLocks @_noAllocation
    init(_ partials: TonePartials) {
        for index in 0..<max(0, min(partials.count, partials.partials.count)) {
            let partial = partials.partials[index]
            guard partial.ratio >= 1, partial.ratio <= 32, partial.level.rawValue > -200 else { continue }
            ratios[count] = UInt32(truncatingIfNeeded: partial.ratio)
            magnitudes[count] = min(1, partial.level.magnitude.rawValue)
            count += 1
        }
    }

    /// One partial, which is the tone itself.
    var isSine: Bool {
        @_noLocks @_noAllocation get { count == 1 && ratios[0] == 1 && magnitudes[0] == 1 }
    }

    /// Of a tone of these phases, which turns on by these increments, in 2⁻³² turns a frame.
    ///
    /// A partial at or above half the rate would fold back. So it fades out on its way from 0.35 to 0.45 of the rate, evenly in hertz. Each
    /// lane follows from its own phase and increment alone, so any grouping of frames gives the same bits.
    @inline(__always) @_noLocks @_noAllocation
    func samples(_ phases: SIMD8<UInt32>, _ increments: SIMD8<UInt32>) -> SIMD8<Float> {
        // Increments are below 2³¹.
        let turns = floats(SIMD8<Int32>(truncatingIfNeeded: increments)) * 0x1p-32
        var sum = SIMD8<Float>(repeating: 0)
        for index in 0..<count {
            let ratio = ratios[index]
            let left = (SIMD8<Float>(repeating: 0.45) - turns * Float(ratio)) * 10
            let fade = left.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1))
            sum += sine(phases &* ratio) * (fade * magnitudes[index])
        }
        return sum
    }
}
