import Calendar
import Fields
import TestSupport
import Testing
import Units
@testable import Venue

/// Dates with hours of their own. What is expected was read off the words of docs/hearing.md by hand.
@Suite struct ScheduleDatesTests {
    private static func hours(_ days: String, _ from: String, _ to: String, _ preset: String) throws -> WeeklySchedule.Hours {
        WeeklySchedule.Hours(days: try #require(Weekdays(words: days)), from: try #require(LocalTime(from)), to: try #require(LocalTime(to)),
                             preset: preset)
    }

    private static func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    /// Hours of a date, such as `10:00-14:00 normal`.
    private static func hours(_ text: String) throws -> WeeklySchedule.DateHours {
        let words = text.split(separator: " ").map(String.init)
        let times = words[0].split(separator: "-").map(String.init)
        return WeeklySchedule.DateHours(from: try #require(LocalTime(times[0])), to: try #require(LocalTime(times[1])), preset: words[1])
    }

    private static func dates(_ entries: [String: [String]]) throws -> [CalendarDate: [WeeklySchedule.DateHours]] {
        Dictionary(uniqueKeysWithValues: try entries.map { (try date($0), try $1.map(hours)) })
    }

    /// What the schedule chooses from `start` on, and each change of it until `end`, as the seconds since `start`, what decides, and the preset.
    private static func changes(of schedule: WeeklySchedule, from start: Int, to end: Int, _ zone: Zone) -> [String] {
        var (instant, lines): (Int?, [String]) = (start, [])
        while let now = instant, now < end {
            let choice = schedule.preset(at: now, utcOffset: zone.offset)
            let second = now + zone.offset(now)
            let day = CalendarDate(day: second / 86_400).text.dropFirst(5)
            lines.append("\(day) \(clockFace(second % 86_400)) \(choice.entry ?? "-") \(choice.preset)")
            instant = schedule.nextEdge(after: now, utcOffset: zone.offset)
        }
        return lines
    }

    /// The instant of a midnight in Berlin's winter.
    private static func winter(_ date: String) throws -> Int { try Self.date(date).day * 86_400 - 3_600 }

    @Test func `what closes the house on dates may not be heard`() throws {
        let schedule = WeeklySchedule(dates: try Self.dates(["2026-12-25": []]))
        let heard = Preset(volume: Decibels(-20))
        let fault = try #require(throws: Fault.self) { try Venue(presets: ["silent": heard], schedule: schedule) }
        #expect("\(fault)" == "presets.silent: expected none, because schedule.dates close the house with it, found one that is heard")
        #expect(throws: Never.self) { try Venue(presets: ["silent": heard]) }
        #expect(throws: Never.self) { try Venue(presets: ["silent": Preset(volume: .silence, slowness: 2)], schedule: schedule) }
    }

    @Test func `a date takes the place of the hours that begin on it, also after midnight, and those of the day before go on`() throws {
        let schedule = WeeklySchedule(
            hours: ["open": try Self.hours("tue-sun", "10:00", "18:00", "normal"), "late": try Self.hours("sat", "20:00", "02:00", "normal")],
            dates: try Self.dates(["2026-12-20": [], "2026-12-24": ["10:00-14:00 normal"], "2026-12-25": [], "2026-12-26": [],
                                   "2026-12-31": ["10:00-16:00 normal", "18:00-01:00 quiet-day"]]),
            otherwise: "silent")
        // 2026-12-19 was a Saturday.
        let lines = Self.changes(of: schedule, from: try Self.winter("2026-12-19") + 19 * 3_600, to: try Self.winter("2027-01-02"), .berlin)
        #expect(lines == [
            "12-19 19:00 - silent", "12-19 20:00 late normal", "12-20 02:00 2026-12-20 silent", "12-21 00:00 - silent",
            "12-22 10:00 open normal", "12-22 18:00 - silent", "12-23 10:00 open normal", "12-23 18:00 - silent",
            "12-24 00:00 2026-12-24 silent", "12-24 10:00 2026-12-24 normal", "12-24 14:00 2026-12-24 silent", "12-25 00:00 2026-12-25 silent",
            "12-26 00:00 2026-12-26 silent", "12-27 02:00 - silent", "12-27 10:00 open normal", "12-27 18:00 - silent",
            "12-29 10:00 open normal", "12-29 18:00 - silent", "12-30 10:00 open normal", "12-30 18:00 - silent",
            "12-31 00:00 2026-12-31 silent", "12-31 10:00 2026-12-31 normal", "12-31 16:00 2026-12-31 silent",
            "12-31 18:00 2026-12-31 quiet-day", "01-01 01:00 - silent", "01-01 10:00 open normal", "01-01 18:00 - silent",
        ])
    }

    @Test func `in a house that only names its nights, a closed date lasts from the end of one night to the end of the next`() throws {
        let schedule = WeeklySchedule(hours: ["night": try Self.hours("daily", "18:00", "10:00", "silent")],
                                      dates: try Self.dates(["2026-12-25": []]))
        let lines = Self.changes(of: schedule, from: try Self.winter("2026-12-24") + 12 * 3_600, to: try Self.winter("2026-12-27"), .berlin)
        #expect(lines == ["12-24 12:00 - normal", "12-24 18:00 night silent", "12-25 10:00 2026-12-25 silent", "12-26 10:00 - normal",
                          "12-26 18:00 night silent"])
    }

    @Test func `hours of a date go before those of the week on the morning after it, and of several those that began last`() throws {
        let schedule = WeeklySchedule(
            hours: ["early": try Self.hours("fri", "00:30", "03:00", "sensory-friendly")],
            dates: try Self.dates(["2026-12-31": ["18:00-02:00 normal", "23:00-00:00 quiet-day"]]), otherwise: "silent")
        let lines = Self.changes(of: schedule, from: try Self.winter("2026-12-31"), to: try Self.winter("2027-01-02"), .berlin)
        #expect(lines == ["12-31 00:00 2026-12-31 silent", "12-31 18:00 2026-12-31 normal", "12-31 23:00 2026-12-31 quiet-day",
                          "01-01 00:00 2026-12-31 normal", "01-01 02:00 early sensory-friendly", "01-01 03:00 - silent"])
    }

    /// Midnights and times in Berlin on the days of the changes of 2026, by Python's zoneinfo. 02:30 comes twice on 25 October, and means
    /// the first.
    @Test func `a closed date has 23 hours when clocks go forward and 25 when they go back, and its hours end once`() throws {
        let spring = WeeklySchedule(dates: try Self.dates(["2026-03-29": []]))
        #expect(spring.nextEdge(after: 1_774_700_000, utcOffset: Zone.berlin.offset) == 1_774_738_800)
        #expect(spring.nextEdge(after: 1_774_738_800, utcOffset: Zone.berlin.offset) == 1_774_821_600)
        let autumn = WeeklySchedule(dates: try Self.dates(["2026-10-25": ["01:30-02:30 quiet-day"]]))
        var (instant, edges) = (1_792_800_000, [Int]())
        while let next = autumn.nextEdge(after: instant, utcOffset: Zone.berlin.offset) {
            edges.append(next)
            instant = next
        }
        #expect(edges == [1_792_879_200, 1_792_884_600, 1_792_888_200, 1_792_969_200])
        #expect(edges.map { autumn.preset(at: $0, utcOffset: Zone.berlin.offset).preset } == ["silent", "quiet-day", "silent", "normal"])
    }

    @Test func `what comes next is found behind closed weeks, and a year ahead`() throws {
        let fortnight = (20...31).map { "2026-12-\($0)" } + (1...5).map { "2027-01-0\($0)" }
        let holidays = WeeklySchedule(hours: ["open": try Self.hours("daily", "10:00", "18:00", "normal")],
                                      dates: try Self.dates(Dictionary(uniqueKeysWithValues: fortnight.map { ($0, []) })), otherwise: "silent")
        let noon = try Self.winter("2026-12-20") + 12 * 3_600
        #expect(holidays.nextChange(after: noon, utcOffset: Zone.berlin.offset) == (try Self.winter("2027-01-06")) + 10 * 3_600)
        #expect(holidays.next(after: noon, utcOffset: Zone.berlin.offset) { $0.preset == "loud" } == nil)
        // The Monday after holidays is no Monday of theirs.
        let mondays = WeeklySchedule(hours: ["open": try Self.hours("mon", "10:00", "18:00", "normal")],
                                     dates: try Self.dates(["2026-12-21": [], "2026-12-28": []]), otherwise: "silent")
        #expect(mondays.nextChange(after: noon, utcOffset: Zone.berlin.offset) == (try Self.winter("2027-01-04")) + 10 * 3_600)
        let far = WeeklySchedule(dates: try Self.dates(["2027-12-24": []]))
        #expect(far.nextChange(after: noon, utcOffset: Zone.berlin.offset) == (try Self.winter("2027-12-24")))
        #expect(far.nextChange(after: try Self.winter("2027-12-26"), utcOffset: Zone.berlin.offset) == nil)
    }

    @Test func `hours of a date that end when they begin are told`() throws {
        let schedule = WeeklySchedule(dates: try Self.dates(["2026-12-31": ["10:00-12:00 normal", "18:00-18:00 normal"], "2026-12-24": ["9:00-9:00 normal"]]))
        #expect(schedule.oddities.map(\.field) == ["schedule.dates.2026-12-24.to", "schedule.dates.2026-12-31[1].to"])
    }
}
