/// Decodes values from a JSON text. Finding a member takes a time proportional to the number of the object's members at most; every other
/// call takes constant time.
public struct JSONNodeDecoder: Decoder, SingleValueDecodingContainer {
    public let reading: JSONReading
    public let node: Int

    public var codingPath: [any CodingKey] { reading.path(of: node) }
    public var userInfo: [CodingUserInfoKey: Any] { [:] }

    public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard reading.hasFields(node) else { throw reading.mismatch([String: Any].self, node) }
        return KeyedDecodingContainer(JSONFields(reading: reading, node: node))
    }

    public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard reading.kind(node) == .list else { throw reading.mismatch([Any].self, node) }
        return JSONElements(reading: reading, node: node)
    }

    public func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw reading.mismatch(Value.self, node) }
        return value
    }

    public func decodeNil() -> Bool { reading.kind(node) == .null }
    public func decode(_ type: Bool.Type) throws -> Bool { try known(reading.flag(node)) }
    public func decode(_ type: String.Type) throws -> String { try known(reading.string(node)) }
    public func decode(_ type: Double.Type) throws -> Double { try known(reading.number(node)) }
    public func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    public func decode(_ type: Int.Type) throws -> Int { try known(reading.integer(node)) }
    public func decode(_ type: Int8.Type) throws -> Int8 { try known(reading.integer(node)) }
    public func decode(_ type: Int16.Type) throws -> Int16 { try known(reading.integer(node)) }
    public func decode(_ type: Int32.Type) throws -> Int32 { try known(reading.integer(node)) }
    public func decode(_ type: Int64.Type) throws -> Int64 { try known(reading.integer(node)) }
    public func decode(_ type: UInt.Type) throws -> UInt { try known(reading.integer(node)) }
    public func decode(_ type: UInt8.Type) throws -> UInt8 { try known(reading.integer(node)) }
    public func decode(_ type: UInt16.Type) throws -> UInt16 { try known(reading.integer(node)) }
    public func decode(_ type: UInt32.Type) throws -> UInt32 { try known(reading.integer(node)) }
    public func decode(_ type: UInt64.Type) throws -> UInt64 { try known(reading.integer(node)) }

    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// Decodes the members of an object.
private struct JSONFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reading: JSONReading
    let node: Int

    var codingPath: [any CodingKey] { reading.path(of: node) }
    var allKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(Int(reading.text.nodes[node].count))
        reading.forEachField(of: node) { name in
            if let key = Key(stringValue: name) { keys.append(key) }
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { reading.field(key.stringValue, of: node) != nil }

    private func value(_ key: Key) throws -> JSONNodeDecoder {
        guard let value = reading.field(key.stringValue, of: node) else {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "no such member"))
        }
        return JSONNodeDecoder(reading: reading, node: value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try value(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { JSONNodeDecoder(reading: reading, node: node) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
}

/// Decodes the elements of a list, one after the other.
private struct JSONElements: UnkeyedDecodingContainer {
    private let reading: JSONReading
    private let node: Int
    private var rest: JSONText.Children
    private(set) var currentIndex = 0

    init(reading: JSONReading, node: Int) {
        self.reading = reading
        self.node = node
        rest = reading.text.children(of: node)
    }

    var codingPath: [any CodingKey] { reading.path(of: node) }
    var count: Int? { Int(reading.text.nodes[node].count) }
    var isAtEnd: Bool { currentIndex == Int(reading.text.nodes[node].count) }

    private mutating func next() throws -> JSONNodeDecoder {
        guard let element = rest.next() else {
            throw DecodingError.valueNotFound(Any.self, DecodingError.Context(codingPath: [], debugDescription: "no more elements"))
        }
        currentIndex += 1
        return JSONNodeDecoder(reading: reading, node: element)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }

    mutating func decodeNil() throws -> Bool {
        var ahead = self
        guard try ahead.next().decodeNil() else { return false }
        self = ahead
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next().decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next().decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next().decode(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next().decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next().decode(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().decode(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().decode(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().decode(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().decode(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next().decode(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().decode(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().decode(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().decode(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().decode(type) }
}
