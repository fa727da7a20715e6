import JSON

/// Iterates over the objects of a list. Their faults carry the whole path.
public struct FieldsList {
    private enum Rest {
        case json(JSONReading, JSONText.Children)
        case foreign(any UnkeyedDecodingContainer)
    }

    private var rest: Rest

    init(_ reading: JSONReading, _ node: Int) { rest = .json(reading, reading.text.children(of: node)) }

    init(_ list: any UnkeyedDecodingContainer) { rest = .foreign(list) }

    /// Returns the next object; nil after the last. Throws `Fault` when the next element is no object.
    public mutating func next() throws -> Fields? {
        switch rest {
        case .json(let reading, var nodes):
            guard let node = nodes.next() else { return nil }
            rest = .json(reading, nodes)
            return try Fields(reading.decoder(of: node))
        case .foreign(var list):
            guard !list.isAtEnd else { return nil }
            let element = try list.superDecoder()
            rest = .foreign(list)
            return try Fields(element)
        }
    }
}
