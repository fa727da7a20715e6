// Reading a JSON value with `Fields`, as any other object is read; and making one of an `Encodable` value.
extension JSONValue {
    /// Returns what `reader` makes of this value's fields. Throws what `reader` throws, and `Fault` when the value is no object.
    public func read<Value>(_ reader: (Fields) throws -> Value) throws -> Value { try reader(Fields(decoder)) }

    /// A decoder that decodes this value.
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
        // These types would ask this decoder for a single value again, without end.
        let isPlain = type == Bool.self || type == String.self || type == Double.self || type == Float.self
            || type is any FixedWidthInteger.Type
        guard !isPlain else {
            throw DecodingError.typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another kind of value"))
        }
        if let whole = value as? T { return whole }
        return try T(from: ValueDecoder(value: value, codingPath: codingPath))
    }
}

extension JSONValue {
    /// Creates a JSON value by encoding `value`. Whole numbers become `integer`, as they do in parsed JSON. Throws `EncodingError` for a
    /// number that is not finite, and whatever `value` throws.
    public init(encoding value: some Encodable) throws {
        let slot = Slot()
        try value.encode(to: ValueEncoder(slot: slot))
        self = slot.value
    }
}

/// Holds one value while it is being encoded.
private final class Slot {
    enum Content {
        /// Nothing was encoded, which counts as an object without members.
        case empty
        case plain(JSONValue)
        case list([Slot])
        case object([String: Slot])
    }

    private var content = Content.empty

    var value: JSONValue {
        switch content {
        case .empty: .object([:])
        case .plain(let value): value
        case .list(let slots): .list(slots.map(\.value))
        case .object(let slots): .object(slots.mapValues(\.value))
        }
    }

    var count: Int { if case .list(let slots) = content { slots.count } else { 0 } }

    func put(_ value: JSONValue) { content = .plain(value) }

    /// Makes the content an object. Calling it again changes nothing.
    func beginObject() { if case .object = content {} else { content = .object([:]) } }
    func beginList() { if case .list = content {} else { content = .list([]) } }

    /// Returns the slot for the member `name`. Of several members with one name, the last counts.
    func member(_ name: String) -> Slot {
        let slot = Slot()
        guard case .object(var slots) = content else { return slot }
        content = .empty
        slots[name] = slot
        content = .object(slots)
        return slot
    }

    func element() -> Slot {
        let slot = Slot()
        guard case .list(var slots) = content else { return slot }
        content = .empty
        slots.append(slot)
        content = .list(slots)
        return slot
    }
}

private struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.beginObject()
        return KeyedEncodingContainer(MemberEncoder(slot: slot))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.beginList()
        return ElementEncoder(slot: slot)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { slot.put(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // Each cast is tried only where it will succeed, because a failing cast takes longer than all the rest.
        if Value.self == Int.self, let value = value as? Int { return slot.put(.integer(Int64(value))) }
        if Value.self == String.self, let value = value as? String { return slot.put(.text(value)) }
        if Value.self == Bool.self, let value = value as? Bool { return slot.put(.flag(value)) }
        if Value.self == Double.self, let value = value as? Double { return try put(value) }
        switch value {
        case let value as any BinaryInteger: slot.put(Int64(exactly: value).map { .integer($0) } ?? .number(Double(value)))
        // By its decimal digits: converting the `Float` itself would add digits (0.1 would become 0.10000000149).
        case let value as Float: try put(Double(value.description) ?? .nan)
        default: try value.encode(to: self)
        }
    }

    private func put(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
        }
        // −0 stays a `number`: an integer would lose its sign.
        let integer = number == 0 && number.sign == .minus ? nil : Int64(exactly: number)
        slot.put(integer.map { .integer($0) } ?? .number(number))
    }
}

private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }

    private func encoder(_ key: Key) -> ValueEncoder { ValueEncoder(slot: slot.member(key.stringValue)) }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder(key).encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { ValueEncoder(slot: slot.member("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    let slot: Slot
    var codingPath: [any CodingKey] { [] }
    var count: Int { slot.count }

    private var encoder: ValueEncoder { ValueEncoder(slot: slot.element()) }

    func encodeNil() { encoder.encodeNil() }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder }
}
