import Calendar
import Fields

/// Says where a household is in its days: whose they are, which one is lived, and how long it lasts. The core alone turns them.
public struct Days: Codable, Equatable, Sendable {
    /// Is the range of the days' numbers. The last day of the year 9999 is day 4,222,770,000 where a day has one minute.
    public static let numbers = -10_000_000_000...10_000_000_000
    /// Is the range of moments, in the piece's seconds. The last of the year 9999 is 364,899,365,900,000 where a day has one minute.
    public static let moments = -1_000_000_000...1_000_000_000_000_000
    /// Is how many days a household lives at most while nobody is there. Any before them are skipped.
    static let mostAway = 366

    /// Is the household's name.
    public let household: String
    /// Counts the day that is lived from 1970-01-01 by the piece's clock.
    public internal(set) var day: Int
    /// Is the clock's last offset from UTC, in seconds.
    var offset: Int
    /// Is how many real minutes a day lasts, by which `day` is counted.
    private(set) var dayMinutes: Double

    /// The day is the one of `now`, and lasts as long as `time` has it last.
    public init(_ household: String, _ time: PieceTime, at now: Moment) {
        self.household = household
        day = now.dayNumber
        offset = now.offset
        dayMinutes = time.dayMinutes
    }

    /// Stand for those of a value that is being read.
    public static let unread = Days(Household.home, PieceTime(dayMinutes: PieceTime.realDay), at: Moment(seconds: 0, offset: 0))

    /// Is the clock by which `day` is counted.
    public var time: PieceTime { PieceTime(dayMinutes: dayMinutes) }

    /// Is the last second of the day that is lived, by the offset that the clock had last.
    var end: Moment { Moment(seconds: (day + 1) * Moment.day - offset - 1, offset: offset) }

    /// From now on days last as long as `time` has them last, and this one is the day of `now`.
    mutating func follow(_ time: PieceTime, at now: Moment) { self = Days(household, time, at: now) }

    /// Returns what cannot have been kept; nil when all is well. `longestName` is in characters, and `first` is the first day that there
    /// can be.
    public func damage(longestName: Int, first: Int = numbers.lowerBound) -> Fault? {
        guard (1...longestName).contains(household.count) else { return Fault(field: "household", expected: "a name") }
        guard (first...Self.numbers.upperBound).contains(day), (1 - Moment.day..<Moment.day).contains(offset) else {
            return Fault(field: "day", expected: "a day since 1970")
        }
        guard (PieceTime.shortestDay...PieceTime.realDay).contains(dayMinutes) else {
            return Fault(field: "dayMinutes", expected: "0.5 to 1440")
        }
        return nil
    }

    /// Returns the day `days` after `day`. One beyond `numbers` stays at their edge: a household that has lived fast for years has such
    /// days behind it.
    public static func moved(_ day: Int, by days: Int) -> Int { min(max(day + days, numbers.lowerBound), numbers.upperBound) }
}

/// What has the days of a household.
public protocol LivesByDays {
    var days: Days { get set }
}

extension LivesByDays {
    /// Counts the day that is lived from 1970-01-01 by the piece's clock.
    public var day: Int { days.day }
    /// Is the household's name.
    public var household: String { days.household }
}

/// A value with its days, as it is kept: the fields of the days stand among its own.
public struct Dated<Body: LivesByDays & Codable>: Codable {
    public var body: Body

    public init(_ body: Body) { self.body = body }

    public init(from decoder: any Decoder) throws {
        body = try Body(from: decoder)
        body.days = try Days(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        try body.days.encode(to: encoder)
    }
}
