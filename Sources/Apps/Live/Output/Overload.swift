/// Events that were refused because they came faster than they could be played. A plain value: the caller gives the time, in nanoseconds.
struct Overload {
    /// How long after the last one it stays an issue.
    static let memory: Int64 = 10_000_000_000

    /// Since the start.
    private(set) var total: UInt64 = 0
    private var last: Int64?

    mutating func refuse(at now: Int64) {
        total += 1
        last = now
    }

    /// In words, constant as long as it lasts; nil when it is over.
    func issue(at now: Int64) -> String? {
        guard let last, now - last < Self.memory else { return nil }
        return "events come faster than they can be played: some were refused in the last \(Self.memory / 1_000_000_000) s"
    }
}
