import Calendar
import CLinux
import Glibc

/// Keeps the house's time by the machine's clocks. The time can differ from the wall clock's after a jump of the wall clock. Thread: the
/// event loop.
final class HouseClock {
    private let reading: () -> SteadyClock.Reading
    private var clock: SteadyClock
    /// Whether the last call of `look` found a jump.
    private var hasJumped = false

    /// `reading` returns what the machine's clocks show.
    init(_ reading: @escaping () -> SteadyClock.Reading) {
        self.reading = reading
        clock = SteadyClock(reading())
    }

    /// The present time, in seconds since 1970-01-01 in UTC, rounded to milliseconds.
    var now: Double { (clock.time(at: reading()) * 1_000).rounded() / 1_000 }

    /// The present time in whole seconds, rounded down.
    var instant: Int { Int(now.rounded(.down)) }

    /// The local day, counted from 1970-01-01; nil while the clock is obviously wrong (before 2024).
    var today: Int? { SystemTime.day(at: instant) }

    /// Takes over the wall clock's time after a jump. Returns by how many seconds that is later than the house's time; nil where no jump is
    /// pending.
    func accept() -> Double? {
        _ = clock.time(at: reading())
        return clock.accept()
    }

    /// Reads the clocks. Returns, if that has changed since the last call, whether the wall clock has jumped and the jump was not accepted
    /// yet; nil if it has not changed.
    func look() -> Bool? {
        _ = clock.time(at: reading())
        let before = hasJumped
        hasJumped = clock.jump != nil
        return hasJumped == before ? nil : hasJumped
    }

    /// The issue that the wall clock has jumped, in words; nil while there is no jump that was not accepted.
    var issue: String? {
        let time = CivilTime(instant: clock.time(at: reading()), utcOffset: 0).iso8601
        guard let jump = clock.jump else { return nil }
        return "the machine's clock has jumped \(Self.words(jump)) while thrumd ran, so the house goes on by its own, where it is \(time): "
            + "set the machine's clock right, or have its time count by thrum clock accept"
    }

    /// Returns a jump of `jump` seconds in words: `3 days back`.
    private static func words(_ jump: Double) -> String {
        let (count, unit) = switch abs(jump) {
        case ..<5_400: ((abs(jump) / 60).rounded(), "minutes")
        case ..<172_800: ((abs(jump) / 3_600).rounded(), "hours")
        default: ((abs(jump) / 86_400).rounded(), "days")
        }
        return "\(Int(count)) \(unit) \(jump < 0 ? "back" : "ahead")"
    }
}

/// The machine's clocks and time zone.
enum SystemTime {
    /// The wall clock's time, in seconds since 1970-01-01 in UTC, rounded to milliseconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6).rounded() / 1_000
    }

    /// The readings of all clocks at one moment.
    static var reading: SteadyClock.Reading {
        var (wall, steady) = (timespec(), timespec())
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_BOOTTIME, &steady)
        return SteadyClock.Reading(wall: Double(wall.tv_sec) + Double(wall.tv_nsec) / 1e9,
                                   steady: Double(steady.tv_sec) + Double(steady.tv_nsec) / 1e9, isSynchronized: isSynchronized)
    }

    /// Whether the wall clock is synchronized. The kernel says so, or systemd-timesyncd has said so since the machine was started: a
    /// service may be kept from asking the kernel (`ProtectClock=`).
    private static var isSynchronized: Bool {
        clockIsSynchronized() || access("/run/systemd/timesync/synchronized", F_OK) == 0
    }

    /// The local day according to the wall clock; nil while that is obviously wrong (before 2024).
    static var today: Int? { day(at: time(nil)) }

    /// Returns the local day of `instant`, counted from 1970-01-01; nil for an implausible time (before 2024).
    static func day(at instant: Int) -> Int? {
        LocalClock.isBelievable(instant) ? LocalClock.day(at: instant, utcOffset: utcOffset) : nil
    }

    /// The name of the machine's time zone, as it was at the start; nil where it has none.
    static let zone: String? = {
        var link = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &link, link.count)
        return zoneName(variable: getenv("TZ").map { String(cString: $0) },
                        link: length > 0 ? String(decoding: link[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil)
    }()

    /// Returns the name of a time zone, such as `Europe/Berlin`, by the variable TZ or, without it, by the link /etc/localtime. It is nil
    /// for a zone without a name, for instance one whose rules the variable has itself (`CET-1CEST`). The database's copies with and
    /// without leap seconds (`posix/`, `right/`) have the same names.
    static func zoneName(variable: String?, link: String?) -> String? {
        func inDatabase(_ path: String) -> String? {
            guard let folder = path.firstRange(of: "zoneinfo/") else { return nil }
            let name = path[folder.upperBound...].trimmingPrefix(/(posix|right)\//)
            return name.isEmpty ? nil : String(name)
        }
        guard let variable else { return link.flatMap(inDatabase) }
        let name = variable.drop { $0 == ":" }
        if name.isEmpty || name == "UTC" { return "UTC" }
        if name.hasPrefix("/") { return inDatabase(String(name)) }
        return name.contains("/") && !name.contains(",") ? String(name) : nil
    }

    /// Returns by how many seconds local time is ahead of UTC at `instant`.
    static func utcOffset(_ instant: Int) -> Int {
        var seconds = time_t(instant)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }
}
