import Units

/// When a word may appear over the feed: not before the last one has been read.
struct Toasts: Codable, Equatable, Sendable {
    /// Seconds since the session's start.
    private var last: Double?

    /// Whether one may appear at `time`; then it has.
    mutating func admit(at time: Double, cooldown: Seconds) -> Bool {
        if let last, time - last < cooldown.rawValue { return false }
        last = time
        return true
    }
}
