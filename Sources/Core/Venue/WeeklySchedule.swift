import Calendar
import Units

/// Which preset applies when, by days of the week.
public struct WeeklySchedule: Equatable, Sendable {
    /// Hours of some days. Hours that end no later than they begin end on the next day.
    public struct Hours: Equatable, Sendable {
        /// On which it begins.
        public var days: Weekdays
        public var from: LocalTime
        public var to: LocalTime
        /// By name.
        public var preset: String

        public init(days: Weekdays, from: LocalTime, to: LocalTime, preset: String) {
            self.days = days
            self.from = from
            self.to = to
            self.preset = preset
        }
    }

    /// What the schedule says for an instant.
    public struct Choice: Equatable, Sendable {
        /// The name of the hours; nil outside of all.
        public var hours: String?
        /// By name.
        public var preset: String

        public init(hours: String?, preset: String) {
            self.hours = hours
            self.preset = preset
        }
    }

    /// By the installer's names. Where several apply, those of the fewest days count, of these the ones that began last, and of these the
    /// first by name.
    public var hours: [String: Hours]
    /// How long it takes to go over to another preset.
    public var fade: Seconds
    /// The preset outside of all hours, by name.
    public var otherwise: String

    public init(hours: [String: Hours] = [:], fade: Seconds = Seconds(10), otherwise: String = "normal") {
        self.hours = hours
        self.fade = fade
        self.otherwise = otherwise
    }

    /// What applies at `instant`, in seconds since 1970-01-01 UTC; `utcOffset` says by how many seconds local time is ahead of UTC at an
    /// instant.
    public func preset(at instant: Int, utcOffset: (Int) -> Int) -> Choice {
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        var counts: (rank: (days: Int, start: Int, name: String), preset: String)?
        for (name, hours) in hours {
            // Yesterday's may go on; tomorrow's may have begun, where a clock is set back from just after midnight to just before.
            for day in today - 1...today + 1 {
                guard let span = hours.span(on: day, utcOffset: utcOffset), span.contains(instant) else { continue }
                let rank = (days: hours.days.count, start: -span.lowerBound, name: name)
                if counts.map({ rank < $0.rank }) ?? true { counts = (rank, hours.preset) }
            }
        }
        return Choice(hours: counts?.rank.name, preset: counts?.preset ?? otherwise)
    }

    /// When another preset than that of `instant` applies next; nil for never.
    public func nextChange(after instant: Int, utcOffset: (Int) -> Int) -> Int? {
        next(after: instant, utcOffset) { $0.preset != $1.preset }
    }

    /// When other hours than at `instant` apply next, also with the same preset; nil for never.
    public func nextEdge(after instant: Int, utcOffset: (Int) -> Int) -> Int? { next(after: instant, utcOffset) { $0 != $1 } }

    /// When a preset applies next that is one of those wanted, after `instant`; nil for never.
    public func next(after instant: Int, utcOffset: (Int) -> Int, where isWanted: (Choice) -> Bool) -> Int? {
        next(after: instant, utcOffset) { choice, _ in isWanted(choice) }
    }

    private func next(after instant: Int, _ utcOffset: (Int) -> Int, where isOther: (Choice, Choice) -> Bool) -> Int? {
        let now = preset(at: instant, utcOffset: utcOffset)
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        // In so many days every combination has come once.
        let spans = (today - 1...today + 8).flatMap { day in hours.values.compactMap { $0.span(on: day, utcOffset: utcOffset) } }
        let edges = Set(spans.flatMap { [$0.lowerBound, $0.upperBound] }).filter { $0 > instant }.sorted()
        return edges.first { isOther(preset(at: $0, utcOffset: utcOffset), now) }
    }
}

extension WeeklySchedule.Hours {
    /// From when to when, if it begins on `day`.
    func span(on day: Int, utcOffset: (Int) -> Int) -> Range<Int>? {
        guard days.contains(Weekdays(ofDay: day)) else { return nil }
        return LocalClock.instant(from, on: day, utcOffset: utcOffset)
            ..< LocalClock.instant(to, on: to > from ? day : day + 1, utcOffset: utcOffset)
    }
}
