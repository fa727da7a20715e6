extension JSONValue {
    /// The value that `value` writes, as whoever reads JSON reads it: whole numbers are integers. Throws `EncodingError` for a number that
    /// is not finite, and what `value` throws.
    public init(encoding value: some Encodable) throws {
        let slot = Slot()
        try value.encode(to: ValueEncoder(slot: slot))
        self = slot.value
    }
}

/// Where one value is written.
private final class Slot {
    enum Content {
        /// Nothing was encoded: an object without members.
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

    /// It may be called again.
    func beginObject() { if case .object = content {} else { content = .object([:]) } }
    func beginList() { if case .list = content {} else { content = .list([]) } }

    /// The last of several with one name counts.
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
        // Casts are tried where they will succeed: a failed one takes longer than all the rest.
        if Value.self == Int.self, let value = value as? Int { return slot.put(.integer(Int64(value))) }
        if Value.self == String.self, let value = value as? String { return slot.put(.text(value)) }
        if Value.self == Bool.self, let value = value as? Bool { return slot.put(.flag(value)) }
        if Value.self == Double.self, let value = value as? Double { return try put(value) }
        switch value {
        case let value as any BinaryInteger: slot.put(Int64(exactly: value).map { .integer($0) } ?? .number(Double(value)))
        // By its own digits.
        case let value as Float: try put(Double(value.description) ?? .nan)
        default: try value.encode(to: self)
        }
    }

    private func put(_ number: Double) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
        }
        // A zero may have a sign, which whole numbers do not keep.
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
