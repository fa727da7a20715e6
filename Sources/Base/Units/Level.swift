/// A level in decibels relative to full scale: 0 dBFS is a sample magnitude of 1.
@frozen
public struct Decibels: RawRepresentable, Comparable, Encodable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }

    @inlinable @_noLocks @_noAllocation public static func < (a: Decibels, b: Decibels) -> Bool { a.rawValue < b.rawValue }

    public static let fullScale = Decibels(0)
    /// The level that counts as silence: a volume this low or lower leaves no sound.
    public static var silence: Decibels { @_noLocks @_noAllocation get { Decibels(-120) } }

    /// The linear factor of this level: 10^(dB/20).
    public var magnitude: Magnitude {
        @_noLocks @_noAllocation get {
            Magnitude(Float(exp2(rawValue * log2Of10 / 20)))
        }
    }
}

/// A linear amplitude factor; 1 is full scale.
@frozen
public struct Magnitude: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Float

    @inlinable @_noLocks @_noAllocation public init(rawValue: Float) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Float) { rawValue = value }

    @inlinable @_noLocks @_noAllocation public static func < (a: Magnitude, b: Magnitude) -> Bool { a.rawValue < b.rawValue }

    /// The magnitude in decibels, 20·log10; nil for zero, negative and infinite magnitudes, which have no decibel value.
    public var decibels: Decibels? {
        rawValue > 0 && rawValue.isFinite ? Decibels(20 * log2(Double(rawValue)) / log2Of10) : nil
    }

    /// The magnitude for reports, in decibels rounded to a hundredth; −120 for any lower magnitude.
    public var reported: Double {
        let silence = Decibels.silence.rawValue
        return (max(silence, decibels?.rawValue ?? silence) * 100).rounded() / 100
    }
}

/// log2(10), OEIS A020862.
private let log2Of10 = 3.321928094887362

extension Span<Float> {
    /// Whether all samples are 0.
    public var isSilent: Bool {
        var start = 0
        while start < count {
            let end = Swift.min(start + 64, count)
            // In blocks of 64, which the compiler can vectorize.
            var bits: UInt32 = 0
            for index in start..<end { bits |= self[unchecked: index].bitPattern }
            // The shift drops the sign bit: −0 is silence, too.
            guard bits << 1 == 0 else { return false }
            start = end
        }
        return true
    }
}
