/// A frequency in hertz.
@frozen
public struct Hertz: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }

    @inlinable @_noLocks @_noAllocation public static func < (a: Hertz, b: Hertz) -> Bool { a.rawValue < b.rawValue }

    /// This frequency raised by `semitones` (twelve to the octave, equal temperament).
    public func raised(bySemitones semitones: Double) -> Hertz {
        Hertz(rawValue * exp2(semitones / 12))
    }
}
