import Calendar

extension WeeklySchedule {
    /// Hours that begin on one date. If the time of their end is not later than the time of their beginning, they end on the next day.
    public struct DateHours: Equatable, Sendable {
        public var from: LocalTime
        public var to: LocalTime
        /// The preset's name.
        public var preset: String

        public init(from: LocalTime, to: LocalTime, preset: String) {
            self.from = from
            self.to = to
            self.preset = preset
        }
    }

    /// The name of the preset that a closed date has.
    public static let closed = "silent"

    /// Returns the hours of the date with the number `day`; nil where the date has none of its own.
    func hours(ofDay day: Int) -> [DateHours]? { dates[CalendarDate(day: day)] }

    /// The paths of the hours of dates in the settings, with the hours, by date.
    var pathsOfDates: [(path: String, hours: DateHours)] {
        dates.sorted { $0.key < $1.key }.flatMap { date, hours in
            hours.enumerated().map { ("schedule.dates.\(date.text)" + (hours.count == 1 ? "" : "[\($0.offset)]"), $0.element) }
        }
    }

    /// Returns the span of the day with the number `day`, from midnight to midnight.
    static func span(ofDay day: Int, utcOffset: (Int) -> Int) -> Range<Int> {
        midnight(day, utcOffset) ..< midnight(day + 1, utcOffset)
    }

    private static func midnight(_ day: Int, _ utcOffset: (Int) -> Int) -> Int {
        LocalTime("00:00").map { LocalClock.instant($0, on: day, utcOffset: utcOffset) } ?? day * 86_400
    }

    /// Returns the instants on `day` at which another choice may begin, in ascending order.
    func edges(on day: Int, utcOffset: (Int) -> Int) -> [Int] {
        let whole = Self.span(ofDay: day, utcOffset: utcOffset)
        // Tomorrow's hours may begin today, where the clock is set back across midnight.
        let spans = (day - 1...day + 1).flatMap { day in
            hours.values.compactMap { $0.span(on: day, utcOffset: utcOffset) }
                + (self.hours(ofDay: day) ?? []).map { $0.span(on: day, utcOffset: utcOffset) }
        }
        return Set(spans.flatMap { [$0.lowerBound, $0.upperBound] } + [whole.lowerBound]).filter(whole.contains).sorted()
    }

    /// Returns the days, from `today` on, on which the schedule may change to something that it has not had from `today` on, in
    /// ascending order. In nine days without a date of its own every combination of the hours of the week occurs once; so it does in the
    /// nine days after a date.
    func daysOfChange(from today: Int) -> [Int] {
        let starts = [today] + dates.keys.map(\.day).filter { $0 >= today - 1 }
        return Set(starts.flatMap { $0...$0 + 9 }).filter { $0 >= today }.sorted()
    }
}

extension WeeklySchedule.DateHours {
    /// Returns the span of the hours that begin on the day with the number `day`.
    func span(on day: Int, utcOffset: (Int) -> Int) -> Range<Int> {
        LocalClock.span(from: from, to: to, on: day, utcOffset: utcOffset)
    }
}

extension LocalClock {
    /// Returns the span from `from` on `day` to `to`, which is on the next day unless it is later than `from`.
    static func span(from: LocalTime, to: LocalTime, on day: Int, utcOffset: (Int) -> Int) -> Range<Int> {
        instant(from, on: day, utcOffset: utcOffset) ..< instant(to, on: to > from ? day : day + 1, utcOffset: utcOffset)
    }
}
