/// Building values of a JSON text, or of one of the values in it.
final class JSONReading {
    let text: JSONText
    /// Paths begin here.
    let root: Int
    /// Where the root is a list: the names that its elements are known by, in their order. Null leaves one out.
    let names: [String]?
    private(set) var work = ReadingWork()

    init(_ text: JSONText, root: Int = 0, names: [String]? = nil) {
        self.text = text
        self.root = root
        self.names = names
    }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

    var decoder: JSONNodeDecoder { JSONNodeDecoder(reading: self, node: root) }

    func kind(_ node: Int) -> JSONText.Kind {
        work.values += 1
        return text.nodes[node].kind
    }

    /// Nil when it is no text. The others likewise.
    func string(_ node: Int) -> String? {
        work.values += 1
        return text.text(node)
    }

    func number(_ node: Int) -> Double? {
        work.values += 1
        return text.number(node)
    }

    func integer<Integer: FixedWidthInteger>(_ node: Int) -> Integer? {
        work.values += 1
        return text.integer(node)
    }

    func flag(_ node: Int) -> Bool? {
        work.values += 1
        return text.flag(node)
    }

    /// Whether the node has named fields.
    func hasFields(_ node: Int) -> Bool { kind(node) == .object || (names != nil && node == root) }

    /// The node of a field's value; nil when there is none.
    func field(_ name: String, of node: Int) -> Int? {
        if let names, node == root {
            for (known, value) in zip(names, text.children(of: node)) {
                work.comparisons += 1
                if known == name { return text.nodes[value].kind == .null ? nil : value }
            }
            return nil
        }
        for place in text.children(of: node) {
            work.comparisons += 1
            if text.isNamed(place, name) { return place + 1 }
        }
        return nil
    }

    /// The names of all fields.
    func forEachField(of node: Int, _ body: (String) -> Void) {
        work.comparisons += Int(text.nodes[node].count)
        if let names, node == root {
            for (name, value) in zip(names, text.children(of: node)) where text.nodes[value].kind != .null { body(name) }
        } else {
            for place in text.children(of: node) { if let name = text.text(place) { body(name) } }
        }
    }

    /// From the root down.
    func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var place = node
        while place != root, let parent = text.nodes[place].parent.map({ Int($0) }) {
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
