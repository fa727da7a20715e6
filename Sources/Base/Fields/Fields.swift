import JSON

/// The fields of one JSON object, read strictly. A field that is missing, mistyped, out of range or unknown throws a `Fault` that names its
/// whole path.
public struct Fields {
    public struct Key: CodingKey, Hashable {
        public let stringValue: String
        public var intValue: Int? { nil }
        public init(_ name: String) { stringValue = name }
        public init(stringValue: String) { self.stringValue = stringValue }
        public init?(intValue: Int) { nil }
    }

    enum Source {
        /// An object of a `JSONReading`. Its fields are read directly, which costs less than a `KeyedDecodingContainer`. `hasPath` says
        /// whether faults name this object's path.
        case json(JSONNodeDecoder, hasPath: Bool)
        /// An object of another decoder. Without a decoder, faults leave this object's path out.
        indirect case foreign(KeyedDecodingContainer<Key>, (any Decoder)?)
        /// No object: the reader only runs so that the fields it asks for are noted.
        case described(FieldNotes)
        /// An object that is missing in the input.
        case absent
    }

    let source: Source

    /// Creates the fields of a decoder's object. Throws `Fault` when the value is no object.
    public init(_ decoder: any Decoder) throws {
        if let json = decoder as? JSONNodeDecoder {
            try self.init(json)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            self.init(.foreign(container, decoder))
        } else {
            throw Fault(field: Self.path(decoder.codingPath), expected: "an object")
        }
    }

    /// Creates the fields of an object in a `JSONReading`. Throws `Fault` when the value is no object.
    public init(_ json: JSONNodeDecoder) throws(Fault) {
        guard json.reading.hasFields(json.node) else { throw Fault(field: Self.path(json.codingPath), expected: "an object") }
        self.init(.json(json, hasPath: true))
    }

    private init(_ source: Source) { self.source = source }

    /// The object's `KeyedDecodingContainer`, for rare checks and for the descriptions in faults, where its cost does not matter; nil where
    /// there is no object.
    var container: KeyedDecodingContainer<Key>? {
        switch source {
        case .json(let json, _): try? json.container(keyedBy: Key.self)
        case .foreign(let container, _): container
        case .described, .absent: nil
        }
    }

    var notes: FieldNotes? { if case .described(let notes) = source { notes } else { nil } }

    /// Returns descriptions of the fields that `reader` reads, in the order of reading. The reader gets a made-up object with any field
    /// that it asks for, and runs once for each choice of each field. What it throws about these values is ignored.
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

    /// Returns the object in field `name`. Its faults name its fields without the path of this object. A missing object has no fields.
    /// Throws `Fault` where the value is no object.
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

    /// Returns the index of `name` in `known`; nil if it is not there. `name` comes from outside; `known` has short ASCII texts. A long
    /// `name`, or one that is not ASCII, cannot be among them and is not compared: Unicode spells a character in several ways, which takes
    /// long to compare.
    static func index(of name: String, among known: [String]) -> Int? { isShortASCII(name) ? known.firstIndex(of: name) : nil }

    /// Whether `text`, which comes from outside, is short and ASCII, so that comparing it with known names costs little.
    public static func isShortASCII(_ text: String) -> Bool { text.utf8.count <= 64 && hasOnly(text) { $0 < 0x80 } }

    /// Whether each byte of `text` is one `Character`. That is so for ASCII without carriage returns: CR LF is one `Character` of two
    /// bytes.
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

    /// Throws `Fault` for the first field, by alphabet, that is neither in `known` nor in `besides`, and for a field that occurs twice.
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
        // The fields of `known` that were found so far, as a set of bits by index.
        var seen: UInt64 = 0
        for key in container.allKeys {
            let name = key.stringValue
            if let index = Self.index(of: name, among: known) {
                let bit: UInt64 = 1 << UInt64(index)
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

    /// Returns the values of all fields that are not in `known`. Throws `Fault` for any field that occurs twice.
    public func others(than known: [String]) throws -> [String: JSONValue] {
        var others: [String: JSONValue] = [:]
        var seen: Set<Int> = []
        for key in container?.allKeys ?? [] {
            let name = key.stringValue
            let isNew = if let index = Self.index(of: name, among: known) {
                seen.insert(index).inserted
            } else {
                others.updateValue(try nested(JSONValue.self, name, expected: "any value"), forKey: name) == nil
            }
            guard isNew else { throw fault(name, "one value", found: "several") }
        }
        return others
    }
}

/// Iterates over the objects of a list. Faults in these objects name the whole path.
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
