import Units

/// Entries that the disk could not take when the session was recorded.
public struct Loss: Equatable, Sendable {
    public var entries: Int
    /// From the session's start to the first of them. What was held then is let go.
    public var from: Seconds

    public init(entries: Int, from: Seconds) {
        self.entries = entries
        self.from = from
    }
}
