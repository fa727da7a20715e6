/// Writes values as JSON (RFC 8259) without spaces. The members of an object are sorted by the bytes of their names, so equal values give
/// equal bytes. A number has the fewest digits from which the same bits are read again; a whole number has no fraction. Slashes are not
/// escaped.
public enum JSONWriter {
    /// Returns the JSON of `value`. Throws `EncodingError` for a number that is not finite, and whatever `value` throws.
    public static func bytes(of value: some Encodable) throws -> [UInt8] {
        let tree = JSONTree()
        try value.encode(to: JSONTreeEncoder(tree: tree, node: tree.root))
        return tree.bytes
    }
}

/// The values of a JSON text that is being written, in the order in which they were encoded.
private final class JSONTree {
    enum Content {
        /// Nothing was encoded. This is written as an object without members.
        case empty
        case object
        case list
        case plain(Range<Int>)
    }

    private struct Node {
        var content = Content.empty
        /// The name of this value in the object that contains it; empty in a list.
        var name: String
        /// The next value in the same list or object; −1 for the last.
        var next = -1
        var first = -1
        var last = -1
        var count = 0
    }

    // Only one thread uses this object, and no two calls overlap. Run-time checks of that would cost as much as the writing.
    @exclusivity(unchecked) private var nodes: [Node] = [Node(name: "")]
    /// The JSON of all plain values (neither lists nor objects), one after the other.
    @exclusivity(unchecked) private var text: [UInt8] = []

    let root = 0

    init() {
        nodes.reserveCapacity(32)
        text.reserveCapacity(256)
    }

    func count(of node: Int) -> Int { nodes[node].count }

    /// Makes the node an object or a list. Calling it again changes nothing.
    func open(_ node: Int, as content: Content) { nodes[node].content = content }

    /// Adds a value to the object or list at `node`, and returns the value's own node. `name` is the member's name; it is empty in a list.
    func add(_ name: String, to node: Int) -> Int {
        let child = nodes.count
        nodes.append(Node(name: name))
        if nodes[node].last >= 0 { nodes[nodes[node].last].next = child } else { nodes[node].first = child }
        nodes[node].last = child
        nodes[node].count += 1
        return child
    }

    func put(_ node: Int, _ write: (inout [UInt8]) -> Void) {
        let start = text.count
        write(&text)
        nodes[node].content = .plain(start..<text.count)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * text.count + 64)
        write(root, to: &bytes)
        return bytes
    }

    private func write(_ node: Int, to bytes: inout [UInt8]) {
        switch nodes[node].content {
        case .plain(let range): bytes += text[range]
        case .list:
            bytes.append(UInt8(ascii: "["))
            var child = nodes[node].first
            while child >= 0 {
                if child != nodes[node].first { bytes.append(UInt8(ascii: ",")) }
                write(child, to: &bytes)
                child = nodes[child].next
            }
            bytes.append(UInt8(ascii: "]"))
        case .object, .empty:
            bytes.append(UInt8(ascii: "{"))
            for (index, child) in members(of: node).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONSpelling.text(nodes[child].name, &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(child, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Returns the members of an object, sorted by name. Of several members with one name, the last counts.
    private func members(of node: Int) -> [Int] {
        var members: [Int] = []
        members.reserveCapacity(nodes[node].count)
        var child = nodes[node].first
        while child >= 0 {
            members.append(child)
            child = nodes[child].next
        }
        members.sort { Self.precedes(nodes[$0].name, nodes[$1].name) || (nodes[$0].name == nodes[$1].name && $0 > $1) }
        if members.count > 1 {
            var kept = 1
            for index in 1..<members.count where nodes[members[index]].name != nodes[members[kept - 1]].name {
                members[kept] = members[index]
                kept += 1
            }
            members.removeLast(members.count - kept)
        }
        return members
    }

    private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}

/// Writes values that are neither lists nor objects.
private enum JSONSpelling {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Writes a string, including its quotation marks.
    static func text(_ text: String, _ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "b")]
            case 0x0C: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "f")]
            case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    static func integer(_ value: some FixedWidthInteger, _ bytes: inout [UInt8]) {
        guard let value = Int64(exactly: value), value >= 0 else { return bytes.append(contentsOf: String(value).utf8) }
        let start = bytes.count
        var rest = value
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes `number`, which must be finite.
    static func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible, _ bytes: inout [UInt8]) {
        bytes += number.description.utf8
        if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
    }
}

/// Encodes values into a `JSONTree`.
private struct JSONTreeEncoder: Encoder, SingleValueEncodingContainer {
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

/// Encodes the members of an object, which `JSONTreeEncoder` has begun.
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

/// Encodes the elements of a list, which `JSONTreeEncoder` has begun.
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
