/// A JSON text (RFC 8259) that was read once from start to end. It is known to be valid, and where each of its values stands. Values are
/// built when they are asked for.
public struct JSONText: Sendable {
    public enum Kind: UInt8, Sendable { case object, list, name, text, number, yes, no, null, unnumber }

    /// One value, or the name of an object's member, which stands right before the member's value.
    public struct Node: Sendable {
        public let kind: Kind
        /// Whether it is a text with backslashes, or a number with a point or an exponent.
        let isIntricate: Bool
        /// The offsets of its first byte, and of the byte after its last one.
        public let start: Int32
        public internal(set) var end: Int32
        /// The first node that is no part of this one; after a name, the first that is no part of the member's value either.
        var next: Int32
        /// The number of elements of a list, or members of an object.
        public internal(set) var count: Int32 = 0
        /// The node of the list or object that contains it; −1 for the whole.
        let container: Int32
        /// The value's place among the elements or members of its container.
        let index: Int32
    }

    public let bytes: [UInt8]
    /// The nodes in the order of the text. The first is the whole.
    public let nodes: [Node]
    /// Whether `NaN`, `Infinity` or `-Infinity` occurs, which people write, but JSON does not have.
    public let hasUnnumbers: Bool

    /// Reads a text. Throws the reason where it is no JSON or exceeds `limits`.
    public init(_ bytes: [UInt8], within limits: JSONLimits) throws(JSONRefusal) {
        var work = ReadingWork()
        try self.init(bytes, within: limits, &work)
    }

    /// Does the same, and adds the work of reading to `work`.
    public init(_ bytes: [UInt8], within limits: JSONLimits, _ work: inout ReadingWork) throws(JSONRefusal) {
        // Strings are all that may hold anything but ASCII.
        guard bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil else { throw .notJSON("not UTF-8") }
        let scanner = try bytes.withUnsafeBufferPointer { buffer throws(JSONRefusal) in
            var scanner = JSONScanner(buffer, limits)
            defer { work += ReadingWork(bytes: scanner.place, nodes: scanner.nodes.count) }
            try scanner.scan()
            return (nodes: scanner.nodes, hasUnnumbers: scanner.hasUnnumbers)
        }
        self.bytes = bytes
        nodes = scanner.nodes
        hasUnnumbers = scanner.hasUnnumbers
    }

    public func slice(_ node: Int) -> ArraySlice<UInt8> { bytes[Int(nodes[node].start)..<Int(nodes[node].end)] }

    /// Returns the nodes of a list's elements, or of the names in an object.
    public func children(of node: Int) -> Children { Children(nodes: nodes, place: node + 1, end: Int(nodes[node].next)) }

    public struct Children: Sequence, IteratorProtocol {
        let nodes: [Node]
        var place: Int
        let end: Int

        public mutating func next() -> Int? {
            guard place < end else { return nil }
            let child = place
            place = Int(nodes[child].next)
            return child
        }
    }
}

/// Limits of a JSON text.
public struct JSONLimits: Sendable {
    /// The deepest nesting of lists and objects.
    public let depth: Int
    /// The most values: objects, lists, texts, numbers, true, false and null.
    public let values: Int
    /// The most bytes in a name of an object.
    public let name: Int

    public init(depth: Int = .max, values: Int = .max, name: Int = .max) {
        self.depth = depth
        self.values = values
        self.name = name
    }

    /// Limits for this program's own messages: none.
    public static let none = JSONLimits()
}

public enum JSONRefusal: Error, Equatable {
    /// The text is no JSON, for this reason.
    case notJSON(String)
    /// The text exceeds a limit, and may be JSON. Says what is allowed.
    case tooMuch(String)
}

/// The work of reading a line, in units whose cost is bounded.
///
/// Measured in a release build on one core of a server: a byte costs up to 6 ns, a node 20 ns, a comparison 20 ns, a value 600 ns. The most
/// expensive line found within the limits of the protocol took 1.4 ms, its parameters included.
public struct ReadingWork: Equatable, Sendable {
    /// The number of bytes that were scanned; none is counted twice.
    public var bytes = 0
    /// The number of values and names that were found.
    public var nodes = 0
    /// The number of names that were compared.
    public var comparisons = 0
    /// The number of values that were built, or tried to be.
    public var values = 0

    public init(bytes: Int = 0, nodes: Int = 0) {
        self.bytes = bytes
        self.nodes = nodes
    }

    public static func += (sum: inout ReadingWork, other: ReadingWork) {
        sum.bytes += other.bytes
        sum.nodes += other.nodes
        sum.comparisons += other.comparisons
        sum.values += other.values
    }
}

extension JSONText {
    /// Returns the line, from 1, on which `bytes` stop being JSON, for people who wrote them; nil if they are JSON.
    public static func line(ofFaultIn bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(buffer, .none)
            do throws(JSONRefusal) {
                try scanner.scan()
                return nil
            } catch {
                return 1 + buffer.prefix(scanner.place).count { $0 == UInt8(ascii: "\n") }
            }
        }
    }
}
