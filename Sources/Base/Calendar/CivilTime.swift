/// An instant, with what a clock on the wall shows then. A value: who makes it knows the time zone, and who reads it need not.
public struct CivilTime: Hashable, Sendable {
    /// Seconds since 1970-01-01 in UTC, without leap seconds; one of `instants`.
    public var instant: Double
    /// By how many seconds local time is ahead of UTC at `instant`; one of `utcOffsets`.
    public var utcOffset: Int

    /// Years 1970 to 9999.
    public static let instants = 0.0...253_402_300_799
    /// ISO 8601 has offsets of less than a day.
    public static let utcOffsets = -86_399...86_399

    public init(instant: Double, utcOffset: Int) {
        self.instant = instant
        self.utcOffset = utcOffset
    }

    /// With the offset of a place; `utcOffset` says by how many seconds its time is ahead of UTC at an instant.
    public init(at instant: Double, utcOffset: (Int) -> Int) {
        self.init(instant: instant, utcOffset: utcOffset(Int(instant.rounded(.down))))
    }

    /// Local seconds since 1970-01-01, rounded down.
    private var local: Int { Int(instant.rounded(.down)) + utcOffset }

    /// The local day, counted from 1970-01-01.
    public var day: Int { local.whole(86_400) }

    /// Since local midnight by the local clock, 0...86399.
    public var secondOfDay: Int { local - day * 86_400 }

    /// Of the day, 0...23.
    public var hour: Int { secondOfDay / 3_600 }

    /// Local hours since 1970-01-01: another one whenever the local clock begins an hour.
    public var hoursSince1970: Int { local.whole(3_600) }

    /// How many local midnights lie after `other`, up to and with this; negative where this is earlier.
    public func days(since other: CivilTime) -> Int { day - other.day }
}
