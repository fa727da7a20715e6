/// Takes values for a `JSONTree`.
struct JSONTreeEncoder: Encoder, SingleValueEncodingContainer {
    let tree: JSONTree
    let node: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.open(node, as: .object)
        return KeyedEncodingContainer(JSONMembers(tree: tree, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.open(node, as: .list)
        return JSONListing(tree: tree, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { tree.put(node) { $0 += "null".utf8 } }
    func encode(_ value: Bool) { tree.put(node) { $0 += (value ? "true" : "false").utf8 } }
    func encode(_ value: String) { tree.put(node) { JSONSpelling.text(value, &$0) } }
    func encode(_ value: Double) throws { try finite(value) }
    func encode(_ value: Float) throws { try finite(value) }
    func encode(_ value: Int) { whole(value) }
    func encode(_ value: Int8) { whole(value) }
    func encode(_ value: Int16) { whole(value) }
    func encode(_ value: Int32) { whole(value) }
    func encode(_ value: Int64) { whole(value) }
    func encode(_ value: UInt) { whole(value) }
    func encode(_ value: UInt8) { whole(value) }
    func encode(_ value: UInt16) { whole(value) }
    func encode(_ value: UInt32) { whole(value) }
    func encode(_ value: UInt64) { whole(value) }
    func encode(_ value: some Encodable) throws { try value.encode(to: self) }

    private func whole(_ value: some FixedWidthInteger) { tree.put(node) { JSONSpelling.integer(value, &$0) } }

    private func finite(_ value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
        }
        tree.put(node) { JSONSpelling.number(value, &$0) }
    }
}

/// The members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let tree: JSONTree
    let node: Int

    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> JSONTreeEncoder { JSONTreeEncoder(tree: tree, node: tree.add(key.stringValue, to: node)) }

    func encodeNil(forKey key: Key) { member(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { member(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try value.encode(to: member(key)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { JSONTreeEncoder(tree: tree, node: tree.add("super", to: node)) }
    func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

/// The elements of a list.
private struct JSONListing: UnkeyedEncodingContainer {
    let tree: JSONTree
    let node: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { tree.count(of: node) }

    private var element: JSONTreeEncoder { JSONTreeEncoder(tree: tree, node: tree.add("", to: node)) }

    func encodeNil() { element.encodeNil() }
    func encode(_ value: Bool) { element.encode(value) }
    func encode(_ value: String) { element.encode(value) }
    func encode(_ value: Double) throws { try element.encode(value) }
    func encode(_ value: Float) throws { try element.encode(value) }
    func encode(_ value: Int) { element.encode(value) }
    func encode(_ value: Int8) { element.encode(value) }
    func encode(_ value: Int16) { element.encode(value) }
    func encode(_ value: Int32) { element.encode(value) }
    func encode(_ value: Int64) { element.encode(value) }
    func encode(_ value: UInt) { element.encode(value) }
    func encode(_ value: UInt8) { element.encode(value) }
    func encode(_ value: UInt16) { element.encode(value) }
    func encode(_ value: UInt32) { element.encode(value) }
    func encode(_ value: UInt64) { element.encode(value) }
    func encode(_ value: some Encodable) throws { try value.encode(to: element) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element.unkeyedContainer() }
    func superEncoder() -> any Encoder { element }
}
