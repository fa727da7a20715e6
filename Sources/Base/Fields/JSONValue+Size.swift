extension JSONValue {
    /// The bytes of its JSON, or a few more; nil where there is none, because a number is not finite.
    public var size: Int? {
        switch self {
        case .null, .flag: 5
        case .integer: 20
        case .number(let number): number.isFinite ? 24 : nil
        case .text(let text): Self.size(of: text)
        case .list(let list): list.reduce(2) { sum, value in sum.flatMap { sum in value.size.map { sum + $0 + 1 } } }
        case .object(let object):
            object.reduce(2) { sum, field in
                sum.flatMap { sum in field.value.size.map { sum + Self.size(of: field.key) + $0 + 2 } }
            }
        }
    }

    /// With its quotes, and as it is escaped.
    private static func size(of text: String) -> Int {
        text.utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
    }
}
