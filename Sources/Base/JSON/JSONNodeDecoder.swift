/// Gives a reader of `Decodable` the values of a JSON text. Every call costs a bounded number of steps, or as many as the object that is
/// asked has members.
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
