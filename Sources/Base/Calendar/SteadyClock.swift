/// The house's time: the wall clock's, carried on by a clock that never jumps.
///
/// It follows the wall clock while that goes steadily. When the wall clock jumps by more than `largestCorrection`, this clock goes on as
/// before, until somebody accepts the jump or the wall clock comes back. A plain value: the caller reads the machine's clocks.
public struct SteadyClock: Equatable, Sendable {
    /// The times of the machine's clocks at one moment.
    public struct Reading: Equatable, Sendable {
        /// The time of the wall clock, in seconds since 1970-01-01 in UTC.
        public var wall: Double
        /// The time of a clock that nobody sets and that goes on while the machine sleeps, in seconds since any moment.
        public var steady: Double
        /// Whether something is known to keep the wall clock right.
        public var isSynchronized: Bool

        public init(wall: Double, steady: Double, isSynchronized: Bool = false) {
            self.wall = wall
            self.steady = steady
            self.isSynchronized = isSynchronized
        }
    }

    /// The largest step in seconds that counts as a correction, which is followed.
    public static let largestCorrection = 300.0

    /// The seconds by which the wall clock is ahead of this one, negative where it is behind; nil while no jump waits.
    public private(set) var jump: Double?
    /// The seconds by which this clock is ahead of the clock that nobody sets.
    private var offset: Double
    /// Whether the wall clock was known to be right at any reading.
    private var wasSynchronized: Bool

    /// Starts with the wall clock of `reading`, which is believed.
    public init(_ reading: Reading) {
        offset = reading.wall - reading.steady
        wasSynchronized = reading.isSynchronized
    }

    /// Returns the time in seconds since 1970-01-01 in UTC. `reading` is no earlier than the one before.
    ///
    /// A clock that could not be right (`LocalClock.isBelievable`) is followed wherever it goes. So is the step by which the wall clock
    /// becomes synchronized for the first time: a machine without a battery begins at the time at which it was switched off.
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

    /// Accepts the jump: the wall clock's time counts from now on. Returns the seconds by which that is later than before; nil, and nothing
    /// changes, while no jump waits.
    public mutating func accept() -> Double? {
        guard let jump else { return nil }
        offset += jump
        self.jump = nil
        return jump
    }
}
