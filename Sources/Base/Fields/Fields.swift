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

    private var notes: FieldNotes? { if case .described(let notes) = source { notes } else { nil } }

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
    private static func place(of name: String, among known: [String]) -> Int? { isShortASCII(name) ? known.firstIndex(of: name) : nil }

    /// Whether `name` is among `known`.
    public static func contains(_ known: [String], _ name: String) -> Bool { place(of: name, among: known) != nil }

    /// Whether `text`, which is a stranger's, is short and ASCII and so may be compared with known names.
    public static func isShortASCII(_ text: String) -> Bool { text.utf8.count <= 64 && hasOnly(text) { $0 < 0x80 } }

    /// Whether each byte is a character of its own: ASCII is, but for a line's end of two bytes.
    private static func hasPlainCharacters(_ text: String) -> Bool { hasOnly(text) { $0 < 0x80 && $0 != 0x0D } }

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

    public func number(_ name: String, in range: ClosedRange<Double>, unit: String? = nil, about: String = "") throws -> Double {
        if let notes { return notes.require(name, .number(range, unit: unit), about, range.lowerBound) }
        if hasStandIn(name) { return range.lowerBound }
        let value = try plain(name, expected: Self.words(for: range, unit: unit)) { $0.number($1) }
        guard range.contains(value) else { throw fault(name, Self.words(for: range, unit: unit), found: Fault.plain(value)) }
        return value
    }

    /// Says what is expected of a number in `range`.
    public static func words(for range: ClosedRange<Double>, unit: String?) -> String {
        "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))" + (unit.map { " (\($0))" } ?? "")
    }

    public func numberIfPresent(_ name: String, in range: ClosedRange<Double>, unit: String? = nil, about: String = "") throws -> Double? {
        try optional(name) { try number(name, in: range, unit: unit, about: about) }
    }

    /// Reads any number, and clamps it to `range`; nil if it is left out.
    public func numberIfPresent(_ name: String, clampedTo range: ClosedRange<Double>, about: String = "") throws -> Double? {
        if notes != nil { return try numberIfPresent(name, in: range, about: about) }
        guard contains(name) else { return nil }
        let value = try plain(name, expected: "a number") { $0.number($1) }
        guard !value.isNaN else { throw fault(name, "a number", found: "nan") }
        return max(range.lowerBound, min(range.upperBound, value))
    }

    public func integer(_ name: String, in range: ClosedRange<Int>, unit: String? = nil, about: String = "") throws -> Int {
        if let notes { return notes.require(name, .integer(range, unit: unit), about, range.lowerBound) }
        if hasStandIn(name) { return range.lowerBound }
        func expected() -> String {
            "a whole number from \(range.lowerBound) to \(range.upperBound)" + (unit.map { " (\($0))" } ?? "")
        }
        let value: Int = try plain(name, expected: expected()) { $0.integer($1) }
        guard range.contains(value) else { throw fault(name, expected(), found: "\(value)") }
        return value
    }

    public func integerIfPresent(_ name: String, in range: ClosedRange<Int>, unit: String? = nil, about: String = "") throws -> Int? {
        try optional(name) { try integer(name, in: range, unit: unit, about: about) }
    }

    public func flag(_ name: String, about: String = "") throws -> Bool {
        if let notes { return notes.require(name, .flag, about, false) }
        if hasStandIn(name) { return false }
        return try plain(name, expected: "true or false") { $0.flag($1) }
    }

    public func flagIfPresent(_ name: String, about: String = "") throws -> Bool? { try optional(name) { try flag(name, about: about) } }

    /// Reads text of 1 to `limit` characters, which have at most 64 bytes each and 8 on average. Otherwise a character might have any
    /// number of bytes, and comparing it might take long.
    public func text(_ name: String, limit: Int = 256, about: String = "") throws -> String {
        if let notes { return notes.require(name, .text(limit: limit), about, "text") }
        if hasStandIn(name) { return "text" }
        func expected() -> String { "text of 1 to \(limit) characters" }
        let value = try plain(name, expected: expected()) { $0.string($1) }
        let bytes = value.utf8.count
        guard bytes <= 8 * limit else { throw fault(name, expected(), found: "\(bytes) bytes") }
        let count = Self.hasPlainCharacters(value) ? bytes : value.count
        guard (1...limit).contains(count) else { throw fault(name, expected(), found: "\(count) characters") }
        guard bytes == count || value.allSatisfy({ $0.utf8.count <= 64 }) else {
            throw fault(name, expected(), found: "a character of more than 64 bytes")
        }
        return value
    }

    public func textIfPresent(_ name: String, limit: Int = 256, about: String = "") throws -> String? {
        try optional(name) { try text(name, limit: limit, about: about) }
    }

    // Compiled into whoever calls it: a reader of any choice would look its type up each time, which costs more than all the rest.
    @inlinable public func choice<Choice>(_ name: String, about: String = "") throws -> Choice
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        let word = try word(name, about: about) { Choice.allCases.map { $0.rawValue } }
        guard let choice = Choice(rawValue: word) else { throw fault(name, word: word, Choice.allCases.map { $0.rawValue }) }
        return choice
    }

    /// Reads a word that may be one of `choices`, which are short and ASCII.
    @usableFromInline func word(_ name: String, about: String, of choices: () -> [String]) throws -> String {
        if let notes {
            let choices = choices()
            return notes.require(name, .choice(choices), about, choices[notes.choices[name] ?? 0])
        }
        if hasStandIn(name) { return choices()[0] }
        let word = try plain(name, expected: Self.words(for: choices())) { $0.string($1) }
        guard Self.isShortASCII(word) else { throw fault(name, word: word, choices()) }
        return word
    }

    @usableFromInline func fault(_ name: String, word: String, _ choices: [String]) -> Fault {
        fault(name, Self.words(for: choices), found: quoted(word))
    }

    private static func words(for choices: [String]) -> String { "one of " + choices.joined(separator: ", ") }

    /// Reads one of `choices`, which are short and ASCII.
    public func choice(_ name: String, of choices: [String], about: String = "") throws -> String {
        if let notes { return notes.require(name, .choice(choices), about, choices.isEmpty ? "" : choices[notes.choices[name] ?? 0]) }
        if let first = choices.first, hasStandIn(name) { return first }
        func expected() -> String { choices.isEmpty ? "nothing, because there is no choice" : "one of " + choices.joined(separator: ", ") }
        let value = try value(String.self, name, expected: expected())
        guard let place = Self.place(of: value, among: choices) else {
            throw fault(name, expected(), found: quoted(value) + Spelling.hint(for: value, among: choices))
        }
        return choices[place]
    }

    @inlinable public func choiceIfPresent<Choice>(_ name: String, about: String = "") throws -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        try optional(name) { try choice(name, about: about) as Choice }
    }

    /// Reads a list of `choices`, which are short and ASCII; nil if it is left out.
    public func choicesIfPresent(_ name: String, of choices: [String], about: String = "") throws -> [String]? {
        try optional(name) {
            if let notes { return notes.require(name, .choices(choices), about, []) }
            let expected = "a list of " + choices.joined(separator: ", ")
            return try value([String].self, name, expected: expected).map { word in
                guard let place = Self.place(of: word, among: choices) else { throw fault(name, stray: word, expected, choices) }
                return choices[place]
            }
        }
    }

    /// Returns the elements of field `name`; nil when that is no list of them.
    public func list<Element: Decodable>(_ name: String, of type: Element.Type) -> [Element]? {
        try? container?.decode([Element].self, forKey: Key(name))
    }

    /// Returns the objects of the list in field `name`; nil if it is left out.
    public func objectsIfPresent(_ name: String, expected: String) throws -> FieldsList? {
        if case .json(let json, _) = source {
            guard let node = json.reading.field(name, of: json.node) else { return nil }
            guard json.reading.kind(node) == .list else { throw fault(name, expected, found: describe(name)) }
            return FieldsList(json.reading, node)
        }
        guard contains(name) else { return nil }
        guard let list = try? container?.nestedUnkeyedContainer(forKey: Key(name)) else {
            throw fault(name, expected, found: describe(name))
        }
        return FieldsList(list)
    }

    /// Returns what `read` reads of field `name`; nil if it is left out.
    @inlinable func optional<Value>(_ name: String, _ read: () throws -> Value) rethrows -> Value? {
        guard isThere(name) else { return nil }
        let value = try read()
        relax(name)
        return value
    }

    /// Whether the field is to be read, if only to be described.
    @usableFromInline func isThere(_ name: String) -> Bool { if case .described = source { true } else { contains(name) } }

    /// Notes that the field may be left out.
    @usableFromInline func relax(_ name: String) { if case .described(let notes) = source { notes.relax(name) } }

    /// Reads any value that decodes itself, and is described as `kind`. `example` is returned where nothing is read.
    public func nested<Value: Decodable>(_ name: String, as kind: FieldDescription.Kind, like example: Value, expected: String) throws
        -> Value {
        if let notes { return notes.require(name, kind, "", example) }
        if hasStandIn(name) { return example }
        return try value(Value.self, name, expected: expected)
    }

    /// Reads any value that decodes itself. Its own faults carry the whole path already.
    public func nested<Value: Decodable>(_ type: Value.Type, _ name: String, expected: String) throws -> Value {
        try value(type, name, expected: expected)
    }

    /// Does the same; nil if it is left out.
    public func nestedIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String, expected: String, orList: Bool = false, about: String)
        throws -> Value? {
        if let notes {
            notes.require(name, .structure(orList: orList), about, ())
            notes.relax(name)
            return nil
        }
        return contains(name) ? try nested(type, name, expected: expected) : nil
    }

    /// Decodes a field. `expected` is evaluated only when it is needed, because journals have thousands of lines.
    private func value<Value: Decodable>(_ type: Value.Type, _ name: String, expected: @autoclosure () -> String) throws
        -> Value {
        switch source {
        case .json(let json, _):
            guard let node = json.reading.field(name, of: json.node) else { throw fault(name, expected(), found: "nothing") }
            do {
                return try json.reading.decoder(of: node).decode(type)
            } catch let fault as Fault {
                throw renamed(fault, json.codingPath)
            } catch {
                throw fault(name, expected(), found: describe(name))
            }
        case .foreign(let container, _):
            do {
                return try container.decode(type, forKey: Key(name))
            } catch let fault as Fault {
                throw renamed(fault, container.codingPath)
            } catch DecodingError.keyNotFound {
                throw fault(name, expected(), found: "nothing")
            } catch {
                // Not only DecodingError: a decoder has errors of its own for numbers it cannot hold.
                throw fault(name, expected(), found: describe(name))
            }
        case .described, .absent:
            throw fault(name, expected(), found: "nothing")
        }
    }

    /// Reads a value of a type that JSON has: a number, a flag or a text.
    private func plain<Value: Decodable>(_ name: String, expected: @autoclosure () -> String, _ read: (JSONReading, Int) -> Value?) throws
        -> Value {
        guard case .json(let json, _) = source else { return try value(Value.self, name, expected: expected()) }
        guard let node = json.reading.field(name, of: json.node) else { throw fault(name, expected(), found: "nothing") }
        guard let value = read(json.reading, node) else { throw fault(name, expected(), found: describe(name)) }
        return value
    }
}
