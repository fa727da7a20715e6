import Calendar
import TestSupport
import Testing
@testable import Venue

/// Which of several hours that apply count.
@Suite struct SchedulePriorityTests {
    private static func hours(_ days: String, _ from: String, _ to: String, _ preset: String = "quiet-day") throws -> WeeklySchedule.Hours {
        WeeklySchedule.Hours(days: try #require(Weekdays(words: days)), from: try #require(LocalTime(from)), to: try #require(LocalTime(to)),
                             preset: preset)
    }

    /// At a time of Sunday, 1970-01-04, in UTC.
    private static func onSunday(_ schedule: WeeklySchedule, _ hour: Int, _ minute: Int = 0) -> String? {
        schedule.preset(at: 3 * 86_400 + hour * 3_600 + minute * 60, utcOffset: { _ in 0 }).hours
    }

    @Test func `a quiet Sunday morning is no longer lost behind the hours of every day`() throws {
        let schedule = WeeklySchedule(hours: [
            "open": try Self.hours("tue-sun", "10:00", "18:00", "normal"),
            "sunday-mornings": try Self.hours("sun", "10:00", "12:00", "sensory-friendly"),
        ])
        #expect(Self.onSunday(schedule, 10) == "sunday-mornings" && Self.onSunday(schedule, 12) == "open")
        #expect(schedule.oddities.isEmpty)
    }

    @Test func `of as many days those that began last count, also after midnight, and of these the first by name`() throws {
        let schedule = WeeklySchedule(hours: [
            "a": try Self.hours("sat", "22:00", "06:00"), "b": try Self.hours("sun", "05:00", "08:00"),
            "d": try Self.hours("sun", "07:00", "08:00"), "c": try Self.hours("sun", "07:00", "09:00"),
        ])
        #expect(Self.onSunday(schedule, 4, 59) == "a" && Self.onSunday(schedule, 5) == "b")
        #expect(Self.onSunday(schedule, 6, 59) == "b" && Self.onSunday(schedule, 7) == "c" && Self.onSunday(schedule, 8) == "c")
        // d is c's first hour.
        #expect(schedule.oddities.map(\.field) == ["schedule.hours.d"])
        #expect(schedule.oddities[0].found == "none, because c always comes first: of fewer days, of as many and begun later, or first by name")
    }

    @Test func `hours that end when they begin are told, and hours that all others together hide`() throws {
        let schedule = WeeklySchedule(hours: [
            "long": try Self.hours("daily", "09:00", "09:00"), "noon": try Self.hours("daily", "11:00", "13:00"),
            "week": try Self.hours("weekdays", "10:00", "14:00"), "end": try Self.hours("sat-sun", "00:00", "24:00"),
        ])
        #expect(schedule.oddities.map(\.field) == ["schedule.hours.long.to", "schedule.hours.noon"])
        #expect(schedule.oddities.last?.found?.contains("because end, week always") == true)
        // A night over Sunday's end is seen, too.
        #expect(WeeklySchedule(hours: ["night": try Self.hours("sun", "23:00", "01:00")]).oddities.isEmpty)
    }

    /// Hours by their numbers, in a week of quarters of an hour from Monday on, read off the rule's words: a quarter belongs to hours that
    /// were begun on one of their days and are not over.
    private struct Plain {
        var days: [Int]
        var from: Int
        var to: Int
        var name: String

        /// How many quarters ago they began; nil while they do not apply.
        func age(at quarter: Int) -> Int? {
            let length = to > from ? to - from : 96 - from + to
            return (0..<length).first { ago in
                let begin = (quarter - ago + 672) % 672
                return begin % 96 == from && days.contains(begin / 96)
            }
        }
    }

    @Test func `in any week the hours are those that the rule's words give, at every quarter of an hour`() throws {
        var random = SplitMix64(seed: 35)
        // 1970-01-05 was a Monday.
        let monday = 4 * 86_400
        for _ in 0..<60 {
            let plain = try (0..<Int.random(in: 1...6, using: &random)).map { number -> Plain in
                let days = (0..<7).filter { _ in Bool.random(using: &random) }
                return Plain(days: days.isEmpty ? [number] : days, from: Int.random(in: 0..<96, using: &random),
                             to: Int.random(in: 0...96, using: &random), name: try #require(["f", "b", "e", "a", "d", "c"].dropFirst(number).first))
            }
            func time(_ quarter: Int) -> String { "\(quarter / 4):" + ["00", "15", "30", "45"][quarter % 4] }
            let schedule = WeeklySchedule(hours: Dictionary(uniqueKeysWithValues: try plain.map {
                ($0.name, try Self.hours($0.days.map { Weekdays.names[$0] }.joined(separator: ","), time($0.from), time($0.to)))
            }))
            var seen: Set<String> = []
            for quarter in 0..<672 {
                let on = plain.compactMap { hours in hours.age(at: quarter).map { (hours, $0) } }
                let fewest = on.map(\.0.days.count).min()
                let special = on.filter { $0.0.days.count == fewest }
                let youngest = special.map(\.1).min()
                let expected = special.filter { $0.1 == youngest }.map(\.0.name).min()
                for instant in [monday + quarter * 900, monday + quarter * 900 + 899] {
                    #expect(schedule.preset(at: instant, utcOffset: { _ in 0 }).hours == expected, "\(plain) at \(quarter)")
                }
                if let expected { seen.insert(expected) }
            }
            let never = Set(schedule.oddities.filter { $0.found != "the same" }.map(\.field))
            #expect(never == Set(plain.filter { !seen.contains($0.name) }.map { "schedule.hours.\($0.name)" }), "\(plain)")
        }
    }
}
