import Calendar
import Fields
import Signals

/// The place of a household in its days: whose they are, which one is lived, and how long it lasts. The core alone turns them.
public struct Days: Codable, Equatable, Sendable {
    /// The range of the days' numbers. The last day of the year 9999 is day 4,222,770,000 where a day has one minute.
    public static let numbers = -10_000_000_000...10_000_000_000
    /// The range of moments, in the piece's seconds. The last of the year 9999 is 364,899,365,900,000 where a day has one minute.
    public static let moments = -1_000_000_000...1_000_000_000_000_000
    /// The most days that a household lives while the machine is off. Earlier ones are skipped.
    static let mostAway = 366

    /// The household's name.
    public let household: String
    /// The day that is lived, counted from 1970-01-01 by the piece's clock.
    public internal(set) var day: Int
    /// The clock's last offset from UTC, in seconds.
    var offset: Int
    /// The real minutes that a day lasts, by which `day` is counted.
    private(set) var dayMinutes: Double

    /// Starts on the day of `now`, which lasts as long as days do by `time`.
    public init(_ household: String, _ time: PieceTime, at now: Moment) {
        self.household = household
        day = now.dayNumber
        offset = now.offset
        dayMinutes = time.dayMinutes
    }

    /// The days of a value that is being read, until its own are known.
    public static let unread = Days(Household.home, PieceTime(dayMinutes: PieceTime.realDay), at: Moment(seconds: 0, offset: 0))

    /// The clock by which `day` is counted.
    public var time: PieceTime { PieceTime(dayMinutes: dayMinutes) }

    /// The last second of the day that is lived, by the offset that the clock had last.
    var end: Moment { Moment(seconds: (day + 1) * Moment.day - offset - 1, offset: offset) }

    /// Follows another clock: days last as long as they do by `time`, and the one that is lived is the day of `now`.
    mutating func follow(_ time: PieceTime, at now: Moment) { self = Days(household, time, at: now) }

    /// Returns the first field that cannot have been kept so; nil when all is well. `longestName` is in characters, and `first` is the
    /// first day that there can be.
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

/// A value that has the days of a household.
public protocol LivesByDays {
    var days: Days { get set }
}

extension LivesByDays {
    /// The day that is lived, counted from 1970-01-01 by the piece's clock.
    public var day: Int { days.day }
    /// The household's name.
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

extension PieceTime {
    /// The knob that sets the length of a piece's days. All pieces with days of their own share it, because settings have it once.
    public static let dayMinutesKnob = Knob("day-minutes", .number(1...realDay, standard: realDay), unit: "minutes",
                                            about: "that one of the piece's days lasts")
    /// The knob for the length of the days of visitors' own households, for a piece that has it; with 0 they live by `dayMinutesKnob`.
    public static let visitorDayMinutesKnob = Knob(
        "visitor-day-minutes", .number(0...realDay, standard: 0), unit: "minutes",
        about: "that a day of a visitor's own household lasts, 0.5 at least; 0 for as long as the house's own")
    /// The shortest day, in real minutes. With shorter ones, days of the year 9999 would be beyond `Days.numbers`.
    public static let shortestDay = 0.5

    /// Makes the clock of `household`, as `knobs` have it.
    init(of household: String, by knobs: KnobSettings) {
        let own = household == Household.home ? 0 : knobs.number(Self.visitorDayMinutesKnob)
        self.init(dayMinutes: own > 0 ? max(Self.shortestDay, own) : knobs.number(Self.dayMinutesKnob))
    }
}

/// The names of households that have a meaning for the core.
public enum Household {
    /// The household whose memory a daemon begins with.
    public static let home = "home"
    /// The household of a visitor who says no name. In a walk-up it begins anew each time that it enters.
    public static let guest = "guest"
}
