/// When the last entry of a journal was lost. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct LossWatch {
    /// For so long after the last loss it is an issue: long enough for whoever asks once a minute.
    static let memory: Int64 = 300_000_000_000

    private var lost: UInt64 = 0
    private var last: Int64?

    /// `lost` are all since the start. Returns whether something was lost a short time ago.
    mutating func isLosing(_ lost: UInt64, at now: Int64) -> Bool {
        if lost > self.lost { last = now }
        self.lost = lost
        return last.map { now - $0 < Self.memory } ?? false
    }
}
