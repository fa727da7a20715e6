import Calendar

/// The hours in which shields act, for each day of the week. Outside of them nothing costs.
struct FocusWindow: Equatable, Sendable {
    /// Hours from one minute of the day to another, 0…1,440. Where the end is not after the start, it is the next day's.
    struct Hours: Equatable, Sendable {
        var from: Int
        var to: Int

        static let allDay = Hours(from: 0, to: 1_440)

        /// The hours in seconds of the day on which they begin.
        var seconds: Range<Int> { from * 60..<(to > from ? to : to + 1_440) * 60 }
    }

    /// The hours of each day of the week, Monday first; nil for a day without.
    private(set) var days: [Hours?]

    static let always = FocusWindow(days: Array(repeating: .allDay, count: 7))

    init(days: [Hours?]) { self.days = days }

    mutating func set(_ hours: Hours?, on weekdays: Weekdays) {
        for index in days.indices where weekdays.contains(Weekdays(rawValue: 1 << UInt8(index))) { days[index] = hours }
    }

    /// Returns the hours of a day, counted from 1970-01-01, which was a Thursday.
    private func hours(on day: Int) -> Hours? { days[((day + 3) % 7 + 7) % 7] }

    /// Whether shields act: in the hours of this day, or still in those of the day before.
    func acts(on day: Int, at second: Int) -> Bool {
        hours(on: day)?.seconds.contains(second) == true || hours(on: day - 1)?.seconds.contains(second + Moment.day) == true
    }

    /// Seconds from `second` of the day `day` on until shields begin to act, or cease to; nil where that never comes.
    func turn(after second: Int, on day: Int) -> Int? {
        let now = acts(on: day, at: second)
        // Hours repeat themselves after a week.
        return (day...day + 7).lazy.flatMap { later in
            ([0] + edges(on: later)).map { (later - day) * Moment.day + $0 - second }.sorted()
        }.first { $0 > 0 && acts(on: day + (second + $0) / Moment.day, at: (second + $0) % Moment.day) != now }
    }

    /// The seconds of the day `day`, 1 and up, at which it may begin or end.
    func edges(on day: Int) -> [Int] {
        let own = hours(on: day).map { [$0.seconds.lowerBound, $0.seconds.upperBound] } ?? []
        let before = hours(on: day - 1).map { [$0.seconds.upperBound - Moment.day] } ?? []
        return (own + before).filter { (1...Moment.day).contains($0) }
    }
}

/// A list for each day: the two minutes, or nothing.
extension FocusWindow: Codable {
    init(from decoder: any Decoder) throws {
        days = try [[Int]](from: decoder).map { $0.count == 2 ? Hours(from: $0[0], to: $0[1]) : nil }
    }

    func encode(to encoder: any Encoder) throws { try days.map { $0.map { [$0.from, $0.to] } ?? [] }.encode(to: encoder) }
}
