import Calendar
import Fields
import Signals

/// A household's position in its own calendar: whose days these are, which day it is living, and how long a day lasts. Only the core
/// changes it.
public struct Days: Codable, Equatable, Sendable {
    /// The allowed range of the days' numbers. Where a day lasts one minute, the last day of the year 9999 is day 4,222,770,000.
    public static let numbers = -10_000_000_000...10_000_000_000
    /// The allowed range of moments, in seconds since 1970 by the piece's clock. Where a day lasts one minute, the last second of the year
    /// 9999 is 364,899,365,900,000.
    public static let moments = -1_000_000_000...1_000_000_000_000_000
    /// The largest number of days that a household lives through while the machine is off. Earlier days are skipped.
    static let mostAway = 366

    /// The household's name.
    public let household: String
    /// The day that the household is living, counted from 1970-01-01 by the piece's clock.
    public internal(set) var day: Int
    /// The seconds by which the household's clock was ahead of UTC at the last moment to which the household was brought.
    var offset: Int
    /// The number of real minutes in a day. `day` is counted in such days.
    private(set) var dayMinutes: Double
    /// The seconds by which the household's clock is ahead of others of its speed (`PieceTime.phase`); nil for 0.
    private var phase: Int?

    /// Creates the position of `household` in its calendar. It is living the day of `now`, and its days last as long as `time` says.
    public init(_ household: String, _ time: PieceTime, at now: Moment) {
        self.household = household
        day = now.dayNumber
        offset = now.offset
        dayMinutes = time.dayMinutes
        phase = time.phase == 0 ? nil : time.phase
    }

    /// A placeholder for the days of a value that is being decoded, until its own days have been read.
    public static let unread = Days(Household.home, PieceTime(dayMinutes: PieceTime.realDay), at: Moment(seconds: 0, offset: 0))

    /// The piece's clock, by which `day` is counted.
    public var time: PieceTime { PieceTime(dayMinutes: dayMinutes, phase: phase ?? 0) }

    /// The last second of the day that the household is living, by the clock's last known offset.
    var end: Moment { Moment(seconds: (day + 1) * Moment.day - offset - 1, offset: offset) }

    /// Switches to a clock on which a day lasts as long as `time` says. The day being lived becomes the day of `now`.
    mutating func follow(_ time: PieceTime, at now: Moment) { self = Days(household, time, at: now) }

    /// Returns a fault for the first field whose value this program cannot have stored; nil when all values are possible. `longestName` is
    /// in characters; `first` is the first possible day.
    public func damage(longestName: Int, first: Int = numbers.lowerBound) -> Fault? {
        guard (1...longestName).contains(household.count) else { return Fault(field: "household", expected: "a name") }
        guard (first...Self.numbers.upperBound).contains(day), (1 - Moment.day..<Moment.day).contains(offset) else {
            return Fault(field: "day", expected: "a day since 1970")
        }
        guard (PieceTime.shortestDay...PieceTime.realDay).contains(dayMinutes) else {
            return Fault(field: "dayMinutes", expected: "0.5 to 1440")
        }
        guard (-Self.moments.upperBound...Self.moments.upperBound).contains(phase ?? 0) else {
            return Fault(field: "phase", expected: "seconds of a clock")
        }
        return nil
    }

    /// Returns the day that is `days` after `day`, limited to `numbers`. The limit is needed because a household that has lived by a fast
    /// clock for years may remember days outside of that range.
    public static func moved(_ day: Int, by days: Int) -> Int { min(max(day + days, numbers.lowerBound), numbers.upperBound) }
}

/// A value that contains the days of a household.
public protocol LivesByDays {
    var days: Days { get set }
}

extension LivesByDays {
    /// The day that the household is living, counted from 1970-01-01 by the piece's clock.
    public var day: Int { days.day }
    /// The household's name.
    public var household: String { days.household }
}

/// A value and its days as one JSON object, as they are stored: the fields of the days stand among the value's own fields.
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
    /// The knob that sets the length of a piece's days. All pieces with a clock of their own share it, because settings have only one such
    /// entry.
    public static let dayMinutesKnob = Knob("day-minutes", .number(1...realDay, standard: realDay), unit: "minutes",
                                            about: "that one of the piece's days lasts")
    /// The knob that sets the length of days for the households of visitors, for a piece that has it. At 0, `dayMinutesKnob` applies to
    /// them too.
    public static let visitorDayMinutesKnob = Knob(
        "visitor-day-minutes", .number(0...realDay, standard: 0), unit: "minutes",
        about: "that a day of a visitor's own household lasts, 0.5 at least; 0 for as long as the house's own")
    /// The shortest allowed day, in real minutes. Days are numbered in sequence; if they were shorter, the numbers would leave the range
    /// `Days.numbers` before the end of the year 9999.
    public static let shortestDay = 0.5

    /// Creates the clock of `household` with the day's length that `knobs` set.
    init(of household: String, by knobs: KnobSettings) {
        let own = household == Household.home ? 0 : knobs.number(Self.visitorDayMinutesKnob)
        self.init(dayMinutes: own > 0 ? max(Self.shortestDay, own) : knobs.number(Self.dayMinutesKnob))
    }
}

/// The names of households that the core treats specially.
public enum Household {
    /// The household that is present when a daemon starts for the first time: the house's own.
    public static let home = "home"
    /// The household of a visitor who gives no name. By the rules of a walk-up, it starts as a new one each time that it enters.
    public static let guest = "guest"
}
