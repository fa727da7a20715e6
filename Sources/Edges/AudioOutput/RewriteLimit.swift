/// How often changes may be written: each costs the server the whole queue once more, so a flood of events is let through
/// in steps.
struct RewriteLimit {
    /// At most 16 changes in so many nanoseconds.
    static let period: Int64 = 50_000_000

    private var moments = InlineArray<16, Int64>(repeating: -period)
    private var oldest = 0
    /// Whether a change has been held back.
    private(set) var isHolding = false

    mutating func allows(_ now: Int64) -> Bool {
        isHolding = now - moments[oldest] < Self.period
        return !isHolding
    }

    mutating func count(_ now: Int64) {
        moments[oldest] = now
        oldest = (oldest + 1) % moments.count
    }
}
