import JSON

/// The fields of one JSON object, read strictly: a field that is missing, mistyped, out of range or unknown is a `Fault` that names it by
/// its whole path.
public struct Fields {
    public struct Key: CodingKey, Hashable {
        public let stringValue: String
        public var intValue: Int? { nil }
        public init(_ name: String) { stringValue = name }
        public init(stringValue: String) { self.stringValue = stringValue }
        public init?(intValue: Int) { nil }
    }

    enum Source {
        /// An object of a `JSONReading`, whose fields are read without a container, which costs less. `hasPath` says whether its reader
        /// knows it by a path.
        case json(JSONNodeDecoder, hasPath: Bool)
        /// An object of another decoder. Without a decoder, its reader knows it by no path.
        indirect case foreign(KeyedDecodingContainer<Key>, (any Decoder)?)
        /// No object: the reader's questions are noted instead.
        case described(FieldNotes)
        /// An object that was left out.
        case absent
    }

    let source: Source

    /// Reads the object of a decoder. Throws `Fault` when the value is no object.
    public init(_ decoder: any Decoder) throws {
        if let json = decoder as? JSONNodeDecoder {
            try self.init(json)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            self.init(.foreign(container, decoder))
        } else {
            throw Fault(field: Self.path(decoder.codingPath), expected: "an object")
        }
    }

    /// Reads an object of a `JSONReading`. Throws `Fault` when the value is no object.
    public init(_ json: JSONNodeDecoder) throws(Fault) {
        guard json.reading.hasFields(json.node) else { throw Fault(field: Self.path(json.codingPath), expected: "an object") }
        self.init(.json(json, hasPath: true))
    }

    private init(_ source: Source) { self.source = source }

    /// A container for rare questions, and for faults; nil where there is no object to read.
    var container: KeyedDecodingContainer<Key>? {
        switch source {
        case .json(let json, _): try? json.container(keyedBy: Key.self)
        case .foreign(let container, _): container
        case .described, .absent: nil
        }
    }

    var notes: FieldNotes? { if case .described(let notes) = source { notes } else { nil } }

    /// Returns descriptions of the fields that `reader` reads, in its order. The reader gets an object that has whatever it asks for, once
    /// for each choice that it asks for. What it throws about values is ignored.
    public static func described(_ reader: (Fields) throws -> Void) -> [FieldDescription] {
        let notes = FieldNotes()
        try? reader(Fields(.described(notes)))
        for case (let name, .choice(let choices)) in notes.fields.map({ ($0.name, $0.kind) }) {
            for choice in choices.indices.dropFirst() {
                notes.choices = [name: choice]
                try? reader(Fields(.described(notes)))
            }
        }
        return notes.fields
    }

    /// Returns the object in field `name`, whose own fields are then named without it; one without fields if it is left out.
    public func object(_ name: String) throws -> Fields {
        switch source {
        case .json(let json, _):
            guard let node = json.reading.field(name, of: json.node) else { return Fields(.absent) }
            guard json.reading.hasFields(node) else { throw fault(name, "an object of named values", found: describe(name)) }
            return Fields(.json(json.reading.decoder(of: node), hasPath: false))
        case .foreign(let container, _):
            guard container.contains(Key(name)) else { return Fields(.absent) }
            do {
                return Fields(.foreign(try container.nestedContainer(keyedBy: Key.self, forKey: Key(name)), nil))
            } catch is DecodingError {
                throw fault(name, "an object of named values", found: describe(name))
            }
        case .described, .absent:
            return Fields(.absent)
        }
    }

    /// Returns the place of `name`, which is a stranger's, among `known`, which are short and ASCII. Other text is not compared: that may
    /// take long, because Unicode has several spellings of the same.
    static func place(of name: String, among known: [String]) -> Int? { isShortASCII(name) ? known.firstIndex(of: name) : nil }

    /// Whether `name` is among `known`.
    public static func contains(_ known: [String], _ name: String) -> Bool { place(of: name, among: known) != nil }

    /// Whether `text`, which is a stranger's, is short and ASCII and so may be compared with known names.
    public static func isShortASCII(_ text: String) -> Bool { text.utf8.count <= 64 && hasOnly(text) { $0 < 0x80 } }

    /// Whether each byte is a character of its own: ASCII is, but for a line's end of two bytes.
    static func hasPlainCharacters(_ text: String) -> Bool { hasOnly(text) { $0 < 0x80 && $0 != 0x0D } }

    private static func hasOnly(_ text: String, _ bytes: (UInt8) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { $0.allSatisfy(bytes) }
    }

    public func contains(_ name: String) -> Bool {
        switch source {
        case .json(let json, _): json.reading.field(name, of: json.node) != nil
        case .foreign(let container, _): container.contains(Key(name))
        case .described, .absent: false
        }
    }

    /// Throws `Fault` for the first field, in alphabetical order, that is not among `known` or `besides`, and for one that is there twice.
    public func refuseAll(but known: [String], _ besides: [String] = []) throws {
        if case .json(let json, _) = source, json.reading.kind(json.node) == .object {
            let (stranger, twice) = json.reading.stranger(in: json.node, to: known, besides)
            if let twice { throw fault(twice, "one value", found: "several") }
            if let stranger { throw refused(stranger, known + besides) }
            return
        }
        guard let container else { return }
        let known = known + besides
        var stranger: String?
        // Those of `known` that were there, by their places.
        var seen: UInt64 = 0
        for key in container.allKeys {
            let name = key.stringValue
            if let place = Self.place(of: name, among: known) {
                let bit: UInt64 = 1 << UInt64(place)
                guard seen & bit == 0 else { throw fault(name, "one value", found: "several") }
                seen |= bit
            } else if stranger.map({ name.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true {
                stranger = name
            }
        }
        if let stranger { throw refused(stranger, known) }
    }

    private func refused(_ stranger: String, _ known: [String]) -> Fault {
        Fault.stranger(path(of: stranger), named: stranger, beside: known)
    }

    /// Returns all fields but `known`, as they are. Throws `Fault` for a field that is there twice, `known` or not.
    public func others(than known: [String]) throws -> [String: JSONValue] {
        var others: [String: JSONValue] = [:]
        var seen: Set<Int> = []
        for key in container?.allKeys ?? [] {
            let name = key.stringValue
            let isNew = if let place = Self.place(of: name, among: known) {
                seen.insert(place).inserted
            } else {
                others.updateValue(try nested(JSONValue.self, name, expected: "any value"), forKey: name) == nil
            }
            guard isNew else { throw fault(name, "one value", found: "several") }
        }
        return others
    }
}

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
