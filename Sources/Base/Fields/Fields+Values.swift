import JSON

// The functions that read single fields.
extension Fields {
    public func number(_ name: String, in range: ClosedRange<Double>, unit: String? = nil, about: String = "") throws -> Double {
        if let notes { return notes.require(name, .number(range, unit: unit), about, range.lowerBound) }
        if wasRemoved(name) { return range.lowerBound }
        let value = try plain(name, expected: Self.words(for: range, unit: unit)) { $0.number($1) }
        guard range.contains(value) else { throw fault(name, Self.words(for: range, unit: unit), found: Fault.plain(value)) }
        return value
    }

    /// Returns the `expected` of a fault for a number outside `range`. `unit` is nil for a number without a unit.
    public static func words(for range: ClosedRange<Double>, unit: String?) -> String {
        "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))" + (unit.map { " (\($0))" } ?? "")
    }

    public func numberIfPresent(_ name: String, in range: ClosedRange<Double>, unit: String? = nil, about: String = "") throws -> Double? {
        try optional(name) { try number(name, in: range, unit: unit, about: about) }
    }

    /// Reads any number, and clamps it to `range`; nil if the field is missing. Throws `Fault` for a value that is no number.
    public func numberIfPresent(_ name: String, clampedTo range: ClosedRange<Double>, about: String = "") throws -> Double? {
        if notes != nil { return try numberIfPresent(name, in: range, about: about) }
        guard contains(name) else { return nil }
        let value = try plain(name, expected: "a number") { $0.number($1) }
        guard !value.isNaN else { throw fault(name, "a number", found: "nan") }
        return max(range.lowerBound, min(range.upperBound, value))
    }

    public func integer(_ name: String, in range: ClosedRange<Int>, unit: String? = nil, about: String = "") throws -> Int {
        if let notes { return notes.require(name, .integer(range, unit: unit), about, range.lowerBound) }
        if wasRemoved(name) { return range.lowerBound }
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
        if wasRemoved(name) { return false }
        return try plain(name, expected: "true or false") { $0.flag($1) }
    }

    public func flagIfPresent(_ name: String, about: String = "") throws -> Bool? { try optional(name) { try flag(name, about: about) } }

    /// Reads text of 1 to `limit` characters, or throws `Fault`. Each character may have at most 64 bytes, and the text at most 8 ·
    /// `limit`: longer characters would be valid Unicode, but slow to compare.
    public func text(_ name: String, limit: Int = 256, about: String = "") throws -> String {
        if let notes { return notes.require(name, .text(limit: limit), about, "text") }
        if wasRemoved(name) { return "text" }
        func expected() -> String { "text of 1 to \(limit) characters" }
        let value = try plain(name, expected: expected()) { $0.string($1) }
        if let found = Self.excess(of: value, limit: limit) { throw fault(name, expected(), found: found) }
        return value
    }

    /// Returns, in words, why the function `text` with this `limit` would refuse `value`; nil if it would accept `value`.
    public static func excess(of value: String, limit: Int = 256) -> String? {
        let bytes = value.utf8.count
        guard bytes <= 8 * limit else { return "\(bytes) bytes" }
        let count = hasPlainCharacters(value) ? bytes : value.count
        guard (1...limit).contains(count) else { return "\(count) characters" }
        return bytes == count || value.allSatisfy { $0.utf8.count <= 64 } ? nil : "a character of more than 64 bytes"
    }

    public func textIfPresent(_ name: String, limit: Int = 256, about: String = "") throws -> String? {
        try optional(name) { try text(name, limit: limit, about: about) }
    }

