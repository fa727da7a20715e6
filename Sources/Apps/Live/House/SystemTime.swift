import CLinux
import Calendar
import Glibc

/// The machine's clocks and time zone.
enum SystemTime {
    /// Of the wall clock, in seconds since 1970-01-01 in UTC, to the millisecond.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6).rounded() / 1_000
    }

    /// All clocks at one moment.
    static var reading: SteadyClock.Reading {
        var (wall, steady) = (timespec(), timespec())
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_BOOTTIME, &steady)
        return SteadyClock.Reading(wall: Double(wall.tv_sec) + Double(wall.tv_nsec) / 1e9,
                                   steady: Double(steady.tv_sec) + Double(steady.tv_nsec) / 1e9, isSynchronized: isSynchronized)
    }

    /// Whether the kernel says that the wall clock is kept right, or systemd-timesyncd has said so since the machine was switched on: a
    /// service may be kept from asking the kernel (`ProtectClock=`).
    private static var isSynchronized: Bool {
        clockIsSynchronized() || access("/run/systemd/timesync/synchronized", F_OK) == 0
    }

    /// By the wall clock; nil while it is obviously wrong (before 2024).
    static var today: Int? { day(at: time(nil)) }

    /// The local day that `instant` is in, counted from 1970-01-01; nil of a time that no clock can show that is right (before 2024).
    static func day(at instant: Int) -> Int? {
        LocalClock.isBelievable(instant) ? LocalClock.day(at: instant, utcOffset: utcOffset) : nil
    }

    /// Of the local time at `instant`, seconds ahead of UTC.
    static func utcOffset(_ instant: Int) -> Int {
        var seconds = time_t(instant)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }
}
