// A JSON value, read with `Fields` as any other object is.
extension JSONValue {
    /// Reads `self` as `reader` wants it. Throws what `reader` throws; `Fault` when the value is no object.
    public func read<Value>(_ reader: (Fields) throws -> Value) throws -> Value { try reader(Fields(decoder)) }

    /// For whoever decodes from it.
    public var decoder: any Decoder { ValueDecoder(value: self, codingPath: []) }
}

private struct ValueDecoder: Decoder {
    var value: JSONValue
    var codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let elements) = value else { throw mismatch([JSONValue].self) }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(value: value, codingPath: codingPath) }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind of value"))
    }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var members: [String: JSONValue]
    var codingPath: [any CodingKey]
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "nothing there"))
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).singleValueContainer().decodeNil() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).singleValueContainer().decode(type) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { ValueDecoder(value: .object(members), codingPath: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Elements: UnkeyedDecodingContainer {
    private struct Index: CodingKey {
        var intValue: Int?
        var stringValue: String { "\(intValue ?? 0)" }
        init(_ index: Int) { intValue = index }
        init?(intValue: Int) { nil }
        init?(stringValue: String) { nil }
    }

    var elements: [JSONValue]
    var codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next() throws -> ValueDecoder {
        let path = codingPath + [Index(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(JSONValue.self, DecodingError.Context(codingPath: path, debugDescription: "the list is over"))
        }
        defer { currentIndex += 1 }
        return ValueDecoder(value: elements[currentIndex], codingPath: path)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == .null else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().singleValueContainer().decode(type) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct Single: SingleValueDecodingContainer {
    var value: JSONValue
    var codingPath: [any CodingKey]

    func decodeNil() -> Bool { value == .null }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let found: Any? = switch (value, type) {
        case (.flag(let flag), is Bool.Type): flag
        case (.text(let text), is String.Type): text
        case (.integer(let integer), is Int.Type): Int(integer)
        case (.integer(let integer), is Int64.Type): integer
        case (.integer(let integer), is UInt64.Type): UInt64(exactly: integer)
        case (.integer(let integer), is Double.Type): Double(integer)
        case (.number(let number), is Double.Type): number
        case (.number(let number), is Int.Type): Int(exactly: number)
        case (.number(let number), is Int64.Type): Int64(exactly: number)
        case (.integer(let integer), let type as any FixedWidthInteger.Type): type.init(exactly: integer)
        case (.number(let number), let type as any FixedWidthInteger.Type): type.init(exactly: number)
        case (.integer(let integer), is Float.Type): Float(integer)
        case (.number(let number), is Float.Type): Float(number)
        default: nil
        }
        if let found = found as? T { return found }
        // Such a type would ask for a single value again, and so on for ever.
        let isPlain = type == Bool.self || type == String.self || type == Double.self || type == Float.self
            || type is any FixedWidthInteger.Type
        guard !isPlain else {
            throw DecodingError.typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind of value"))
        }
        if let whole = value as? T { return whole }
        return try T(from: ValueDecoder(value: value, codingPath: codingPath))
    }
}
