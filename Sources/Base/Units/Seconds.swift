/// A span of time in seconds, for settings; inside the core time is counted in frames.
@frozen
public struct Seconds: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }
    @inlinable @_noLocks @_noAllocation public static func milliseconds(_ value: Double) -> Seconds { Seconds(value / 1000) }

    /// Within which everything is silent after a stop.
    @inlinable public static var stopTime: Seconds { @_noLocks @_noAllocation get { .milliseconds(10) } }

    @inlinable public static var zero: Seconds { @_noLocks @_noAllocation get { Seconds(0) } }

    @inlinable @_noLocks @_noAllocation public static func < (a: Seconds, b: Seconds) -> Bool { a.rawValue < b.rawValue }
}
