/// Converts Float samples to integers, rounding to the nearest (halves to even). Files and sound cards both use it, so they get the same
/// samples.
///
/// Thread: the owner's, and no other.
public struct Quantizer: Sendable {
    /// The largest integer sample: 32,767 for 16 bits.
    @usableFromInline let scale: Float
    @usableFromInline let dither: Bool
    /// The state of the generator of dither noise. It starts with a fixed seed, so that dithered files can be reproduced.
    @usableFromInline var noise: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates a quantizer. `bits` is 16 or 24. `dither` says whether noise is added before rounding.
    public init(bits: Int, dither: Bool) {
        scale = Float(1 << (bits - 1) - 1)
        self.dither = dither
    }

    /// Continues as if `samples` samples had been quantized.
    public mutating func skip(_ samples: Int64) {
        guard dither else { return }
        for _ in 0..<samples { step() }
    }

    /// Quantizes samples. −1…1 fills the range symmetrically, and larger samples are clipped. Each sample is written `channels` times
    /// to `out`, shifted left by `shift` bits.
    @inlinable @inline(__always) @_lifetime(out: copy out)
    public mutating func quantize<Whole: FixedWidthInteger>(_ samples: Span<Float>, channels: Int, shift: Int,
                                                     into out: inout MutableSpan<Whole>) {
        precondition(out.count == samples.count * channels, "every sample goes to every channel")
        if channels == 1, !dither, isSmall {
            // The loop uses local copies, which no store can change, and has no branch. So the compiler can process several samples at a
            // time.
            let scale = scale
            samples.withUnsafeBufferPointer { samples in
                out.withUnsafeMutableBufferPointer { out in
                    for index in samples.indices {
                        let clipped = max(-scale, min(scale, samples[index] * scale))
                        out[index] = Whole(truncatingIfNeeded: Self.roundSmall(clipped)) &<< Whole(truncatingIfNeeded: shift)
                    }
                }
            }
        } else {
            for index in samples.indices {
                let noise = dither ? triangular() : 0
                let value = Whole(truncatingIfNeeded: round(samples[index] * scale + noise)) << shift
                for channel in 0..<channels { out[index * channels + channel] = value }
            }
        }
    }

    @inlinable @inline(__always)
    func round(_ value: Float) -> Int32 {
        let clipped = max(-scale, min(scale, value))
        return isSmall ? Self.roundSmall(clipped) : Int32(clipped.rounded(.toNearestOrEven))
    }

    @inlinable var isSmall: Bool { scale < 0x1p22 }

    /// Rounds a value below 2²² to the nearest integer, halves to even. After adding 1.5·2²³, the integer stands in the low bits (IEEE
    /// 754).
    @inlinable @inline(__always)
    static func roundSmall(_ value: Float) -> Int32 {
        Int32(bitPattern: (value + 0x1.8p23).bitPattern) &- 0x4B40_0000
    }

    /// Returns noise with a triangular distribution (TPDF) over −1…1 steps, so that the quantization error is independent of the
    /// signal.
    @inlinable mutating func triangular() -> Float {
        step()
        let a = Float(noise >> 40) * 0x1p-24
        let b = Float(noise & 0xFF_FFFF) * 0x1p-24
        return a - b
    }

    /// Advances the generator by a step of xorshift64 (Marsaglia, Xorshift RNGs, 2003).
    @inlinable mutating func step() {
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
    }
}
