import Calendar
import Glibc

/// The machine's wall clock and time zone.
enum SystemTime {
    /// Nil while the clock is obviously wrong (before 2024).
    static var today: Int? {
        let instant = time(nil)
        return LocalClock.isBelievable(instant) ? LocalClock.day(at: instant, utcOffset: utcOffset) : nil
    }

    /// Of the local time at `instant`, seconds ahead of UTC.
    static func utcOffset(_ instant: Int) -> Int {
        var seconds = time_t(instant)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }
}
