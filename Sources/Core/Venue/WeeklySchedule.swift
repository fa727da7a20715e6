import Calendar
import Fields
import Units

/// A schedule of presets for the days of the week, and for single dates.
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
        /// The name of the hours of the week that apply; nil outside of all hours, and by a date.
        public var hours: String?
        /// The date that decides in place of the week; nil where the week decides.
        public var date: CalendarDate?
        /// The preset's name.
        public var preset: String

        public init(hours: String?, date: CalendarDate? = nil, preset: String) {
            self.hours = hours
            self.date = date
            self.preset = preset
        }

        /// What decides, in one word: the name of the hours of the week, or the date. nil outside of all hours.
        public var entry: String? { hours ?? date?.text }
    }

    /// The hours, by the names that the installer gave them. Where several overlap, those on the fewest days win. Of these, the ones that
    /// began last win, and of these the first by name.
    public var hours: [String: Hours]
    /// The dates with hours of their own, in place of the hours of the week that begin on them. Where those would apply, and from midnight
    /// to midnight, the preset is `closed` outside of the date's own hours. Hours of the week that began on the day before go on. A date
    /// without hours is closed. Of hours of dates that overlap, those that began last win, and of these the first in the list.
    public var dates: [CalendarDate: [DateHours]]
    /// The time that the change to another preset takes.
    public var fade: Seconds
    /// The name of the preset that applies outside of all hours.
    public var otherwise: String

    public init(hours: [String: Hours] = [:], dates: [CalendarDate: [DateHours]] = [:], fade: Seconds = Seconds(10),
                otherwise: String = "normal") {
        self.hours = hours
        self.dates = dates
        self.fade = fade
        self.otherwise = otherwise
    }

    /// Returns what applies at `instant`, which is in seconds since 1970-01-01 in UTC. `utcOffset` returns the seconds by which local time
    /// is ahead of UTC at an instant.
    public func preset(at instant: Int, utcOffset: (Int) -> Int) -> Choice {
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        // Yesterday's hours may still go on. Tomorrow's may have begun already, where the clock is set back across midnight.
        let days = today - 1...today + 1
        if let choice = choiceOfDates(at: instant, days, utcOffset) { return choice }
        let replaced = days.filter { hours(ofDay: $0) != nil }
        let date = replaced.first { Self.span(ofDay: $0, utcOffset: utcOffset).contains(instant) }
        var counts: (rank: (days: Int, start: Int, name: String), choice: Choice)?
        for (name, hours) in hours {
            for day in days {
                guard let span = hours.span(on: day, utcOffset: utcOffset), span.contains(instant) else { continue }
                let isReplaced = replaced.contains(day)
                if isReplaced, date != nil { continue }
                let rank = (days: hours.days.count, start: -span.lowerBound, name: name)
                if counts.map({ rank < $0.rank }) ?? true {
                    counts = (rank, isReplaced ? Self.closing(day) : Choice(hours: name, preset: hours.preset))
                }
            }
        }
        return counts?.choice ?? date.map(Self.closing) ?? Choice(hours: nil, preset: otherwise)
    }

    private static func closing(_ day: Int) -> Choice { Choice(hours: nil, date: CalendarDate(day: day), preset: closed) }

    /// Returns the choice of the hours of dates that apply at `instant` and begin on one of `days`; nil where there are none.
    private func choiceOfDates(at instant: Int, _ days: ClosedRange<Int>, _ utcOffset: (Int) -> Int) -> Choice? {
        var counts: (start: Int, choice: Choice)?
        for day in days {
            for hours in hours(ofDay: day) ?? [] {
                let span = hours.span(on: day, utcOffset: utcOffset)
                guard span.contains(instant), counts.map({ span.lowerBound > $0.start }) ?? true else { continue }
                counts = (span.lowerBound, Choice(hours: nil, date: CalendarDate(day: day), preset: hours.preset))
            }
        }
        return counts?.choice
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
        for day in daysOfChange(from: today - 1) {
            for edge in edges(on: day, utcOffset: utcOffset) where edge > instant && isOther(preset(at: edge, utcOffset: utcOffset), now) {
                return edge
            }
        }
        return nil
    }
}

extension WeeklySchedule.Hours {
    /// Returns the span of the hours that begin on `day`; nil where none begin on that day.
    func span(on day: Int, utcOffset: (Int) -> Int) -> Range<Int>? {
        guard days.contains(Weekdays(ofDay: day)) else { return nil }
        return LocalClock.span(from: from, to: to, on: day, utcOffset: utcOffset)
    }
}

extension WeeklySchedule {
    private static let day = 86_400

    /// Faults for hours that are probably a mistake: those that never apply, and those that begin and end at the same time. They are
    /// ordered by the hours' names, then by date, and their fields begin with `schedule`. Weeks in which the clock changes are not
    /// considered.
    public var oddities: [Fault] { odditiesOfWeek + odditiesOfDates }

    private var odditiesOfDates: [Fault] {
        pathsOfDates.filter { $0.hours.from == $0.hours.to }.map { Self.lastingADay($0.path + ".to") }
    }

    private static func lastingADay(_ field: String) -> Fault {
        Fault(field: field, expected: "another time than from, or these hours last until the next day's", found: "the same")
    }

    private var odditiesOfWeek: [Fault] {
        let winners = winnersOfWeek
        return hours.sorted { $0.key < $1.key }.flatMap { name, hours in
            var faults: [Fault] = []
            if hours.from == hours.to {
                faults.append(Self.lastingADay("schedule.hours.\(name).to"))
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
        let week = WeeklySchedule(hours: hours, otherwise: otherwise)
        let edges = Set((6...14).flatMap { day in hours.values.compactMap { $0.span(on: day) { _ in 0 } } }
            .flatMap { [$0.lowerBound, $0.upperBound] }).filter { (7 * Self.day..<14 * Self.day).contains($0) }
        return edges.reduce(into: [:]) { $0[$1] = week.preset(at: $1, utcOffset: { _ in 0 }).hours }
    }

    private func isOn(_ name: String, at instant: Int) -> Bool {
        let today = instant / Self.day
        return (today - 1...today).contains { hours[name]?.span(on: $0) { _ in 0 }?.contains(instant) == true }
    }
}
