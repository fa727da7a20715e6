/// An instant, together with the local time at that instant. Only the code that creates a `CivilTime` needs to know the time zone.
public struct CivilTime: Hashable, Sendable {
    /// The instant in seconds since 1970-01-01 in UTC, without leap seconds; one of `instants`.
    public var instant: Double
    /// The seconds by which local time is ahead of UTC at `instant`; one of `utcOffsets`.
    public var utcOffset: Int

    /// The range of instants that have a date of four digits: the years 1970 to 9999.
    public static let instants = 0.0...253_402_300_799
    /// The possible offsets in seconds: ISO 8601 has offsets of less than a day.
    public static let utcOffsets = -86_399...86_399

    public init(instant: Double, utcOffset: Int) {
        self.instant = instant
        self.utcOffset = utcOffset
    }

    /// Creates the civil time at `instant`. `utcOffset` gets an instant, in seconds since 1970-01-01 in UTC, and returns the seconds by
    /// which local time is ahead of UTC then.
    public init(at instant: Double, utcOffset: (Int) -> Int) {
        self.init(instant: instant, utcOffset: utcOffset(Int(instant.rounded(.down))))
    }

    /// The local clock's time as seconds since 1970-01-01 00:00 local time, rounded down.
    private var local: Int { Int(instant.rounded(.down)) + utcOffset }

    /// The number of the local day; day 0 is 1970-01-01.
    public var day: Int { local.whole(86_400) }

    /// The time of day by the local clock, in seconds since midnight, 0…86,399.
    public var secondOfDay: Int { local - day * 86_400 }

    /// The instant in UTC in the format of ISO 8601, for instance 2026-01-01T00:00:00Z, rounded down to a second. The date follows Howard
    /// Hinnant's "chrono-Compatible Low-Level Date Algorithms" (2021), civil_from_days, in which years begin in March.
    public var iso8601: String {
        let seconds = Int(instant.rounded(.down))
        let days = seconds.whole(86_400)
        let rest = seconds - days * 86_400
        let era = (days + 719_468).whole(146_097)
        let dayOfEra = days + 719_468 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        func padded(_ number: Int, _ digits: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9))-\(padded(dayOfMonth))"
            + "T\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }

    /// The local day in the format of ISO 8601, for instance 2026-01-01.
    public var date: String { String(CivilTime(instant: Double(day) * 86_400, utcOffset: 0).iso8601.prefix(10)) }
}
