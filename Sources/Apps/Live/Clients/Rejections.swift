import HTTPServer
import Wire

/// Requests over HTTP that were refused because of who asks. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Rejections {
    /// Whoever asks often fills no disk: of each kind, one in so long is logged, in nanoseconds.
    private static let pause: Int64 = 10_000_000_000

    /// Since the daemon's start.
    private(set) var counts = StatusReport.Refused()
    /// When one of a kind was logged last, and how many came since.
    private var logged: [HTTPRefusal.Stranger: (at: Int64, since: Int)] = [:]

    /// Counts it. Returns how many of its kind came unlogged before it; nil where it is not to be logged either.
    mutating func note(_ rejection: HTTPRejection, at now: Int64) -> Int? {
        switch rejection.stranger {
        case .host: counts.hosts += 1
        case .origin: counts.origins += 1
        case .token: counts.tokens += 1
        }
        if let last = logged[rejection.stranger], now - last.at < Self.pause {
            logged[rejection.stranger]?.since += 1
            return nil
        }
        let unlogged = logged[rejection.stranger]?.since ?? 0
        logged[rejection.stranger] = (now, 0)
        return unlogged
    }
}
