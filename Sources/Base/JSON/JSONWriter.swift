/// Writes values as JSON (RFC 8259) without spaces, the members of an object in the order of their names' bytes: equal values are equal
/// bytes. Numbers are spelled with as few digits as bring back the same bits, whole ones without a fraction; slashes are not escaped.
public enum JSONWriter {
    /// Throws `EncodingError` for a number that is not finite, and what `value` throws.
    public static func bytes(of value: some Encodable) throws -> [UInt8] {
        let tree = JSONTree()
        try value.encode(to: JSONTreeEncoder(tree: tree, node: tree.root))
        return tree.bytes
    }
}

/// The values of a JSON text on its way, in the order in which they were encoded.
final class JSONTree {
    enum Content {
        /// Nothing was encoded: an object without members.
        case empty
        case object
        case list
        case plain(Range<Int>)
    }

    private struct Node {
        var content = Content.empty
        /// In its object.
        var name: String
        /// In its list or object; −1 for none.
        var next = -1
        var first = -1
        var last = -1
        var count = 0
    }

    // Of one thread, and used by no two at once: checks at run time would cost as much as the writing.
    @exclusivity(unchecked) private var nodes: [Node] = [Node(name: "")]
    /// Plain values as they are written, one after the other.
    @exclusivity(unchecked) private var text: [UInt8] = []

    let root = 0

    init() {
        nodes.reserveCapacity(32)
        text.reserveCapacity(256)
    }

    func count(of node: Int) -> Int { nodes[node].count }

    /// The node is an object or a list from now on. It may be called again.
    func open(_ node: Int, as content: Content) { nodes[node].content = content }

    /// One more value in an object or a list.
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
            for (place, child) in members(of: node).enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONSpelling.text(nodes[child].name, &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(child, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// In the order of their names; of those with the same name the last.
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
            for place in 1..<members.count where nodes[members[place]].name != nodes[members[kept - 1]].name {
                members[kept] = members[place]
                kept += 1
            }
            members.removeLast(members.count - kept)
        }
        return members
    }

    private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}

/// How JSON spells what is neither a list nor an object.
enum JSONSpelling {
    private static let digits = Array("0123456789abcdef".utf8)

    /// With its quotation marks.
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

    /// `number` is finite.
    static func number(_ number: some BinaryFloatingPoint & LosslessStringConvertible, _ bytes: inout [UInt8]) {
        bytes += number.description.utf8
        if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
    }
}
