/// Keeps the time of the whole house (installation): the time of the wall clock, but without its jumps.
///
/// `SteadyClock` follows small corrections of the wall clock. When the wall clock jumps by more than `largestCorrection`, `SteadyClock`
/// goes on as before, until somebody accepts the jump or the wall clock comes back. It reads no clock itself: callers pass the readings.
public struct SteadyClock: Equatable, Sendable {
    /// The times of the machine's clocks at one moment.
    public struct Reading: Equatable, Sendable {
        /// The time of the wall clock, in seconds since 1970-01-01 in UTC.
        public var wall: Double
        /// The time of a clock that nobody sets and that goes on while the machine sleeps, in seconds since some fixed moment.
        public var steady: Double
        /// Whether the system reports that the wall clock is synchronized, for instance by NTP.
        public var isSynchronized: Bool

        public init(wall: Double, steady: Double, isSynchronized: Bool = false) {
            self.wall = wall
            self.steady = steady
            self.isSynchronized = isSynchronized
        }
    }

    /// The largest step of the wall clock, in seconds, that counts as a correction and is followed.
    public static let largestCorrection = 300.0

    /// The seconds by which the wall clock is ahead of this clock, negative where it is behind; nil while no jump waits to be accepted.
    public private(set) var jump: Double?
    /// The seconds by which this clock is ahead of `Reading.steady`.
    private var offset: Double
    /// Whether `Reading.isSynchronized` was true in any reading so far.
    private var wasSynchronized: Bool

    /// Starts at the wall clock's time in `reading`. That time is assumed to be right.
    public init(_ reading: Reading) {
        offset = reading.wall - reading.steady
        wasSynchronized = reading.isSynchronized
    }

    /// Returns the time in seconds since 1970-01-01 in UTC. `reading` must not be earlier than the reading before.
    ///
    /// While this clock's own time cannot be right (`LocalClock.isBelievable`), it follows every jump of the wall clock. It also follows
    /// the wall clock's step at the first synchronization: a machine without a battery starts with the time at which it was switched off.
    public mutating func time(at reading: Reading) -> Double {
        let found = reading.wall - reading.steady
        let isFirstSet = reading.isSynchronized && !wasSynchronized
        wasSynchronized = wasSynchronized || reading.isSynchronized
        let wasSet = LocalClock.isBelievable(Int((reading.steady + offset).rounded(.down)))
        if !wasSet || isFirstSet || abs(found - offset) <= Self.largestCorrection {
            offset = found
            jump = nil
        } else {
            jump = found - offset
        }
        return reading.steady + offset
    }

    /// Accepts the jump: from now on this clock follows the wall clock again. Returns the seconds by which this clock's time has grown,
    /// negative for a step back. While no jump waits, it changes nothing and returns nil.
    public mutating func accept() -> Double? {
        guard let jump else { return nil }
        offset += jump
        self.jump = nil
        return jump
    }
}
