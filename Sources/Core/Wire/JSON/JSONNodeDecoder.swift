/// Gives a reader of `Decodable` the values of a JSON text. Every call costs a bounded number of steps, or as many as the object that is
/// asked has members.
struct JSONNodeDecoder: Decoder, SingleValueDecodingContainer {
    let reading: JSONReading
    let node: Int

    var codingPath: [any CodingKey] { reading.path(of: node) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard reading.hasFields(node) else { throw reading.mismatch([String: Any].self, node) }
        return KeyedDecodingContainer(JSONFields(reading: reading, node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard reading.kind(node) == .list else { throw reading.mismatch([Any].self, node) }
        return JSONElements(reading: reading, node: node)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw reading.mismatch(Value.self, node) }
        return value
    }

    func decodeNil() -> Bool { reading.kind(node) == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try known(reading.flag(node)) }
    func decode(_ type: String.Type) throws -> String { try known(reading.string(node)) }
    func decode(_ type: Double.Type) throws -> Double { try known(reading.number(node)) }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try known(reading.integer(node)) }
    func decode(_ type: Int8.Type) throws -> Int8 { try known(reading.integer(node)) }
    func decode(_ type: Int16.Type) throws -> Int16 { try known(reading.integer(node)) }
    func decode(_ type: Int32.Type) throws -> Int32 { try known(reading.integer(node)) }
    func decode(_ type: Int64.Type) throws -> Int64 { try known(reading.integer(node)) }
    func decode(_ type: UInt.Type) throws -> UInt { try known(reading.integer(node)) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try known(reading.integer(node)) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try known(reading.integer(node)) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try known(reading.integer(node)) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try known(reading.integer(node)) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
