/// Building values of a JSON text, or of one of the values in it.
final class JSONReading {
    let text: JSONText
    /// Paths begin here.
    let root: Int
    /// Where the root is a list: the names that its elements are known by, in their order. Null leaves one out.
    let names: [String]?
    /// Names that were compared, and values that were converted or looked for.
    private(set) var steps = 0

    init(_ text: JSONText, root: Int = 0, names: [String]? = nil) {
        self.text = text
        self.root = root
        self.names = names
    }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

    var decoder: JSONNodeDecoder { JSONNodeDecoder(reading: self, node: root) }

    func kind(_ node: Int) -> JSONText.Kind {
        steps += 1
        return text.nodes[node].kind
    }

    /// Whether the node has named fields.
    func hasFields(_ node: Int) -> Bool { kind(node) == .object || (names != nil && node == root) }

    /// The node of a field's value; nil when there is none.
    func field(_ name: String, of node: Int) -> Int? {
        if let names, node == root {
            for (known, value) in zip(names, text.children(of: node)) {
                steps += 1
                if known == name { return text.nodes[value].kind == .null ? nil : value }
            }
            return nil
        }
        for place in text.children(of: node) {
            steps += 1
            if text.isNamed(place, name) { return place + 1 }
        }
        return nil
    }

    func fields(of node: Int) -> [String] {
        steps += Int(text.nodes[node].count)
        if let names, node == root {
            return zip(names, text.children(of: node)).filter { text.nodes[$1].kind != .null }.map(\.0)
        }
        return text.children(of: node).compactMap { text.text($0) }
    }

    /// From the root down. Looked for only when something is wrong.
    func path(of node: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var place = root
        while place != node {
            var index = 0
            var inner = node
            for child in text.children(of: place) {
                let isName = text.nodes[child].kind == .name
                let value = isName ? child + 1 : child
                if node < Int(text.nodes[value].next) {
                    if isName {
                        path.append(JSONKey(stringValue: text.text(child) ?? ""))
                    } else if let names, place == root {
                        path.append(JSONKey(stringValue: names[index]))
                    } else {
                        path.append(JSONKey(intValue: index))
                    }
                    inner = value
                    break
                }
                index += 1
            }
            place = inner
        }
        return path
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
