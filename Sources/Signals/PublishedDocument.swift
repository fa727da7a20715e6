import Fields

/// A version of a document that operators have published. A piece goes by it until the next of its kind.
public struct PublishedDocument: Equatable, Sendable {
    public static let versions = 1...Int(Int32.max)

    /// One of the kinds that the piece declares.
    public var kind: String
    /// Grows with each version of its kind, within `versions`.
    public var version: Int
    /// An object.
    public var body: JSONValue

    public init(kind: String, version: Int, body: JSONValue) {
        self.kind = kind
        self.version = version
        self.body = body
    }
}
