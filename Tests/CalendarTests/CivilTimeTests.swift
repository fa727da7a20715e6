import Calendar
import Testing
import TestSupport

/// What is expected was printed by civil_time.py: Python's zoneinfo, asked minute by minute.
@Suite struct CivilTimeTests {
    @Test(arguments: [(1_767_225_600.0, 0, "2026-01-01"), (1_767_225_600, -3_600, "2025-12-31"), (1_767_225_599, 1, "2026-01-01"),
                      (1_709_164_800, 0, "2024-02-29"), (0, 0, "1970-01-01")])
    func `a date is that of the local day`(instant: Double, offset: Int, date: String) {
        #expect(CivilTime(instant: instant, utcOffset: offset).date == date)
    }

    /// 40 days, beginning on 2026-03-01 and 2026-09-28 at 00:00 UTC.
    struct Walk: Sendable, CustomTestStringConvertible {
        var place: String
        var zone: Zone
        var start: Int
        /// The first instant at which it is a time of day, and then how often which gap follows.
        var times: [String: String]

        var testDescription: String { "\(place) from \(start)" }
        var end: Int { start + 40 * 86_400 }
    }

    static let walks = [
        Walk(place: "Berlin", zone: .berlin, start: 1_772_323_200, times: [
            "00:00": "1772406000 86400x27 82800x1 86400x11",
            "02:00": "1772326800 86400x28 82800x1 86400x11",
            "02:30": "1772328600 86400x27 84600x2 86400x10",
            "04:00": "1772334000 86400x27 82800x1 86400x11",
        ]),
        Walk(place: "Berlin", zone: .berlin, start: 1_790_553_600, times: [
            "00:00": "1790632800 86400x26 90000x1 86400x12",
            "02:00": "1790640000 86400x26 90000x1 86400x11",
            "02:30": "1790555400 86400x27 90000x1 86400x11",
            "04:00": "1790560800 86400x26 90000x1 86400x12",
        ]),
        Walk(place: "New York", zone: .newYork, start: 1_772_323_200, times: [
            "00:00": "1772341200 86400x7 82800x1 86400x31",
            "02:00": "1772348400 86400x7 82800x1 86400x31",
            "02:30": "1772350200 86400x6 84600x2 86400x31",
            "04:00": "1772355600 86400x6 82800x1 86400x32",
        ]),
        Walk(place: "New York", zone: .newYork, start: 1_790_553_600, times: [
            "00:00": "1790568000 86400x34 90000x1 86400x4",
            "02:00": "1790575200 86400x33 90000x1 86400x5",
            "02:30": "1790577000 86400x33 90000x1 86400x5",
            "04:00": "1790582400 86400x33 90000x1 86400x5",
        ]),
        // Clocks are changed by half an hour: at 02:00 to 01:30, and at 02:00 to 02:30.
        Walk(place: "Lord Howe", zone: .lordHowe, start: 1_772_323_200, times: [
            "00:00": "1772370000 86400x34 88200x1 86400x4",
            "02:00": "1772377200 86400x33 88200x1 86400x5",
            "02:30": "1772379000 86400x33 88200x1 86400x5",
            "04:00": "1772384400 86400x33 88200x1 86400x5",
        ]),
        Walk(place: "Lord Howe", zone: .lordHowe, start: 1_790_553_600, times: [
            "00:00": "1790602200 86400x5 84600x1 86400x33",
            "02:00": "1790609400 86400x5 84600x1 86400x33",
            "02:30": "1790611200 86400x4 84600x1 86400x34",
            "04:00": "1790616600 86400x4 84600x1 86400x34",
        ]),
    ]

    @Test(arguments: walks)
    func `a roll-over comes once a local day, for 40 days with a change of clocks`(walk: Walk) throws {
        for (text, expected) in walk.times {
            let time = try #require(LocalTime(text))
            let found = walked(from: walk.start, to: walk.end) { LocalClock.next(time, after: $0, utcOffset: walk.zone.offset) }
            #expect(try found == instants(expected), "\(text)")
            for (before, next) in zip(found, found.dropFirst()) {
                let day = LocalClock.day(at: before, utcOffset: walk.zone.offset)
                #expect(LocalClock.day(at: next, utcOffset: walk.zone.offset) == day + 1, "\(text)")
                for instant in Array(stride(from: before, to: next, by: 600)) + [next - 1] {
                    #expect(LocalClock.next(time, after: instant, utcOffset: walk.zone.offset) == next, "\(text)")
                }
            }
        }
    }

