import Calendar

/// The wall clock, as far as an experience knows it: by when its session began.
struct TimeOfDay: Codable, Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC, at the session's start.
    private(set) var start: Double
    private var utcOffset: Int
    /// By how much the clock has come to be ahead of `start` and the time since.
    private var shift = 0.0

    init(_ arrival: CivilTime) {
        start = arrival.instant
        utcOffset = arrival.utcOffset
    }

    /// It is `civilTime` `time` seconds after the session's start: the clock may have been set since, and the machine may have slept.
    mutating func follow(_ civilTime: CivilTime, at time: Double) {
        shift = civilTime.instant - (start + time)
        utcOffset = civilTime.utcOffset
    }

    /// When the local clock begins its next hour after `time`, in seconds since 1970-01-01 in UTC.
    func nextHour(after time: Double) -> Double { Double((hour(at: time) + 1) * 3600 - utcOffset) }

    /// In how many seconds after the session's start it is that instant.
    func time(of instant: Double) -> Double { instant - start - shift }

    /// Whole local hours since 1970-01-01, `time` seconds after the session's start.
    func hour(at time: Double) -> Int {
        let (hour, rest) = (Int(start + time + shift) + utcOffset).quotientAndRemainder(dividingBy: 3600)
        return rest < 0 ? hour - 1 : hour
    }

    /// Six hours each, the first from midnight, local time.
    func bucket(at time: Double) -> Int { ((hour(at: time) % 24) + 24) % 24 / 6 }
}
