import Calendar

/// The wall clock's time as far as the piece knows it.
struct TimeOfDay: Codable, Equatable, Sendable {
    /// The session's start, in seconds since 1970-01-01 in UTC.
    private(set) var start: Double
    private var utcOffset: Int
    /// The seconds by which the wall clock is ahead of `start` plus the time since the session's start.
    private var shift = 0.0

    init(_ arrival: CivilTime) {
        start = arrival.instant
        utcOffset = arrival.utcOffset
    }

    /// Adopts `civilTime`, the wall clock's time, which was read `time` seconds after the session's start. It may differ from `start` plus
    /// `time`, because the clock may have been set, or the machine may have slept.
    mutating func follow(_ civilTime: CivilTime, at time: Double) {
        shift = civilTime.instant - (start + time)
        utcOffset = civilTime.utcOffset
    }

    /// Returns the beginning of the next local hour, in seconds since 1970-01-01 in UTC. `time` is in seconds since the session's start.
    func nextHour(after time: Double) -> Double { Double((hour(at: time) + 1) * 3600 - utcOffset) }

    /// Returns the seconds from the session's start to `instant`, which is in seconds since 1970-01-01 in UTC.
    func time(of instant: Double) -> Double { instant - start - shift }

    /// Returns the number of whole local hours since 1970-01-01, `time` seconds after the session's start.
    func hour(at time: Double) -> Int {
        let (hour, rest) = (Int(start + time + shift) + utcOffset).quotientAndRemainder(dividingBy: 3600)
        return rest < 0 ? hour - 1 : hour
    }

    /// Returns the quarter of the local day, 0…3, counted from midnight. `time` is in seconds since the session's start.
    func bucket(at time: Double) -> Int { ((hour(at: time) % 24) + 24) % 24 / 6 }
}
