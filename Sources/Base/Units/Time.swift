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

/// Frames per second, 8,000 to 192,000.
@frozen
public struct SampleRate: Hashable, Sendable, BitwiseCopyable {
    public let hertz: Int32

    public static let supported: ClosedRange<Int> = 8_000...192_000
    public static let standard = SampleRate(unchecked: 48_000)

    /// Creates a rate; nil outside `supported`.
    public init?(_ hertz: Int) {
        guard Self.supported.contains(hertz) else { return nil }
        self.hertz = Int32(hertz)
    }

    private init(unchecked hertz: Int32) { self.hertz = hertz }

    /// Returns the nearest whole number of frames in `time`. A time that is not finite, or longer than about 1,500 years at 192 kHz, counts
    /// as zero.
    @_noLocks @_noAllocation
    public func frames(in time: Seconds) -> FrameCount {
        let exact = time.rawValue * Double(hertz) + (time.rawValue < 0 ? -0.5 : 0.5)
        guard exact > -0x1p53, exact < 0x1p53 else { return .zero }
        return FrameCount(Int64(exact))
    }

    /// Returns the whole frames in a span of nanoseconds, rounded down.
    public func frames(inNanoseconds nanoseconds: Int64) -> FrameCount {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return FrameCount(seconds * Int64(hertz) + rest * Int64(hertz) / 1_000_000_000)
    }

    /// Returns the duration of `count` frames.
    public func seconds(in count: FrameCount) -> Seconds {
        Seconds(Double(count.rawValue) / Double(hertz))
    }

    /// Returns the advance of a 32-bit phase per frame: f / rate · 2³², to the nearest step (1.1e-5 Hz at 48 kHz). Zero for a frequency
    /// that is negative or not a number, and just under half a turn from half the rate on.
    @_noLocks @_noAllocation
    public func phaseIncrement(_ frequency: Hertz) -> UInt32 {
        let turns = frequency.rawValue / Double(hertz)
        guard turns > 0 else { return 0 }
        return turns < 0.5 ? UInt32(turns * 0x1p32 + 0.5) : 0x7FFF_FFFF
    }
}

/// A span of time in seconds, for settings. Inside the core time is counted in frames.
@frozen
public struct Seconds: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }
    @inlinable @_noLocks @_noAllocation public static func milliseconds(_ value: Double) -> Seconds { Seconds(value / 1000) }

    /// The time within which everything is silent after a stop.
    @inlinable public static var stopTime: Seconds { @_noLocks @_noAllocation get { .milliseconds(10) } }

    @inlinable public static var zero: Seconds { @_noLocks @_noAllocation get { Seconds(0) } }

    @inlinable @_noLocks @_noAllocation public static func < (a: Seconds, b: Seconds) -> Bool { a.rawValue < b.rawValue }
}

extension Seconds {
    /// Writes the time as people say moments and lengths: `0:09`, `1:30.250`, and from an hour on `1:02:03`. Rounds to `digits` decimals, 0
    /// to 3. A negative time is 0.
    public func clock(_ digits: Int = 0) -> String {
        let unit = [1, 10, 100, 1_000][min(max(0, digits), 3)]
        // Beyond 2⁵³ a double has no fractions.
        let whole = Int(min(max(0, rawValue * Double(unit)), 9e15).rounded())
        let seconds = whole / unit
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let fraction = digits > 0 ? "." + padded(whole % unit, digits) : ""
        let minutes = seconds / 60
        let start = minutes < 60 ? "\(minutes)" : "\(minutes / 60):" + padded(minutes % 60, 2)
        return start + ":" + padded(seconds % 60, 2) + fraction
    }
}

/// A frequency in hertz.
@frozen
public struct Hertz: RawRepresentable, Comparable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }

    @inlinable @_noLocks @_noAllocation public static func < (a: Hertz, b: Hertz) -> Bool { a.rawValue < b.rawValue }

    /// Returns this frequency raised by `semitones` (twelve to the octave, equal temperament).
    public func raised(bySemitones semitones: Double) -> Hertz {
        Hertz(rawValue * exp2(semitones / 12))
    }
}
