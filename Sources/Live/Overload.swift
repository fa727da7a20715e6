/// Events that were refused because they came faster than they could be played. A plain value, without a clock: whoever asks says what
/// time it is, in nanoseconds.
struct Overload {
    /// As long ago as this it is a trouble, in whole seconds.
    static let memory: Int64 = 10

    /// Since the start.
    private(set) var total: UInt64 = 0
    /// How many in which second, oldest first; no second that is older than `memory`.
    private var seconds: [(second: Int64, count: UInt64)] = []

    mutating func refuse(at now: Int64) {
        total += 1
        let second = Self.second(of: now)
        if seconds.last?.second == second { seconds[seconds.count - 1].count += 1 } else { seconds.append((second, 1)) }
        if second - seconds[0].second >= Self.memory { seconds.removeAll { second - $0.second >= Self.memory } }
    }

    /// In words; nil when it is over.
    func trouble(at now: Int64) -> String? {
        let count = seconds.reduce(0) { Self.second(of: now) - $1.second < Self.memory ? $0 + $1.count : $0 }
        return count == 0 ? nil : "events come faster than they can be played: \(count) refused in the last \(Self.memory) s"
    }

    private static func second(of now: Int64) -> Int64 { now / 1_000_000_000 }
}
