import Calendar

/// The wall clock as the piece knows it: by the moment at which the session began.
struct TimeOfDay: Codable, Equatable, Sendable {
    /// The session's start, in seconds since 1970-01-01 in UTC.
    private(set) var start: Double
    private var utcOffset: Int
    /// The seconds by which the clock has come to be ahead of `start` and the time since.
    private var shift = 0.0

    init(_ arrival: CivilTime) {
        start = arrival.instant
        utcOffset = arrival.utcOffset
    }

    /// Takes over that the wall clock says `civilTime`, `time` seconds after the session's start. It need not be the start and `time`: the
    /// machine's clock may have been set, or the machine may have slept.
    mutating func follow(_ civilTime: CivilTime, at time: Double) {
        shift = civilTime.instant - (start + time)
        utcOffset = civilTime.utcOffset
    }

    /// The beginning of the local clock's next hour after `time`, in seconds since 1970-01-01 in UTC.
    func nextHour(after time: Double) -> Double { Double((hour(at: time) + 1) * 3600 - utcOffset) }

    /// The seconds from the session's start to `instant`.
    func time(of instant: Double) -> Double { instant - start - shift }

    /// The whole local hours since 1970-01-01, `time` seconds after the session's start.
    func hour(at time: Double) -> Int {
        let (hour, rest) = (Int(start + time + shift) + utcOffset).quotientAndRemainder(dividingBy: 3600)
        return rest < 0 ? hour - 1 : hour
    }

    /// The quarter of the local day, 0…3, the first from midnight.
    func bucket(at time: Double) -> Int { ((hour(at: time) % 24) + 24) % 24 / 6 }
}
