import Calendar

/// The time of the house, by the machine's clocks. Thread: the event loop.
final class HouseClock {
    private let reading: () -> SteadyClock.Reading
    private var clock: SteadyClock
    /// Whether the last look found a jump.
    private var hasJumped = false

    /// `reading` reads the machine's clocks.
    init(_ reading: @escaping () -> SteadyClock.Reading) {
        self.reading = reading
        clock = SteadyClock(reading())
    }

    /// In seconds since 1970-01-01 in UTC, to the millisecond.
    var now: Double { (clock.time(at: reading()) * 1_000).rounded() / 1_000 }

    /// The same in whole seconds, rounded down.
    var instant: Int { Int(now.rounded(.down)) }

    /// The local day, counted from 1970-01-01; nil while the clock is obviously wrong (before 2024).
    var today: Int? { SystemTime.day(at: instant) }

    /// From now on the wall clock's time counts. Returns by how many seconds that is later than before; nil while no jump waits.
    func accept() -> Double? {
        _ = clock.time(at: reading())
        return clock.accept()
    }

    /// Looks at the clocks, and returns whether a jump waits if that was different at the last look.
    func look() -> Bool? {
        _ = clock.time(at: reading())
        let before = hasJumped
        hasJumped = clock.jump != nil
        return hasJumped == before ? nil : hasJumped
    }

    /// That the wall clock has jumped, in words; nil while it has not.
    var issue: String? {
        let time = CivilTime(instant: clock.time(at: reading()), utcOffset: 0).iso8601
        guard let jump = clock.jump else { return nil }
        return "the machine's clock has jumped \(Self.words(jump)) while thrumd ran, so the house goes on by its own, where it is \(time): "
            + "set the machine's clock right, or have its time count by thrum clock accept"
    }

    /// Of a jump in seconds: `3 days back`.
    private static func words(_ jump: Double) -> String {
        let (count, unit) = switch abs(jump) {
        case ..<5_400: ((abs(jump) / 60).rounded(), "minutes")
        case ..<172_800: ((abs(jump) / 3_600).rounded(), "hours")
        default: ((abs(jump) / 86_400).rounded(), "days")
        }
        return "\(Int(count)) \(unit) \(jump < 0 ? "back" : "ahead")"
    }
}
