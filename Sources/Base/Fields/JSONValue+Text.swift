import JSON

// JSON as text, and as a value.
extension JSONValue {
    /// Reads UTF-8. Throws `JSONRefusal` where it is no JSON or beyond `limits`, and what `init(from:)` throws.
    public init(parsing bytes: [UInt8], within limits: JSONLimits = .none) throws {
        self = try JSONValue(from: JSONReading(JSONText(bytes, within: limits)).decoder)
    }

    /// The shortest JSON of it, with the names of objects in order. Its numbers must be finite, as those of parsed JSON are.
    public var written: String {
        guard let bytes = try? JSONWriter.bytes(of: self) else { preconditionFailure("numbers of a JSON value are finite") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
