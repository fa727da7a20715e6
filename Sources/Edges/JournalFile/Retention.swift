import Units

/// Which journals are kept.
public struct Retention: Equatable, Sendable {
    /// All journals of a folder together, at most; nil for as many as there are.
    public var bytes: Int64?
    /// Since they were last written to, at most; nil for any.
    public var age: Seconds?

    public init(bytes: Int64? = nil, age: Seconds? = nil) {
        self.bytes = bytes
        self.age = age
    }

    /// What one session's journal may take from the others, in bytes: a sixteenth of all. Nil where there is no limit.
    public var sessionBudget: Int64? { bytes.map { $0 / 16 } }

    public var keepsAll: Bool { bytes == nil && age == nil }
}