    @Test func `24 00 is the midnight that ends a day, also for whom it has just begun`() throws {
        let midnight = try #require(LocalTime("24:00"))
        // 2026-03-29T00:00 in Berlin, and the day of 23 hours that begins then.
        #expect(LocalClock.next(midnight, after: 1_774_738_799, utcOffset: Zone.berlin.offset) == 1_774_738_800)
        #expect(LocalClock.next(midnight, after: 1_774_738_800, utcOffset: Zone.berlin.offset) == 1_774_738_800 + 23 * 3_600)
    }

    /// The last second before clocks are changed, and the first one after: offset, day, second of the day.
    @Test(arguments: [
        (Zone.berlin, 1_774_745_999, 3_600, 20_541, 7_199), (Zone.berlin, 1_774_746_000, 7_200, 20_541, 10_800),
        (Zone.berlin, 1_792_889_999, 7_200, 20_751, 10_799), (Zone.berlin, 1_792_890_000, 3_600, 20_751, 7_200),
        (Zone.newYork, 1_772_953_199, -18_000, 20_520, 7_199), (Zone.newYork, 1_772_953_200, -14_400, 20_520, 10_800),
        (Zone.newYork, 1_793_512_799, -14_400, 20_758, 7_199), (Zone.newYork, 1_793_512_800, -18_000, 20_758, 3_600),
        (Zone.lordHowe, 1_775_314_799, 39_600, 20_548, 7_199), (Zone.lordHowe, 1_775_314_800, 37_800, 20_548, 5_400),
        (Zone.lordHowe, 1_791_041_399, 37_800, 20_730, 7_199), (Zone.lordHowe, 1_791_041_400, 39_600, 20_730, 9_000),
    ])
    func `an instant has a local day and a time of day`(zone: Zone, instant: Int, offset: Int, day: Int, second: Int) {
        // Up to the last thousandth it is the same second.
        for part in [0, 0.5, 0.999] {
            let time = CivilTime(at: Double(instant) + part, utcOffset: zone.offset)
            #expect(time == CivilTime(instant: Double(instant) + part, utcOffset: offset))
            #expect([time.day, time.secondOfDay] == [day, second])
        }
    }

    @Test func `a day ends at midnight, wherever that is`() {
        // 2026-10-24T23:59:59 and 2026-10-25T00:00:00 in Berlin; the latter in New York, where it is the 24th still.
        let late = CivilTime(at: 1_792_879_199, utcOffset: Zone.berlin.offset)
        let midnight = CivilTime(at: 1_792_879_200, utcOffset: Zone.berlin.offset)
        #expect(midnight.day == late.day + 1)
        #expect(CivilTime(at: 1_792_879_200, utcOffset: Zone.newYork.offset).day == late.day)
    }

    private func walked(from start: Int, to end: Int, next: (Int) -> Int) -> [Int] {
        var instants: [Int] = []
        var instant = next(start)
        while instant <= end {
            instants.append(instant)
            instant = next(instant)
        }
        return instants
    }

    private func instants(_ runs: String) throws -> [Int] {
        let words = runs.split(separator: " ")
        var instants = [try #require(Int(words[0]))]
        for word in words.dropFirst() {
            let numbers = word.split(separator: "x").compactMap { Int($0) }
            try #require(numbers.count == 2)
            for _ in 0..<numbers[1] { instants.append(instants[instants.count - 1] + numbers[0]) }
        }
        return instants
    }

    /// As Python prints them: `datetime.fromtimestamp(…, timezone.utc)`.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (1_709_164_800.9, "2024-02-29T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(Double, String)])
    func `an instant is spelled as ISO 8601 has it, in UTC`(instant: Double, spelled: String) {
        #expect(CivilTime(instant: instant, utcOffset: 7_200).iso8601 == spelled)
    }
}
