/// The fields and types of a JSON value, found out by running the code that writes it.
indirect enum Shape: Equatable, Sendable {
    case object([String: Field])
    /// A list whose elements have this shape; nil when their shape is unknown.
    case list(Shape?)
    /// A value of a type of JSON Schema: `string`, `number`, `integer` or `boolean`.
    case scalar(String)
    /// A text that is one of a fixed set.
    case word([String])
    case any

    struct Field: Equatable, Sendable {
        var shape: Shape
        var isRequired: Bool
    }

    /// Finds out the shape of the JSON that `value` writes. A field that is written with `encodeIfPresent` is optional, even if `value` has
    /// it.
    init(of value: any Encodable) {
        if let scalar = Shape.scalar(of: type(of: value)) {
            self = scalar
            return
        }
        if let choice = value as? any CaseIterable & RawRepresentable {
            let texts = Shape.texts(choice)
            if !texts.isEmpty {
                self = .word(texts)
                return
            }
        }
        let encoder = ShapeEncoder()
        // A value whose encoding fails keeps the shape found so far.
        try? value.encode(to: encoder)
        self = encoder.shape
    }

    /// Returns the raw values of all cases; none where the raw values are no texts.
    private static func texts<Choice: CaseIterable & RawRepresentable>(_ choice: Choice) -> [String] {
        Choice.allCases.compactMap { $0.rawValue as? String }
    }

    fileprivate static func scalar(of type: any Encodable.Type) -> Shape? {
        switch type {
        case is Bool.Type: .scalar("boolean")
        case is String.Type: .scalar("string")
        case is Double.Type, is Float.Type: .scalar("number")
        case is any FixedWidthInteger.Type: .scalar("integer")
        default: nil
        }
    }

    /// Merges the shapes of two elements of a list. A field that only one element has becomes optional.
    func merged(_ other: Shape) -> Shape {
        switch (self, other) {
        case (.object(let fields), .object(let others)):
            let optional = Set(fields.keys).symmetricDifference(others.keys)
            var all = fields.merging(others) { Field(shape: $0.shape.merged($1.shape), isRequired: $0.isRequired && $1.isRequired) }
            for name in optional { all[name]?.isRequired = false }
            return .object(all)
        case (.list(let element), .list(let other)):
            return .list(element.flatMap { element in other.map(element.merged) } ?? element ?? other)
        default: return self == other ? self : .any
        }
    }
}

extension Shape {
    /// Returns the shape with the field at `path` made optional. A path applies to each element of a list on its way.
    func optional(_ path: ArraySlice<Substring>) -> Shape {
        switch self {
        case .list(let element): return .list(element?.optional(path))
        case .object(var fields):
            guard let step = path.first.map(String.init), var field = fields[step] else { return self }
            if path.count == 1 { field.isRequired = false } else { field.shape = field.shape.optional(path.dropFirst()) }
            fields[step] = field
            return .object(fields)
        case .scalar, .word, .any: return self
        }
    }
}

/// An encoder that records the types of the values, and drops the values.
private final class ShapeEncoder: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate(set) var shape = Shape.any

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value may ask for its container twice, and then both write fields of one object.
        if case .object = shape {} else { shape = .object([:]) }
        return KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .list(nil)
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ShapeEncoder
        var codingPath: [any CodingKey] { [] }

        private func note(_ shape: Shape, _ key: Key, isRequired: Bool) {
            guard case .object(var fields) = encoder.shape else { return }
            fields[key.stringValue] = Shape.Field(shape: shape, isRequired: isRequired)
            encoder.shape = .object(fields)
        }

        func encodeNil(forKey key: Key) { note(.any, key, isRequired: true) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) { note(Shape(of: value), key, isRequired: true) }

        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) { noteOptional(value, key) }
        // Overloads for the types of optional fields in our answers. The protocol's default implementations write nothing for nil, so such
        // fields would be missed.
        func encodeIfPresent(_ value: Bool?, forKey key: Key) { noteOptional(value, key) }
        func encodeIfPresent(_ value: String?, forKey key: Key) { noteOptional(value, key) }
        func encodeIfPresent(_ value: Double?, forKey key: Key) { noteOptional(value, key) }
        func encodeIfPresent(_ value: Int?, forKey key: Key) { noteOptional(value, key) }
        func encodeIfPresent(_ value: Int64?, forKey key: Key) { noteOptional(value, key) }

        private func noteOptional<Value: Encodable>(_ value: Value?, _ key: Key) {
            note(value.map { Shape(of: $0) } ?? Shape.scalar(of: Value.self) ?? .any, key, isRequired: false)
        }

        // None of our types nests containers by hand.
        func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
            ShapeEncoder().container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { ShapeEncoder().unkeyedContainer() }
        func superEncoder() -> any Encoder { ShapeEncoder() }
        func superEncoder(forKey key: Key) -> any Encoder { ShapeEncoder() }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: ShapeEncoder
        var codingPath: [any CodingKey] { [] }
        private(set) var count = 0

        init(encoder: ShapeEncoder) { self.encoder = encoder }

        mutating func encodeNil() { count += 1 }

        mutating func encode<Value: Encodable>(_ value: Value) {
            count += 1
            guard case .list(let known) = encoder.shape else { return }
            let shape = Shape(of: value)
            encoder.shape = .list(known.map { $0.merged(shape) } ?? shape)
        }

        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            ShapeEncoder().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { ShapeEncoder().unkeyedContainer() }
        func superEncoder() -> any Encoder { ShapeEncoder() }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: ShapeEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() {}
        func encode<Value: Encodable>(_ value: Value) { encoder.shape = Shape(of: value) }
    }
}
