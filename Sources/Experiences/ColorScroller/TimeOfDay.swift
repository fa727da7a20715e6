import Signals

/// The wall clock, as far as an experience knows it: by when its session began.
struct TimeOfDay: Codable, Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC, at the session's start.
    private(set) var start: Double
    private var utcOffset: Int

    init(_ arrival: Arrival) {
        start = arrival.time
        utcOffset = arrival.utcOffset
    }

    /// Whole local hours since 1970-01-01, `time` seconds after the session's start.
    func hour(at time: Double) -> Int {
        let (hour, rest) = (Int(start + time) + utcOffset).quotientAndRemainder(dividingBy: 3600)
        return rest < 0 ? hour - 1 : hour
    }

    /// Six hours each, the first from midnight, local time.
    func bucket(at time: Double) -> Int { ((hour(at: time) % 24) + 24) % 24 / 6 }
}
