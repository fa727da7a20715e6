/// The elements of a list, one after the other.
struct JSONElements: UnkeyedDecodingContainer {
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
