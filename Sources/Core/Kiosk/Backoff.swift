/// How long to wait before what failed is started anew: not at all, then 1 s, 2 s, 4 s and so on, up to a minute.
struct Backoff: Equatable, Sendable {
    static let longest = 60.0
    /// What has been well for so long, in seconds, begins with no wait again.
    static let healthy = 60.0

    private var failures = 0

    /// In seconds.
    mutating func next() -> Double {
        defer { failures += 1 }
        return failures == 0 ? 0 : min(Self.longest, Double(1 << min(failures - 1, 10)))
    }

    mutating func reset() { failures = 0 }
}
