/// A JSON text (RFC 8259) that was read once from start to end: it is known to be good, and where each of its values stands.
/// Nothing is built of the values until somebody asks for them.
public struct JSONText: Sendable {
    public enum Kind: UInt8, Sendable { case object, list, name, text, number, yes, no, null, unnumber }

    /// One value, or the name of an object's member, which stands right before the member's value.
    public struct Node: Sendable {
        public let kind: Kind
        /// A text with backslashes; a number with a point or an exponent.
        let isIntricate: Bool
        /// Offsets of its first byte and of the byte after its last one.
        public let start: Int32
        public internal(set) var end: Int32
        /// The first node that is no part of it; of a name, nor of the member's value.
        var next: Int32
        /// Elements of a list, members of an object.
        public internal(set) var count: Int32 = 0
        /// The node of the list or object that it is in; −1 for the whole.
        let container: Int32
        /// Its place among the elements or members there.
        let index: Int32
    }

    public let bytes: [UInt8]
    /// In the order of the text. The first is the whole.
    public let nodes: [Node]
    /// `NaN`, `Infinity` or `-Infinity` occurs, which people write, but JSON does not have.
    public let hasUnnumbers: Bool

    /// Throws why it cannot be read.
    public init(_ bytes: [UInt8], within limits: JSONLimits) throws(JSONRefusal) {
        var work = ReadingWork()
        try self.init(bytes, within: limits, &work)
    }

    /// The same. Adds what it costs to `work`.
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

    /// The nodes of a list's elements, or of the names in an object.
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

/// What a JSON text may have.
public struct JSONLimits: Sendable {
    /// Lists and objects within one another.
    public let depth: Int
    /// Values: objects, lists, texts, numbers, true, false and null.
    public let values: Int
    /// Bytes of a name in an object.
    public let name: Int

    public init(depth: Int = .max, values: Int = .max, name: Int = .max) {
        self.depth = depth
        self.values = values
        self.name = name
    }

    /// For our own messages.
    public static let none = JSONLimits()
}

public enum JSONRefusal: Error, Equatable {
    /// Why not.
    case notJSON(String)
    /// It may be JSON, but is more than may come: what is allowed.
    case tooMuch(String)
}

/// The work that reading a line has cost, in units whose cost is bounded.
///
/// Measured in a release build on one core of a server: a byte costs up to 6 ns, a node 20 ns, a comparison 20 ns, a value 600 ns. The most
/// expensive line within the limits of the protocol that we could make took 1.4 ms, its parameters included.
public struct ReadingWork: Equatable, Sendable {
    /// That were looked at, once each.
    public var bytes = 0
    /// Values and names that were found.
    public var nodes = 0
    /// Names that were compared.
    public var comparisons = 0
    /// Values that were built, or tried to be.
    public var values = 0

    public init(bytes: Int = 0, nodes: Int = 0, comparisons: Int = 0, values: Int = 0) {
        self.bytes = bytes
        self.nodes = nodes
        self.comparisons = comparisons
        self.values = values
    }

    public static func += (sum: inout ReadingWork, other: ReadingWork) {
        sum.bytes += other.bytes
        sum.nodes += other.nodes
        sum.comparisons += other.comparisons
        sum.values += other.values
    }
}
