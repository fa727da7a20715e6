/// Builds Swift values from a JSON text, or from one of the values in it. Thread: any, but one at a time.
public final class JSONReading {
    public let text: JSONText
    /// The node of the value that is read. Coding paths begin there.
    public let root: Int
    /// Names for the elements of a list at the root, in order. With them, the list is read like an object that has fields of these names,
    /// and an element that is null counts as a missing field. nil where the root is read as what it is.
    let names: [String]?
    // Only one thread uses this object, and nothing calls back while `work` changes. Run-time checks of that would cost as much as the
    // counting.
    @exclusivity(unchecked) public private(set) var work = ReadingWork()
    /// The largest number of fields that are searched one by one. Objects with more fields get an index.
    private static let largestSearched = 64
    private var indices: [Int: [[UInt8]: Int]] = [:]

    public init(_ text: JSONText, root: Int = 0, names: [String]? = nil) {
        self.text = text
        self.root = root
        self.names = names
    }

    /// A decoder of the value at the root.
    public var decoder: any Decoder { decoder(of: root) }

    public func decoder(of node: Int) -> JSONNodeDecoder { JSONNodeDecoder(reading: self, node: node) }

    public func kind(_ node: Int) -> JSONText.Kind {
        work.values += 1
        return text.nodes[node].kind
    }

    /// Returns the text at a node; nil when the node is no text. `number` and the functions after it do the same for their types.
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

    /// Whether the node has named fields: it is an object, or the root and a list with `names`.
    public func hasFields(_ node: Int) -> Bool { kind(node) == .object || (names != nil && node == root) }

    /// Returns the node of the value of field `name`; nil when there is no such field.
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

    /// Returns an index of a large object: from each field's name to the node of its first value. With an index, reading a field takes
    /// equally long however many fields there are.
    private func index(of node: Int) -> [[UInt8]: Int] {
        if let known = indices[node] { return known }
        var index: [[UInt8]: Int] = [:]
        for child in text.children(of: node) {
            work.comparisons += 1
            if let name = text.text(child).map({ Array($0.utf8) }), index[name] == nil { index[name] = child + 1 }
        }
        indices[node] = index
        return index
    }

    /// Calls `body` with the name of each field of the object at `node`.
    public func forEachField(of node: Int, _ body: (String) -> Void) {
        work.comparisons += Int(text.nodes[node].count)
        if let names, node == root {
            for (name, value) in zip(names, text.children(of: node)) where text.nodes[value].kind != .null { body(name) }
        } else {
            for child in text.children(of: node) { if let name = text.text(child) { body(name) } }
        }
    }

    /// Returns two field names of the object at `node`, each nil if there is no such field. `stranger` is the first name, in the order of
    /// bytes, that is neither in `known` nor in `besides`; `twice` is a name of these lists that occurs twice. Both lists together may have
    /// at most 64 names, which must be short and ASCII.
    public func stranger(in node: Int, to known: [String], _ besides: [String]) -> (stranger: String?, twice: String?) {
        var stranger: String?
        // The names found so far, as bits: first those of `known` by index, then those of `besides`.
        var seen: UInt64 = 0
        let end = Int(text.nodes[node].next)
        var child = node + 1
        while child < end {
            work.comparisons += 1
            if let index = text.index(of: child, among: known) ?? text.index(of: child, among: besides).map({ known.count + $0 }) {
                guard seen & 1 << UInt64(index) == 0 else { return (stranger, text.text(child)) }
                seen |= 1 << UInt64(index)
            } else if let name = text.text(child), stranger.map({ name.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true {
                stranger = name
            }
            child = Int(text.nodes[child].next)
        }
        return (stranger, nil)
    }

    /// Returns the coding path that leads from the root to `node`.
    public func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var current = node
        while current != root, text.nodes[current].container >= 0 {
            let parent = Int(text.nodes[current].container)
            let index = Int(text.nodes[current].index)
            if text.nodes[parent].kind == .object {
                path.append(JSONKey(stringValue: text.text(current - 1) ?? ""))
            } else if let names, parent == root {
                path.append(JSONKey(stringValue: names[index]))
            } else {
                path.append(JSONKey(intValue: index))
            }
            current = parent
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
