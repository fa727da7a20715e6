import Calendar
import Testing
import TestSupport

/// What is expected was found with Python's zoneinfo, by walking from minute to minute until the local clock shows the time or a later one.
@Suite struct LocalClockTests {
    @Test(arguments: [
        // 2026-03-29 in Berlin: 02:00 to 03:00 is left out.
        (20_541, "01:59", 1_774_745_940), (20_541, "02:00", 1_774_746_000), (20_541, "02:30", 1_774_746_000),
        (20_541, "03:00", 1_774_746_000), (20_541, "04:00", 1_774_749_600), (20_541, "10:00", 1_774_771_200),
        // 2026-10-25: 02:00 to 03:00 comes twice.
        (20_751, "01:30", 1_792_884_600), (20_751, "02:00", 1_792_886_400), (20_751, "02:30", 1_792_888_200),
        (20_751, "02:59", 1_792_889_940), (20_751, "03:00", 1_792_893_600), (20_751, "10:00", 1_792_918_800),
    ])
    func `a time in Berlin is at one instant, also when clocks change`(day: Int, time: String, instant: Int) throws {
        #expect(LocalClock.instant(try #require(LocalTime(time)), on: day, utcOffset: Zone.berlin.offset) == instant)
    }

    @Test(arguments: [
        (20_520, "02:30", 1_772_953_200), (20_520, "03:00", 1_772_953_200),
        (20_758, "01:00", 1_793_509_200), (20_758, "01:30", 1_793_511_000), (20_758, "02:00", 1_793_516_400),
    ])
    func `a time in New York is at one instant, also when clocks change`(day: Int, time: String, instant: Int) throws {
        #expect(LocalClock.instant(try #require(LocalTime(time)), on: day, utcOffset: Zone.newYork.offset) == instant)
    }

    /// By the calendar: 2024-01-01 began 1704067200 s after 1970-01-01.
    @Test func `a clock that says 1970, or anything before 2024, is not believed`() {
        for instant in [-1, 0, 86_400, 1_704_067_199] { #expect(!LocalClock.isBelievable(instant)) }
        for instant in [1_704_067_200, 1_795_352_400, 4_000_000_000] { #expect(LocalClock.isBelievable(instant)) }
    }

    @Test func `a day begins at local midnight`() {
        #expect(LocalClock.day(at: 0, utcOffset: Zone.utc.offset) == 0)
        #expect(LocalClock.day(at: -1, utcOffset: Zone.utc.offset) == -1)
        // 2026-10-24T22:00Z is midnight in Berlin, and 18:00 in New York.
        #expect(LocalClock.day(at: 1_792_879_199, utcOffset: Zone.berlin.offset) == 20_750)
        #expect(LocalClock.day(at: 1_792_879_200, utcOffset: Zone.berlin.offset) == 20_751)
        #expect(LocalClock.day(at: 1_792_879_200, utcOffset: Zone.newYork.offset) == 20_750)
    }

    /// By the calendar: 1970-01-01 was a Thursday, 2026-03-29 a Sunday, 1969-12-29 a Monday.
    @Test func `a day is a day of the week`() {
        #expect(Weekdays(ofDay: 0) == Weekdays(words: "thu"))
        #expect(Weekdays(ofDay: 20_541) == Weekdays(words: "sun"))
        #expect(Weekdays(ofDay: -3) == Weekdays(words: "mon"))
    }

    @Test func `days are named one by one, in ranges, and by words for them`() {
        #expect(Weekdays(words: "mon,tue,wed,thu,fri") == .workdays)
        #expect(Weekdays(words: "mon-fri") == Weekdays(words: "weekdays"))
        #expect(Weekdays(words: "Sat - Sun") == .weekend)
        #expect(Weekdays(words: "fri-tue") == Weekdays(words: "fri, sat, sun, mon, tue"))
        #expect(Weekdays(words: "daily") == Weekdays(words: "weekend,weekdays"))
        for words in ["", "mon,", "monday", "mon-", "mon-tue-wed", "1-5", "daily-sun"] { #expect(Weekdays(words: words) == nil, "\(words)") }
    }

    @Test func `a time of day is hours and minutes, up to 24 00`() {
        #expect(LocalTime("09:30")?.minutes == 570)
        #expect(LocalTime("9:30")?.minutes == 570)
        #expect(LocalTime("24:00")?.minutes == 1440)
        for text in ["24:01", "9:3", "12:60", "-1:00", "+1:00", "1000", "10:00:00", "10.00", "", ":", "١٠:٠٠"] { #expect(LocalTime(text) == nil, "\(text)") }
    }
}
