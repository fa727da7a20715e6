import Conductor
import FoundationEssentials
import Glibc

extension WallClock {
    /// By the system's clock and time zone.
    static var now: WallClock {
        var seconds = Glibc.time(nil)
        var local = tm()
        localtime_r(&seconds, &local)
        return WallClock(iso8601: Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601), time: seconds,
                         utcOffset: local.tm_gmtoff)
    }
}
