/// A position on a sample clock, counted from its start.
@frozen
public struct Frame: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Int64

    @inlinable @_noLocks @_noAllocation public init(rawValue: Int64) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Int64) { rawValue = value }

    @inlinable public static var zero: Frame { @_noLocks @_noAllocation get { Frame(0) } }

    @inlinable @_noLocks @_noAllocation public static func < (a: Frame, b: Frame) -> Bool { a.rawValue < b.rawValue }
    @inlinable @_noLocks @_noAllocation public static func + (a: Frame, n: FrameCount) -> Frame { Frame(a.rawValue + n.rawValue) }
    @inlinable @_noLocks @_noAllocation public static func - (a: Frame, b: Frame) -> FrameCount { FrameCount(a.rawValue - b.rawValue) }
}

/// A distance on a sample clock, in frames; negative when it points back.
@frozen
public struct FrameCount: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Int64

    @inlinable @_noLocks @_noAllocation public init(rawValue: Int64) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Int64) { rawValue = value }

    @inlinable public static var zero: FrameCount { @_noLocks @_noAllocation get { FrameCount(0) } }

    @inlinable @_noLocks @_noAllocation public static func < (a: FrameCount, b: FrameCount) -> Bool { a.rawValue < b.rawValue }
    @inlinable @_noLocks @_noAllocation public static func + (a: FrameCount, b: FrameCount) -> FrameCount {
        FrameCount(a.rawValue + b.rawValue)
    }
}