    // Inlinable, so that it is compiled for each type of choice. A generic function would look the type up in each call, which costs more
    // than reading.
    @inlinable public func choice<Choice>(_ name: String, about: String = "") throws -> Choice
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        let word = try word(name, about: about) { Choice.allCases.map { $0.rawValue } }
        guard let choice = Choice(rawValue: word) else { throw fault(name, word: word, Choice.allCases.map { $0.rawValue }) }
        return choice
    }

    /// Reads a short ASCII word, or throws `Fault`. The caller checks whether it is one of `choices`, which must be short ASCII texts.
    @usableFromInline func word(_ name: String, about: String, of choices: () -> [String]) throws -> String {
        if let notes {
            let choices = choices()
            return notes.require(name, .choice(choices), about, choices[notes.choices[name] ?? 0])
        }
        if wasRemoved(name) { return choices()[0] }
        let word = try plain(name, expected: Self.words(for: choices())) { $0.string($1) }
        guard Self.isShortASCII(word) else { throw fault(name, word: word, choices()) }
        return word
    }

    @usableFromInline func fault(_ name: String, word: String, _ choices: [String]) -> Fault {
        fault(name, Self.words(for: choices), found: quoted(word))
    }

    private static func words(for choices: [String]) -> String { "one of " + choices.joined(separator: ", ") }

    /// Reads a text that must be one of `choices`, or throws `Fault`. The choices must be short ASCII texts.
    public func choice(_ name: String, of choices: [String], about: String = "") throws -> String {
        if let notes { return notes.require(name, .choice(choices), about, choices.isEmpty ? "" : choices[notes.choices[name] ?? 0]) }
        if let first = choices.first, wasRemoved(name) { return first }
        func expected() -> String { choices.isEmpty ? "nothing, because there is no choice" : "one of " + choices.joined(separator: ", ") }
        let value = try value(String.self, name, expected: expected())
        guard let index = Self.index(of: value, among: choices) else {
            throw fault(name, expected(), found: quoted(value) + Spelling.hint(for: value, among: choices))
        }
        return choices[index]
    }

    @inlinable public func choiceIfPresent<Choice>(_ name: String, about: String = "") throws -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        try optional(name) { try choice(name, about: about) as Choice }
    }

    /// Reads a list whose elements must be among `choices`, which must be short ASCII texts; nil if the field is missing. Throws `Fault`.
    public func choicesIfPresent(_ name: String, of choices: [String], about: String = "") throws -> [String]? {
        try optional(name) {
            if let notes { return notes.require(name, .choices(choices), about, []) }
            let expected = "a list of " + choices.joined(separator: ", ")
            return try value([String].self, name, expected: expected).map { word in
                guard let index = Self.index(of: word, among: choices) else { throw fault(name, stray: word, expected, choices) }
                return choices[index]
            }
        }
    }

    /// Returns the elements of field `name`; nil when the field holds no list of such elements.
    public func list<Element: Decodable>(_ name: String, of type: Element.Type) -> [Element]? {
        try? container?.decode([Element].self, forKey: Key(name))
    }

    /// Returns the objects of the list in field `name`; nil if the field is missing. Throws `Fault` where the value is no list.
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

    /// Returns what `read` makes of field `name`; nil if the field is missing.
    @inlinable func optional<Value>(_ name: String, _ read: () throws -> Value) rethrows -> Value? {
        guard isThere(name) else { return nil }
        let value = try read()
        relax(name)
        return value
    }

    /// Whether a reader should read the field. It should if the field is present, and always while it only runs to describe its fields.
    @usableFromInline func isThere(_ name: String) -> Bool { if case .described = source { true } else { contains(name) } }

    /// Marks the field as optional in the descriptions, when the reader runs to describe its fields.
    @usableFromInline func relax(_ name: String) { if case .described(let notes) = source { notes.relax(name) } }

    /// Reads a value by its own `Decodable` code. The field is described as `kind`. `example` is returned where there is no value to read.
    public func nested<Value: Decodable>(_ name: String, as kind: FieldDescription.Kind, like example: Value, expected: String) throws
        -> Value {
        if let notes { return notes.require(name, kind, "", example) }
        if wasRemoved(name) { return example }
        return try value(Value.self, name, expected: expected)
    }

    /// Reads a value by its own `Decodable` code, whose faults carry the whole path already.
    public func nested<Value: Decodable>(_ type: Value.Type, _ name: String, expected: String) throws -> Value {
        try value(type, name, expected: expected)
    }

    /// Reads a value by its own `Decodable` code; nil if the field is missing.
    public func nestedIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String, expected: String, orList: Bool = false, about: String)
        throws -> Value? {
        if let notes {
            notes.require(name, .structure(orList: orList), about, ())
            notes.relax(name)
            return nil
        }
        return contains(name) ? try nested(type, name, expected: expected) : nil
    }

    /// Decodes a field. `expected` is evaluated only for a fault, because journals have thousands of lines.
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
                // Other errors than DecodingError count too: a decoder throws its own for a number that the type cannot hold.
                throw fault(name, expected(), found: describe(name))
            }
        case .described, .absent:
            throw fault(name, expected(), found: "nothing")
        }
    }

    /// Reads a number, a flag or a text: a value that needs no decoder where the source is JSON.
    private func plain<Value: Decodable>(_ name: String, expected: @autoclosure () -> String, _ read: (JSONReading, Int) -> Value?) throws
        -> Value {
        guard case .json(let json, _) = source else { return try value(Value.self, name, expected: expected()) }
        guard let node = json.reading.field(name, of: json.node) else { throw fault(name, expected(), found: "nothing") }
        guard let value = read(json.reading, node) else { throw fault(name, expected(), found: describe(name)) }
        return value
    }
}
