import Conductor
import FoundationEssentials

extension WallClock {
    /// By the system's clock and time zone.
    static var now: WallClock {
        let now = Date()
        let milliseconds = (now.timeIntervalSince1970 * 1000).rounded()
        return WallClock(iso8601: now.formatted(.iso8601), time: milliseconds / 1000,
                         utcOffset: SystemTime.utcOffset(Int(now.timeIntervalSince1970)))
    }
}
