import Calendar
import Fields
import Units

/// A schedule of presets for the days of the week.
public struct WeeklySchedule: Equatable, Sendable {
    /// Hours that begin on certain days. If the time of their end is not later than the time of their beginning, they end on the next day.
    public struct Hours: Equatable, Sendable {
        /// The days on which the hours begin.
        public var days: Weekdays
        public var from: LocalTime
        public var to: LocalTime
        /// The preset's name.
        public var preset: String

        public init(days: Weekdays, from: LocalTime, to: LocalTime, preset: String) {
            self.days = days
            self.from = from
            self.to = to
            self.preset = preset
        }
    }

    /// The choice that the schedule makes at an instant.
    public struct Choice: Equatable, Sendable {
        /// The name of the hours that apply; nil outside of all hours.
        public var hours: String?
        /// The preset's name.
        public var preset: String

        public init(hours: String?, preset: String) {
            self.hours = hours
            self.preset = preset
        }
    }

    /// The hours, by the names that the installer gave them. Where several overlap, those on the fewest days win. Of these, the ones that
    /// began last win, and of these the first by name.
    public var hours: [String: Hours]
    /// The time that the change to another preset takes.
    public var fade: Seconds
    /// The name of the preset that applies outside of all hours.
    public var otherwise: String

    public init(hours: [String: Hours] = [:], fade: Seconds = Seconds(10), otherwise: String = "normal") {
        self.hours = hours
        self.fade = fade
        self.otherwise = otherwise
    }

    /// Returns what applies at `instant`, which is in seconds since 1970-01-01 in UTC. `utcOffset` returns the seconds by which local time
    /// is ahead of UTC at an instant.
    public func preset(at instant: Int, utcOffset: (Int) -> Int) -> Choice {
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        var counts: (rank: (days: Int, start: Int, name: String), preset: String)?
        for (name, hours) in hours {
            // Yesterday's hours may still go on. Tomorrow's may have begun already, where the clock is set back across midnight.
            for day in today - 1...today + 1 {
                guard let span = hours.span(on: day, utcOffset: utcOffset), span.contains(instant) else { continue }
                let rank = (days: hours.days.count, start: -span.lowerBound, name: name)
                if counts.map({ rank < $0.rank }) ?? true { counts = (rank, hours.preset) }
            }
        }
        return Choice(hours: counts?.rank.name, preset: counts?.preset ?? otherwise)
    }

    /// Returns the next instant at which another preset applies than at `instant`; nil if none ever does.
    public func nextChange(after instant: Int, utcOffset: (Int) -> Int) -> Int? {
        next(after: instant, utcOffset) { $0.preset != $1.preset }
    }

    /// Returns the next instant at which other hours apply than at `instant`, even if their preset is the same; nil if none ever do.
    public func nextEdge(after instant: Int, utcOffset: (Int) -> Int) -> Int? { next(after: instant, utcOffset) { $0 != $1 } }

    /// Returns the next instant after `instant` at which the schedule changes to a choice that `isWanted` accepts; nil if there is none.
    public func next(after instant: Int, utcOffset: (Int) -> Int, where isWanted: (Choice) -> Bool) -> Int? {
        next(after: instant, utcOffset) { choice, _ in isWanted(choice) }
    }

    private func next(after instant: Int, _ utcOffset: (Int) -> Int, where isOther: (Choice, Choice) -> Bool) -> Int? {
        let now = preset(at: instant, utcOffset: utcOffset)
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        // Within this many days, every combination of hours occurs once.
        let spans = (today - 1...today + 8).flatMap { day in hours.values.compactMap { $0.span(on: day, utcOffset: utcOffset) } }
        let edges = Set(spans.flatMap { [$0.lowerBound, $0.upperBound] }).filter { $0 > instant }.sorted()
        return edges.first { isOther(preset(at: $0, utcOffset: utcOffset), now) }
    }
}

extension WeeklySchedule.Hours {
    /// Returns the span of the hours that begin on `day`; nil where none begin on that day.
    func span(on day: Int, utcOffset: (Int) -> Int) -> Range<Int>? {
        guard days.contains(Weekdays(ofDay: day)) else { return nil }
        return LocalClock.instant(from, on: day, utcOffset: utcOffset)
            ..< LocalClock.instant(to, on: to > from ? day : day + 1, utcOffset: utcOffset)
    }
}

extension WeeklySchedule {
    private static let day = 86_400

    /// Faults for hours that are probably a mistake: those that never apply, and those that begin and end at the same time. They are
    /// ordered by the hours' names, and their fields begin with `schedule`. Weeks in which the clock changes are not considered.
    public var oddities: [Fault] {
        let winners = winnersOfWeek
        return hours.sorted { $0.key < $1.key }.flatMap { name, hours in
            var faults: [Fault] = []
            if hours.from == hours.to {
                faults.append(Fault(field: "schedule.hours.\(name).to",
                                    expected: "another time than from, or these hours last until the next day's", found: "the same"))
            }
            if !winners.values.contains(name) {
                let others = Set(winners.filter { isOn(name, at: $0.key) }.values).sorted().joined(separator: ", ")
                faults.append(Fault(field: "schedule.hours.\(name)", expected: "hours that apply at some time of the week",
                                    found: "none, because \(others) always comes first: of fewer days, of as many and begun later, or "
                                        + "first by name"))
            }
            return faults
        }
    }

    /// The names of the hours that apply, by each instant of a week at which hours begin or end. The week is the second one since 1970, in
    /// UTC, where every day has 24 hours.
    private var winnersOfWeek: [Int: String] {
        let edges = Set((6...14).flatMap { day in hours.values.compactMap { $0.span(on: day) { _ in 0 } } }
            .flatMap { [$0.lowerBound, $0.upperBound] }).filter { (7 * Self.day..<14 * Self.day).contains($0) }
        return edges.reduce(into: [:]) { $0[$1] = preset(at: $1, utcOffset: { _ in 0 }).hours }
    }

    private func isOn(_ name: String, at instant: Int) -> Bool {
        let today = instant / Self.day
        return (today - 1...today).contains { hours[name]?.span(on: $0) { _ in 0 }?.contains(instant) == true }
    }
}
