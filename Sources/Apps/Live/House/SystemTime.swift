import Calendar
import Glibc

/// The machine's wall clock and time zone.
enum SystemTime {
    /// In seconds since 1970-01-01 in UTC, to the millisecond.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6).rounded() / 1_000
    }

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
