/// Builds values of a JSON text, or of one of the values in it. Thread: one at a time.
public final class JSONReading {
    public let text: JSONText
    /// The node at which paths begin.
    public let root: Int
    /// The names by which the elements of a root that is a list are known, in their order; nil for any other root. An element that is null
    /// counts as left out.
    let names: [String]?
    // Of one thread, and no reader of it calls back: checks at run time would cost as much as the counting.
    @exclusivity(unchecked) public private(set) var work = ReadingWork()
    /// The most fields in an object that are searched one after the other. Larger objects get an index.
    private static let largestSearched = 64
    private var indices: [Int: [[UInt8]: Int]] = [:]

    public init(_ text: JSONText, root: Int = 0, names: [String]? = nil) {
        self.text = text
        self.root = root
        self.names = names
    }

    /// A decoder of the root.
    public var decoder: any Decoder { decoder(of: root) }

    public func decoder(of node: Int) -> JSONNodeDecoder { JSONNodeDecoder(reading: self, node: node) }

    public func kind(_ node: Int) -> JSONText.Kind {
        work.values += 1
        return text.nodes[node].kind
    }

    /// Returns the text at a node; nil when it is none. The others do the same for their types.
    public func string(_ node: Int) -> String? {
        work.values += 1
        return text.text(node)
    }

    public func number(_ node: Int) -> Double? {
        work.values += 1
        return text.number(node)
    }

    public func integer(_ node: Int) -> Int? {
        work.values += 1
        return text.integer(node)
    }

    public func integer<Integer: FixedWidthInteger>(_ node: Int) -> Integer? {
        work.values += 1
        return text.integer(node)
    }

    public func flag(_ node: Int) -> Bool? {
        work.values += 1
        return text.flag(node)
    }

    /// Whether the node has named fields.
    public func hasFields(_ node: Int) -> Bool { kind(node) == .object || (names != nil && node == root) }

    /// Returns the node of a field's value; nil when there is none.
    public func field(_ name: String, of node: Int) -> Int? {
        if let names, node == root {
            for (known, value) in zip(names, text.children(of: node)) {
                work.comparisons += 1
                if known == name { return text.nodes[value].kind == .null ? nil : value }
            }
            return nil
        }
        guard text.nodes[node].count <= Self.largestSearched else {
            work.comparisons += 1
            return index(of: node)[Array(name.utf8)]
        }
        return text.member(name, of: node, &work.comparisons)
    }

    /// Returns the index of a large object's members: the first value of each name. With it, reading a field takes no longer the more there
    /// are.
    private func index(of node: Int) -> [[UInt8]: Int] {
        if let known = indices[node] { return known }
        var index: [[UInt8]: Int] = [:]
        for place in text.children(of: node) {
            work.comparisons += 1
            if let name = text.text(place).map({ Array($0.utf8) }), index[name] == nil { index[name] = place + 1 }
        }
        indices[node] = index
        return index
    }

    /// Calls `body` with the names of all fields.
    public func forEachField(of node: Int, _ body: (String) -> Void) {
        work.comparisons += Int(text.nodes[node].count)
        if let names, node == root {
            for (name, value) in zip(names, text.children(of: node)) where text.nodes[value].kind != .null { body(name) }
        } else {
            for place in text.children(of: node) { if let name = text.text(place) { body(name) } }
        }
    }

    /// Returns the first field by its bytes whose name is none of `known` or `besides`, and a field that stands twice. `known` and
    /// `besides` have at most 64 names together, which are short and ASCII.
    public func stranger(in node: Int, to known: [String], _ besides: [String]) -> (stranger: String?, twice: String?) {
        var stranger: String?
        // Those that were there, by their places in `known`, and in `besides` after it.
        var seen: UInt64 = 0
        let end = Int(text.nodes[node].next)
        var place = node + 1
        while place < end {
            work.comparisons += 1
            if let index = text.index(of: place, among: known) ?? text.index(of: place, among: besides).map({ known.count + $0 }) {
                guard seen & 1 << UInt64(index) == 0 else { return (stranger, text.text(place)) }
                seen |= 1 << UInt64(index)
            } else if let name = text.text(place), stranger.map({ name.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true {
                stranger = name
            }
            place = Int(text.nodes[place].next)
        }
        return (stranger, nil)
    }

    /// Returns the path of a node from the root down.
    public func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var place = node
        while place != root, text.nodes[place].container >= 0 {
            let parent = Int(text.nodes[place].container)
            let index = Int(text.nodes[place].index)
            if text.nodes[parent].kind == .object {
                path.append(JSONKey(stringValue: text.text(place - 1) ?? ""))
            } else if let names, parent == root {
                path.append(JSONKey(stringValue: names[index]))
            } else {
                path.append(JSONKey(intValue: index))
            }
            place = parent
        }
        return path.reversed()
    }

    func mismatch(_ type: Any.Type, _ node: Int) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "another kind of value"))
    }
}

private struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
