/// Days of the week.
public struct Weekdays: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let daily = Weekdays(rawValue: 0b111_1111)
    public static let workdays = Weekdays(rawValue: 0b001_1111)
    public static let weekend = Weekdays(rawValue: 0b110_0000)

    /// From Monday on.
    public static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// How many they are.
    public var count: Int { rawValue.nonzeroBitCount }

    /// What `init(words:)` understands.
    public static let form = "days such as mon, mon-fri, sat-sun, \"tue,thu\", daily, weekdays, weekend"

    /// That of a day, counted from 1970-01-01, which was a Thursday.
    public init(ofDay day: Int) {
        let number = (day % 7 + 7 + 3) % 7
        self.init(rawValue: 1 << UInt8(number))
    }

    /// Days, and ranges of them which may go over Sunday, separated by commas. Nil when there is another word among them.
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
