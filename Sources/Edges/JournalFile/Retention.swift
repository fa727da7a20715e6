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

    public var keepsAll: Bool { bytes == nil && age == nil }
}
