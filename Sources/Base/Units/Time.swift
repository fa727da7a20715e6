/// A position on a sample clock, in frames since the clock's start.
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

/// A distance on a sample clock, in frames; negative when it points backwards.
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

/// A sample rate in frames per second, 8,000 to 192,000.
@frozen
public struct SampleRate: Hashable, Sendable, BitwiseCopyable {
    public let hertz: Int32

    public static let supported: ClosedRange<Int> = 8_000...192_000
    public static let standard = SampleRate(unchecked: 48_000)

    /// Creates a rate; nil where `hertz` is not in `supported`.
    public init?(_ hertz: Int) {
        guard Self.supported.contains(hertz) else { return nil }
        self.hertz = Int32(hertz)
    }

    private init(unchecked hertz: Int32) { self.hertz = hertz }

    /// Returns the number of frames in `time`, rounded to the nearest. A time that is not finite, or longer than about 1,500 years at 192
    /// kHz, counts as zero.
    @_noLocks @_noAllocation
    public func frames(in time: Seconds) -> FrameCount {
        let exact = time.rawValue * Double(hertz) + (time.rawValue < 0 ? -0.5 : 0.5)
        guard exact > -0x1p53, exact < 0x1p53 else { return .zero }
        return FrameCount(Int64(exact))
    }

    /// Returns the number of frames in a span of nanoseconds, rounded down.
    public func frames(inNanoseconds nanoseconds: Int64) -> FrameCount {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return FrameCount(seconds * Int64(hertz) + rest * Int64(hertz) / 1_000_000_000)
    }

    /// Returns the duration of `count` frames.
    public func seconds(in count: FrameCount) -> Seconds {
        Seconds(Double(count.rawValue) / Double(hertz))
    }

    /// Returns by how much a 32-bit phase advances in each frame: f / rate · 2³², to the nearest step (1.1e-5 Hz at 48 kHz). A frequency
    /// that is negative or not a number gives zero. A frequency of half the sample rate or more gives just under half a turn.
    @_noLocks @_noAllocation
    public func phaseIncrement(_ frequency: Hertz) -> UInt32 {
        let turns = frequency.rawValue / Double(hertz)
        guard turns > 0 else { return 0 }
        return turns < 0.5 ? UInt32(turns * 0x1p32 + 0.5) : 0x7FFF_FFFF
    }
}

/// A span of time in seconds, as in settings and themes. Inside the core, time is counted in frames.
@frozen
public struct Seconds: RawRepresentable, Comparable, Encodable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }
    @inlinable @_noLocks @_noAllocation public static func milliseconds(_ value: Double) -> Seconds { Seconds(value / 1000) }

    /// The time after a stop within which all sound has faded out.
    @inlinable public static var stopTime: Seconds { @_noLocks @_noAllocation get { .milliseconds(10) } }

    @inlinable public static var zero: Seconds { @_noLocks @_noAllocation get { Seconds(0) } }

    @inlinable @_noLocks @_noAllocation public static func < (a: Seconds, b: Seconds) -> Bool { a.rawValue < b.rawValue }
}

extension Seconds {
    /// Writes the time as people do: `0:09`, `1:30.250`, and from an hour on `1:02:03`. Rounds to `digits` decimals, 0 to 3. A negative
    /// time is written as 0.
    public func clock(_ digits: Int = 0) -> String {
        let unit = [1, 10, 100, 1_000][min(max(0, digits), 3)]
        // From 2⁵³ on a double has no fraction, so nothing exact is lost by this bound.
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
public struct Hertz: RawRepresentable, Comparable, Encodable, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: Double

    @inlinable @_noLocks @_noAllocation public init(rawValue: Double) { self.rawValue = rawValue }
    @inlinable @_noLocks @_noAllocation public init(_ value: Double) { rawValue = value }

    @inlinable @_noLocks @_noAllocation public static func < (a: Hertz, b: Hertz) -> Bool { a.rawValue < b.rawValue }

    /// Returns the frequency that is `semitones` higher (twelve to the octave, equal temperament).
    public func raised(bySemitones semitones: Double) -> Hertz {
        Hertz(rawValue * exp2(semitones / 12))
    }
}
