/// Converts between real time and the civil time of a piece (an artwork's rules), which may run faster. All rules count in the piece's
/// seconds.
///
/// Where the piece's day has 1,440 real minutes, both times are the same, with the house's time zone and daylight saving. Otherwise the
/// piece's clock shows the real seconds since 1970 in UTC, times 1,440 ÷ `dayMinutes`, plus `phase`, and has no time zone.
public struct PieceTime: Equatable, Sendable {
    /// The length of the piece's day in real minutes, 1…1,440.
    public let dayMinutes: Double
    /// The seconds by which the piece's clock is ahead; 0 where its days are real ones.
    public let phase: Int

    public static let realDay = 1_440.0

    /// Creates a clock. `phase` is ignored where the piece's days are real ones.
    public init(dayMinutes: Double, phase: Int = 0) {
        self.dayMinutes = dayMinutes
        self.phase = dayMinutes == Self.realDay ? 0 : phase
    }

    /// Returns this clock, put forward or back so that it shows `second` of a day at `civilTime`. The day is the one that this clock shows
    /// without a phase, or `earliest` if that is later. A clock of real days stays as it is.
    public func beginning(at second: Int, on earliest: Int, _ civilTime: CivilTime) -> PieceTime {
        let now = PieceTime(dayMinutes: dayMinutes).moment(civilTime)
        let day = max(now.dayNumber, earliest)
        return PieceTime(dayMinutes: dayMinutes, phase: now.seconds(of: second, on: day) - now.seconds)
    }

    public var isReal: Bool { dayMinutes == Self.realDay }

    public func moment(_ civilTime: CivilTime) -> Moment {
        guard !isReal else { return Moment(seconds: Int(civilTime.instant.rounded(.down)), offset: civilTime.utcOffset) }
        // A `Double` holds an instant of today to within 0.24 µs. Multiplied by at most 1,440, that error stays below a millisecond.
        let seconds = civilTime.instant * Self.realDay / dayMinutes
        return Moment(seconds: Int((seconds + 1e-3).rounded(.down)) + phase, offset: 0)
    }

    /// Returns the real instant at which the piece's clock reaches `seconds`. It is in seconds since 1970-01-01 in UTC, rounded up to a
    /// millisecond.
    public func instant(_ seconds: Int) -> Double {
        isReal ? Double(seconds) : (Double(seconds - phase) * dayMinutes / Self.realDay * 1_000).rounded(.up) / 1_000
    }

    /// Returns the real duration, in seconds, of `seconds` by the piece's clock.
    public func realSeconds(_ seconds: Int) -> Double { isReal ? Double(seconds) : Double(seconds) * dayMinutes / Self.realDay }
}

/// A moment by the piece's clock, with the local time at that moment.
public struct Moment: Equatable, Sendable {
    public static let day = 86_400

    /// The seconds since 1970-01-01 in UTC by the piece's clock. Use these to compute durations.
    public var seconds: Int
    /// The seconds by which the local clock is ahead of UTC.
    public var offset: Int

    public init(seconds: Int, offset: Int) {
        self.seconds = seconds
        self.offset = offset
    }

    private var local: Int { seconds + offset }

    /// The local day, counted from 1970-01-01.
    public var dayNumber: Int { local >= 0 ? local / Self.day : (local - Self.day + 1) / Self.day }
    /// The second of the local day, 0…86,399.
    public var secondOfDay: Int { local - dayNumber * Self.day }

    /// Returns the moment at which the local clock shows `secondOfDay` on `day`, in seconds since 1970-01-01 in UTC by the piece's clock.
    /// It assumes that `offset` stays as it is.
    public func seconds(of secondOfDay: Int, on day: Int) -> Int { day * Self.day + secondOfDay - offset }
}

/// Returns `second`, which is a second of a day, as `HH:MM`.
public func clockFace(_ second: Int) -> String {
    let (hours, minutes) = (second / 3_600, second / 60 % 60)
    return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
}

extension PieceTime {
    /// Returns the day with the number `day` as `YYYY-MM-DD`; nil where the piece's days are not as long as real days, because they then
    /// have no dates.
    public func date(of day: Int) -> String? {
        isReal ? CivilTime(instant: Double(day * Moment.day), utcOffset: 0).date : nil
    }

    /// Returns the day with the number `day` as `MM-DD`. The piece's day 0 counts as 1970-01-01, and each further day of the piece as one
    /// day of the Gregorian calendar, however short the piece's days are.
    public static func monthAndDay(of day: Int) -> String {
        // The calendar repeats itself every 400 years.
        let dayOfEra = (day % 146_097 + 146_097) % 146_097
        return String(CivilTime(instant: Double(dayOfEra * Moment.day), utcOffset: 0).iso8601.dropFirst(5).prefix(5))
    }
}
