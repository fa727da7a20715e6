/// Frames per second, 8,000 to 192,000.
@frozen
public struct SampleRate: Hashable, Sendable, BitwiseCopyable {
    public let hertz: Int32

    public static let supported: ClosedRange<Int> = 8_000...192_000
    public static let standard = SampleRate(unchecked: 48_000)

    /// Nil outside `supported`.
    public init?(_ hertz: Int) {
        guard Self.supported.contains(hertz) else { return nil }
        self.hertz = Int32(hertz)
    }

    private init(unchecked hertz: Int32) { self.hertz = hertz }

    /// The nearest whole number of frames in `time`; a time that is not finite or longer than about 1,500 years at
    /// 192 kHz counts as zero.
    @_noLocks @_noAllocation
    public func frames(in time: Seconds) -> FrameCount {
        let exact = time.rawValue * Double(hertz) + (time.rawValue < 0 ? -0.5 : 0.5)
        guard exact > -0x1p53, exact < 0x1p53 else { return .zero }
        return FrameCount(Int64(exact))
    }

    /// Whole frames in a span of nanoseconds, rounded down.
    public func frames(inNanoseconds nanoseconds: Int64) -> FrameCount {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return FrameCount(seconds * Int64(hertz) + rest * Int64(hertz) / 1_000_000_000)
    }

    /// The duration of `count` frames.
    public func seconds(in count: FrameCount) -> Seconds {
        Seconds(Double(count.rawValue) / Double(hertz))
    }

    /// How far a 32-bit phase turns per frame: f / rate · 2³², to the nearest step (1.1e-5 Hz at 48 kHz).
    /// Below zero, not a number: no turn. At and above half the rate: just under half a turn.
    @_noLocks @_noAllocation
    public func phaseIncrement(_ frequency: Hertz) -> UInt32 {
        let turns = frequency.rawValue / Double(hertz)
        guard turns > 0 else { return 0 }
        return turns < 0.5 ? UInt32(turns * 0x1p32 + 0.5) : 0x7FFF_FFFF
    }
}
