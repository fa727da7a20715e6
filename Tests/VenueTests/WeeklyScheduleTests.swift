import Calendar
import Testing
import TestSupport
import Units
@testable import Venue

@Suite struct WeeklyScheduleTests {
    private static func hours(_ days: String, _ from: String, _ to: String, _ preset: String) throws -> WeeklySchedule.Hours {
        WeeklySchedule.Hours(days: try #require(Weekdays(words: days)), from: try #require(LocalTime(from)), to: try #require(LocalTime(to)),
                             preset: preset)
    }

    private static func week() throws -> WeeklySchedule {
        WeeklySchedule(hours: [
            "a-owl": try hours("sun", "00:50", "01:40", "sensory-friendly"),
            "b-owl": try hours("sun", "01:50", "02:10", "quiet-day"),
            "c-night": try hours("daily", "22:15", "02:30", "silent"),
            "d-early": try hours("sun", "02:15", "05:00", "quiet-day"),
            "e-soft": try hours("weekend", "10:00", "12:00", "sensory-friendly"),
            "f-day": try hours("weekdays", "09:00", "17:30", "quiet-day"),
            "g-eve": try hours("weekend", "20:00", "24:00", "quiet-day"),
        ])
    }

    /// Eight days each from a Wednesday on, in which clocks change on a Sunday: in steps of 5 minutes from the first instant on, from when
    /// which hours count. Found with Python's zoneinfo and none of the arithmetic that is tested, by walking from minute to minute.
    private static let weeks: [(zone: Zone, first: Int, changes: String)] = [
        (Zone.berlin, 1774393200, """
            0:c-night 30:- 108:f-day 210:- 267:c-night 318:- 396:f-day 498:- 555:c-night 606:- 684:f-day 786:- 843:c-night 894:- \
            984:e-soft 1008:- 1104:g-eve 1152:c-night 1162:a-owl 1172:c-night 1174:b-owl 1176:d-early 1200:- 1260:e-soft 1284:- \
            1380:g-eve 1428:c-night 1458:- 1536:f-day 1638:- 1695:c-night 1746:- 1824:f-day 1926:- 1983:c-night 2034:- 2112:f-day \
            2214:- 2271:c-night
            """),
        (Zone.berlin, 1792533600, """
            0:c-night 30:- 108:f-day 210:- 267:c-night 318:- 396:f-day 498:- 555:c-night 606:- 684:f-day 786:- 843:c-night 894:- \
            984:e-soft 1008:- 1104:g-eve 1152:c-night 1162:a-owl 1172:c-night 1174:b-owl 1178:c-night 1179:d-early 1224:- \
            1284:e-soft 1308:- 1404:g-eve 1452:c-night 1482:- 1560:f-day 1662:- 1719:c-night 1770:- 1848:f-day 1950:- 2007:c-night \
            2058:- 2136:f-day 2238:- 2295:c-night
            """),
        (Zone.newYork, 1772600400, """
            0:c-night 30:- 108:f-day 210:- 267:c-night 318:- 396:f-day 498:- 555:c-night 606:- 684:f-day 786:- 843:c-night 894:- \
            984:e-soft 1008:- 1104:g-eve 1152:c-night 1162:a-owl 1172:c-night 1174:b-owl 1176:d-early 1200:- 1260:e-soft 1284:- \
            1380:g-eve 1428:c-night 1458:- 1536:f-day 1638:- 1695:c-night 1746:- 1824:f-day 1926:- 1983:c-night 2034:- 2112:f-day \
            2214:- 2271:c-night
            """),
        (Zone.newYork, 1793160000, """
            0:c-night 30:- 108:f-day 210:- 267:c-night 318:- 396:f-day 498:- 555:c-night 606:- 684:f-day 786:- 843:c-night 894:- \
            984:e-soft 1008:- 1104:g-eve 1152:c-night 1162:a-owl 1172:c-night 1174:b-owl 1190:c-night 1191:d-early 1224:- \
            1284:e-soft 1308:- 1404:g-eve 1452:c-night 1482:- 1560:f-day 1662:- 1719:c-night 1770:- 1848:f-day 1950:- 2007:c-night \
            2058:- 2136:f-day 2238:- 2295:c-night
            """),
    ]

