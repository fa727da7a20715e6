import Units

/// Words that appear over the feed: none before the last one has been read.
struct Toasts: Codable, Equatable, Sendable {
    /// That wait at once. The oldest is dropped: its unlock is in the inventory.
    static let most = 3

    /// When the last one appeared, in seconds since the session's start.
    private var last: Double?
    /// The newest last.
    private var waiting: [Toast] = []

    mutating func add(_ toast: Toast) {
        waiting.append(toast)
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// The newest, if one may appear at `time`; then it has.
    mutating func next(at time: Double, cooldown: Seconds) -> Toast? {
        if let last, time - last < cooldown.rawValue { return nil }
        guard let toast = waiting.popLast() else { return nil }
        last = time
        return toast
    }

    /// When the next one may appear; nil when none waits.
    func due(cooldown: Seconds) -> Double? { waiting.isEmpty ? nil : (last ?? 0) + cooldown.rawValue }
}
