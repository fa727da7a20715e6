/// A date of the Gregorian calendar, from 1970-01-01 to 9999-12-31.
public struct CalendarDate: Comparable, Hashable, Sendable {
    /// The number of the date's day; day 0 is 1970-01-01.
    public let day: Int

    public init(day: Int) { self.day = day }

    /// Creates the date that `text` gives as year, month and day, as in `2026-12-24`; nil if `text` has another form or there is no such
    /// date. The day's number follows Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms" (2021), days_from_civil.
    public init?(_ text: String) {
        let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.count == 10 else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + $1 } }
        let (year, month, dayOfMonth) = (number(0..<4), number(5..<7), number(8..<10))
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(dayOfMonth) else { return nil }
        let shifted = month > 2 ? year : year - 1
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + dayOfMonth - 1
        day = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        // What is no date, such as 2026-02-30, or not of this form gives another text.
        guard self.text == text else { return nil }
    }

    /// The date as year, month and day, as in `2026-12-24`.
    public var text: String { CivilTime(instant: Double(day) * 86_400, utcOffset: 0).date }

    public static func < (a: CalendarDate, b: CalendarDate) -> Bool { a.day < b.day }
}
