import Glibc

/// When a session began, as the header of its journal says: an instant in UTC such as `2026-11-23T13:00:05.123Z`.
struct SessionStart {
    /// Seconds since 1970-01-01 in UTC, rounded down.
    let instant: Int

    /// Nil for another text, such as that of a simulated session.
    init?(_ started: String) {
        let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?Z/
        guard let text = started.wholeMatch(of: form), let year = Int32(text.1), let month = Int32(text.2), let day = Int32(text.3),
              let hour = Int32(text.4), let minute = Int32(text.5), let second = Int32(text.6) else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
        (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
        instant = timegm(&time)
    }
}

/// Days on which sessions began, by this machine's time zone.
struct SessionDays {
    /// Dates such as `2026-11-23`; nil for no bound. Both days are among them.
    private let first: String?
    private let last: String?
    /// Writes the local date of an instant, seconds since 1970-01-01 in UTC.
    private let date: (Int) -> String

    /// From the first day to the last, each as `day` returns it.
    init(from first: String?, to last: String?, date: @escaping (Int) -> String = SessionDays.localDate) {
        self.first = first
        self.last = last
        self.date = date
    }

    static func localDate(_ instant: Int) -> String { LocalTimeText.format(instant, "%Y-%m-%d") }

    /// The date that `word` means: a date itself, `today` or `yesterday`. Nil for anything else. `now` is an instant as above.
    static func day(_ word: String, now: Int, date: (Int) -> String = SessionDays.localDate) -> String? {
        switch word {
        case "today": return date(now)
        case "yesterday":
            // The noon before: days have 23 to 25 hours.
            guard let today = SessionStart("\(date(now))T12:00:00Z") else { return nil }
            return utcDate(today.instant - 86_400)
        default:
            guard word.utf8.count == 10, let noon = SessionStart("\(word)T12:00:00Z"), utcDate(noon.instant) == word else { return nil }
            return word
        }
    }

    private static func utcDate(_ instant: Int) -> String {
        var seconds = time_t(instant)
        var time = tm()
        gmtime_r(&seconds, &time)
        var text = [CChar](repeating: 0, count: 16)
        strftime(&text, text.count, "%Y-%m-%d", &time)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a session that began at `start` did so on one of the days. Without bounds that holds also where nobody knows when it began.
    func contains(_ start: @autoclosure () -> SessionStart?) -> Bool {
        guard first != nil || last != nil else { return true }
        guard let day = start().map({ date($0.instant) }) else { return false }
        return first ?? day <= day && day <= last ?? day
    }
}
