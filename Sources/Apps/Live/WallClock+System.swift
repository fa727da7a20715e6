import Conductor
import FoundationEssentials
import Glibc

extension WallClock {
    /// By the system's clock and time zone.
    static var now: WallClock {
        let now = Date()
        var seconds = time_t(now.timeIntervalSince1970)
        var local = tm()
        localtime_r(&seconds, &local)
        let milliseconds = (now.timeIntervalSince1970 * 1000).rounded()
        return WallClock(iso8601: now.formatted(.iso8601), time: milliseconds / 1000, utcOffset: local.tm_gmtoff)
    }
}
