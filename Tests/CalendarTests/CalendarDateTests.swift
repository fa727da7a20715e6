import Calendar
import Testing

/// The numbers of days are `date.fromisoformat(text).toordinal() - 719163` by Python.
@Suite struct CalendarDateTests {
    @Test(arguments: [("1970-01-01", 0), ("1972-02-29", 789), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2026-12-24", 20_811),
                      ("2100-02-28", 47_540), ("2100-03-01", 47_541), ("9999-12-31", 2_932_896)])
    func `a date has the number of its day, and its text again`(text: String, day: Int) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.day == day && date.text == text && CalendarDate(day: day) == date)
    }

    @Test(arguments: ["", "2026-12-2", "2026-12-241", "2026-02-29", "2100-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
                      "1969-12-31", "24.12.2026", "2026/12/24", "2026-1a-01", "20261-2-24", "２０26-12"])
    func `what is no date is none`(text: String) {
        #expect(CalendarDate(text) == nil)
    }
}
