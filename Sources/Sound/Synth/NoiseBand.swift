import Signals
import Units

/// Noise between two frequencies. Its distribution is nearly Gaussian, and it is the same on every run.
///
/// White noise at a half, a quarter or an eighth of the sample rate passes a fourth-order Butterworth high-pass and a low-pass. Cubic
/// B-splines interpolate its values; with `spacing` as chosen here, the images of the band are 70 dB lower. Noise is computed in groups of
/// eight frames, and a group's samples depend only on the group's number.
struct NoiseBand {
    /// The distance from one noise value to the next, in frames.
    private let spacing: Int
    private let seed: UInt64
    private let gain: Double
    private var drawn: UInt64 = 0
    private var sections: InlineArray<4, Section>
    /// The noise values around the current group, oldest first: those that begin in the group, and three more.
    private var values = InlineArray<7, Float>(repeating: 0)

    /// The noise power that a fourth-order Butterworth low-pass passes, relative to a band as wide as its edge frequency:
    /// π/8 ÷ sin(π/8).
    private static var noiseWidth: Double { @_noLocks @_noAllocation get { 1.0261722 } }

    /// Creates a silent noise.
    @_noLocks @_noAllocation
    init() {
        spacing = 8
        seed = 0
        gain = 0
        sections = InlineArray(repeating: Section())
    }

    /// Creates the noise of a band. Its RMS will be `magnitude`.
    @_noLocks @_noAllocation
    init(_ band: Texture.Band, magnitude: Double, seed: UInt64, rate: SampleRate) {
        let hertz = Double(rate.hertz)
        // The upper edge is at most a twelfth of the values' rate. There, the splines attenuate by 0.4 dB.
        spacing = band.high.rawValue * 96 <= hertz ? 8 : band.high.rawValue * 48 <= hertz ? 4 : 2
        self.seed = seed
        let valueRate = hertz / Double(spacing)
        let high = min(band.high.rawValue, valueRate * 0.45)
        let low = min(band.low.rawValue, high / Texture.narrowest)
        // Uniform noise in −1…1 has a variance of 1/3, which is spread evenly over the frequencies up to half the rate.
        let power = Self.noiseWidth * (high - low) / (valueRate / 2) / 3
        gain = magnitude * exp2(-0.5 * log2(power))
        // The Q factors of the two sections of a fourth-order Butterworth filter: 1 / (2 cos 22.5°) and 1 / (2 cos 67.5°).
        sections = InlineArray(repeating: Section(highPass: low / valueRate, quality: 0.5411961))
        sections[1] = Section(highPass: low / valueRate, quality: 1.3065630)
        sections[2] = Section(lowPass: high / valueRate, quality: 0.5411961)
        sections[3] = Section(lowPass: high / valueRate, quality: 1.3065630)
        for index in 0..<(8 / spacing + 3) { values[index] = next() }
    }

    /// The eight samples of the current group.
    var samples: SIMD8<Float> {
        @inline(__always) @_noLocks @_noAllocation get {
            if spacing == 8 {
                // The positions of the frames between the values are constant here, and so are the spline's weights.
                return joined(SIMD8(repeating: values[unchecked: 0]), SIMD8(repeating: values[unchecked: 1]),
                              SIMD8(repeating: values[unchecked: 2]), SIMD8(repeating: values[unchecked: 3]),
                              at: SIMD8(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875))
            }
            var a = SIMD8<Float>(), b = SIMD8<Float>(), c = SIMD8<Float>(), d = SIMD8<Float>()
            for lane in 0..<8 {
                let first = lane / spacing
                a[lane] = values[first]
                b[lane] = values[first + 1]
                c[lane] = values[first + 2]
                d[lane] = values[first + 3]
            }
            return joined(a, b, c, d, at: floats(laneOffsets & Int32(truncatingIfNeeded: spacing - 1)) * (1 / Float(spacing)))
        }
    }

    /// Interpolates by cubic splines, each over four values. `u` is the position between the second and the third value, 0…1.
    @inline(__always) @_noLocks @_noAllocation
    private func joined(_ a: SIMD8<Float>, _ b: SIMD8<Float>, _ c: SIMD8<Float>, _ d: SIMD8<Float>, at u: SIMD8<Float>) -> SIMD8<Float> {
        let v = 1 - u
        // The four weights of the uniform cubic B-spline.
        let atA = v * v * v
        let atB = (u * 3 - 6) * u * u + 4
        let atC = (v * 3 - 6) * v * v + 4
        let atD = u * u * u
        var sum = a * atA + b * atB
        sum += c * atC
        sum += d * atD
        return sum * (1 / 6)
    }

    /// Moves to the next group of eight frames.
    @inline(__always) @_noLocks @_noAllocation
    mutating func advance() {
        if spacing == 8 {
            for index in 0..<3 { values[unchecked: index] = values[unchecked: index &+ 1] }
            values[unchecked: 3] = next()
            return
        }
        let fresh = 8 / spacing
        for index in 0..<3 { values[unchecked: index] = values[unchecked: index &+ fresh] }
        for index in 3..<(3 &+ fresh) { values[unchecked: index] = next() }
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func next() -> Float {
        var value = uniform(drawn, seed: seed)
        drawn &+= 1
        for index in 0..<4 { value = sections[unchecked: index].pass(value) }
        return Float(value * gain)
    }

    /// A second-order filter in transposed direct form II. Its coefficients come from the bilinear transform: R. Bristow-Johnson, Audio EQ
    /// Cookbook.
    private struct Section {
        private let b0, b1, a1, a2: Double
        private var s1 = 0.0
        private var s2 = 0.0

        @_noLocks @_noAllocation
        init() { (b0, b1, a1, a2) = (0, 0, 0, 0) }

        /// Creates a low-pass. `edge` is a frequency in turns a sample.
        @_noLocks @_noAllocation
        init(lowPass edge: Double, quality: Double) {
            let (cosine, alpha, norm) = Self.terms(edge, quality)
            b0 = (1 - cosine) / 2 * norm
            b1 = (1 - cosine) * norm
            a1 = -2 * cosine * norm
            a2 = (1 - alpha) * norm
        }

        @_noLocks @_noAllocation
        init(highPass edge: Double, quality: Double) {
            let (cosine, alpha, norm) = Self.terms(edge, quality)
            b0 = (1 + cosine) / 2 * norm
            b1 = -(1 + cosine) * norm
            a1 = -2 * cosine * norm
            a2 = (1 - alpha) * norm
        }

        @_noLocks @_noAllocation
        private static func terms(_ edge: Double, _ quality: Double) -> (cosine: Double, alpha: Double, norm: Double) {
            let phase = UInt32(edge * 0x1p32)
            var phases = SIMD8<UInt32>(repeating: phase)
            phases[1] = phase &+ 0x4000_0000
            let both = sine(phases)
            let alpha = Double(both[0]) / (2 * quality)
            return (Double(both[1]), alpha, 1 / (1 + alpha))
        }

        @inline(__always) @_noLocks @_noAllocation
        mutating func pass(_ x: Double) -> Double {
            let y = b0 * x + s1
            s1 = b1 * x - a1 * y + s2
            s2 = b0 * x - a2 * y
            return y
        }
    }
}

/// Returns a uniformly distributed number from −1 to 1 for each `index`: the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA
/// 2014).
@inline(__always) @_noLocks @_noAllocation
func uniform(_ index: UInt64, seed: UInt64) -> Double {
    var bits = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(Int64(bitPattern: bits)) * 0x1p-63
}
