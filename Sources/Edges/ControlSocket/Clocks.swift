import Glibc
import Wire

/// What both clocks say at one moment: OSC's times are by the wall's, ours are not.
struct Clocks {
    private let wall = Clocks.read(CLOCK_REALTIME)
    private let monotonic = Clocks.read(CLOCK_MONOTONIC)

    /// CLOCK_MONOTONIC in nanoseconds; nil for what has passed, which is played at once.
    func moment(of time: OSCTime) -> Int64? {
        let ahead = time.unixNanoseconds - wall
        return ahead > 0 ? monotonic + ahead : nil
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
