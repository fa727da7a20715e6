/// Computes local days and local times of day. Instants are seconds since 1970-01-01 in UTC. `utcOffset` returns the seconds by which local
/// time is ahead of UTC at an instant.
public enum LocalClock {
    /// Whether a clock that shows `instant` can be right: whether the instant is in 2024 or later. When the power comes back, a clock
    /// without a battery starts in 1970 or on the day on which its system was built. It shows a wrong time until somebody sets it.
    public static func isBelievable(_ instant: Int) -> Bool { instant >= 1_704_067_200 }

    /// Returns the number of the local day that contains `instant`; day 0 is 1970-01-01.
    public static func day(at instant: Int, utcOffset: (Int) -> Int) -> Int {
        (instant + utcOffset(instant)).whole(86_400)
    }

    /// Returns the instant of `time` on `day`. If the time occurs twice on that day, this is the first instant. If the clock skips the
    /// time, this is the instant of the skip. So a later time never has an earlier instant.
    public static func instant(_ time: LocalTime, on day: Int, utcOffset: (Int) -> Int) -> Int {
        let local = day * 86_400 + time.minutes * 60
        // No place is a day or more from UTC, so these two instants lie before and after `time`. No clock is changed twice in between.
        let (before, after) = (utcOffset(local - 86_400), utcOffset(local + 86_400))
        for offset in [max(before, after), min(before, after)] where utcOffset(local - offset) == offset { return local - offset }
        return change(between: local - max(before, after), and: local - min(before, after), utcOffset: utcOffset)
    }

    /// Returns the first instant after `instant` at which the local clock shows `time`. That happens once on each local day:
    /// `instant(_:on:utcOffset:)` says when.
    public static func next(_ time: LocalTime, after instant: Int, utcOffset: (Int) -> Int) -> Int {
        // Starts with yesterday, because yesterday's 24:00 may still be to come.
        var day = day(at: instant, utcOffset: utcOffset) - 1
        while true {
            let next = Self.instant(time, on: day, utcOffset: utcOffset)
            if next > instant { return next }
            day += 1
        }
    }

    /// Returns the first second at which `utcOffset` differs from its value at `low`. `high` must not be before `low`, and the offset must
    /// change exactly once between the two.
    private static func change(between low: Int, and high: Int, utcOffset: (Int) -> Int) -> Int {
        let before = utcOffset(low)
        var (low, high) = (low, high)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if utcOffset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}

extension Int {
    /// Returns this number divided by `divisor`, rounded down. (Swift's `/` rounds toward zero, which is wrong before 1970.)
    func whole(_ divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// A local time of day, 00:00 to 24:00.
public struct LocalTime: Comparable, Hashable, Sendable {
    /// The minutes since midnight, 0…1440.
    public let minutes: Int

    /// Creates the time that `text` gives in hours and minutes, as in `09:30`; nil if `text` has another form, or is later than 24:00.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
              parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
              let hours = Int(parts[0]), let rest = Int(parts[1]), rest < 60, hours * 60 + rest <= 1440 else { return nil }
        minutes = hours * 60 + rest
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.minutes < b.minutes }

    /// Whether the time is 24:00. A span of time can end then, but not begin: midnight as a beginning is 00:00.
    public var isEndOfDay: Bool { minutes == 1440 }
}

/// A set of days of the week.
public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let daily = Weekdays(rawValue: 0b111_1111)
    public static let workdays = Weekdays(rawValue: 0b001_1111)
    public static let weekend = Weekdays(rawValue: 0b110_0000)

    /// The names of the days, from Monday on.
    public static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The number of days in the set.
    public var count: Int { rawValue.nonzeroBitCount }

    /// Describes, for messages, the texts that `init(words:)` accepts.
    public static let form = "days such as mon, mon-fri, sat-sun, \"tue,thu\", daily, weekdays, weekend"

    /// Creates the set that contains only the weekday of `day`. Days are counted from 1970-01-01, a Thursday.
    public init(ofDay day: Int) {
        let number = (day % 7 + 7 + 3) % 7
        self.init(rawValue: 1 << UInt8(number))
    }

    /// Reads days and ranges of days, separated by commas. A range may pass Sunday (`sat-mon`). nil where any of the words is unknown.
    public init?(words: String) {
        self = []
        for word in words.split(separator: ",", omittingEmptySubsequences: false) {
            guard let days = Self.days(word.filter { $0 != " " }.lowercased()) else { return nil }
            formUnion(days)
        }
    }

    private static func days(_ word: String) -> Weekdays? {
        switch word {
        case "daily": return .daily
        case "weekdays": return .workdays
        case "weekend": return .weekend
        default: break
        }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { names.firstIndex(of: String($0)) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil else { return nil }
        var days: Weekdays = []
        for number in first...(last < first ? last + 7 : last) { days.insert(Weekdays(rawValue: 1 << UInt8(number % 7))) }
        return days
    }
}