    @Test(arguments: 0..<4) func `which hours count is right at every five minutes of a week in which clocks change`(number: Int) throws {
        let schedule = try Self.week()
        let (zone, first, text) = Self.weeks[number]
        var changes: [Int: String] = [:]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":")
            changes[try #require(Int(parts[0]))] = String(parts[1])
        }
        var expected = ""
        for step in 0..<8 * 288 {
            expected = changes[step] ?? expected
            for instant in [first + step * 300, first + step * 300 + 299] {
                let choice = schedule.preset(at: instant, utcOffset: zone.offset)
                #expect(choice.hours ?? "-" == expected, "at \(instant)")
                #expect(choice.preset == choice.hours.flatMap { schedule.hours[$0]?.preset } ?? "normal")
            }
        }
    }

    @Test(arguments: 0..<4) func `the next change is the next at which another preset is for`(number: Int) throws {
        let schedule = try Self.week()
        let (zone, first, text) = Self.weeks[number]
        var last = first - 1
        var lastPreset = ""
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":")
            let instant = first + (try #require(Int(parts[0]))) * 300
            let preset = schedule.hours[String(parts[1])]?.preset ?? "normal"
            guard preset != lastPreset else { continue }
            if instant > first {
                #expect(schedule.nextChange(after: last, utcOffset: zone.offset) == instant)
                #expect(schedule.nextChange(after: instant - 1, utcOffset: zone.offset) == instant)
            }
            (last, lastPreset) = (instant, preset)
        }
    }

    @Test func `without hours nothing ever changes, and with one hour a week it does a week later`() throws {
        let utc = Zone.utc.offset
        #expect(WeeklySchedule().preset(at: 0, utcOffset: utc) == .init(hours: nil, preset: "normal"))
        #expect(WeeklySchedule().nextChange(after: 0, utcOffset: utc) == nil)
        #expect(WeeklySchedule(hours: ["all": try Self.hours("daily", "00:00", "24:00", "silent")]).nextChange(after: 0, utcOffset: utc) == nil)
        // 1970-01-01 was a Thursday.
        let weekly = WeeklySchedule(hours: ["one": try Self.hours("thu", "10:00", "11:00", "silent")])
        #expect(weekly.nextChange(after: 36_000, utcOffset: utc) == 39_600)
        #expect(weekly.nextChange(after: 39_600, utcOffset: utc) == 36_000 + 7 * 86_400)
    }

    /// 1970-01-01 was a Thursday.
    @Test func `hours that follow others with the same preset are an edge, and no change`() throws {
        let schedule = WeeklySchedule(hours: [
            "first": try Self.hours("thu", "10:00", "12:00", "quiet-day"), "second": try Self.hours("thu", "12:00", "14:00", "quiet-day"),
        ])
        let utc = Zone.utc.offset
        #expect(schedule.nextEdge(after: 11 * 3_600, utcOffset: utc) == 12 * 3_600)
        #expect(schedule.nextChange(after: 11 * 3_600, utcOffset: utc) == 14 * 3_600)
        #expect(schedule.nextEdge(after: 14 * 3_600, utcOffset: utc) == 10 * 3_600 + 7 * 86_400)
        #expect(WeeklySchedule().nextEdge(after: 0, utcOffset: utc) == nil)
    }

    @Test func `hours that end when they begin last a day, and those over Sunday night go on into Monday`() throws {
        let schedule = WeeklySchedule(hours: ["long": try Self.hours("sun", "18:00", "18:00", "silent")])
        // 1970-01-04 was a Sunday.
        let begin = 3 * 86_400 + 64_800
        for (instant, preset) in [(begin - 1, "normal"), (begin, "silent"), (begin + 86_399, "silent"), (begin + 86_400, "normal")] {
            #expect(schedule.preset(at: instant, utcOffset: Zone.utc.offset).preset == preset)
        }
    }

    /// From 02:15 to 02:45 on 2026-03-29 in Berlin, and from 2026-10-25 02:15 on.
    @Test func `hours inside the hour that is left out are empty, and inside the one that comes twice they come once`() throws {
        let schedule = WeeklySchedule(hours: ["inside": try Self.hours("sun", "02:15", "02:45", "silent")])
        let spring = stride(from: 1_774_746_000 - 7_200, to: 1_774_746_000 + 7_200, by: 60)
        #expect(spring.allSatisfy { schedule.preset(at: $0, utcOffset: Zone.berlin.offset).hours == nil })
        let autumn = stride(from: 1_792_886_400 - 3_600, to: 1_792_886_400 + 14_400, by: 60)
        let silent = autumn.filter { schedule.preset(at: $0, utcOffset: Zone.berlin.offset).hours != nil }
        #expect(silent == Array(stride(from: 1_792_887_300, to: 1_792_889_100, by: 60)))
    }
}
