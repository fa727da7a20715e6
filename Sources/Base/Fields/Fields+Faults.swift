extension Fields {
    /// The path of this object in the whole input. It is computed only for a fault, because it costs more than reading a field.
    private var parent: String {
        switch source {
        case .json(let json, let hasPath): hasPath ? Self.path(json.codingPath) : ""
        case .foreign(_, let decoder): decoder.map { Self.path($0.codingPath) } ?? ""
        case .described, .absent: ""
        }
    }

    public func fault(_ name: String, _ expected: String, found: String? = nil) -> Fault {
        Fault(field: path(of: name), expected: expected, found: found)
    }

    /// Returns the fault for `word`, an element of the list in field `name` that is not one of `choices`. If a choice is spelled nearly
    /// like `word`, the fault suggests only that choice, because people would overlook it in a long list.
    func fault(_ name: String, stray word: String, _ expected: String, _ choices: [String]) -> Fault {
        let nearest = Spelling.nearest(to: word, among: choices)
        return fault(name, nearest.map { "a list such as [\"\($0)\"]" } ?? expected,
                     found: quoted(word) + (nearest.map { " (did you mean \($0)?)" } ?? ""))
    }

    /// Returns `fault` with the path that the reader of this object uses. A value with its own `Decodable` code names its fields by the
    /// path from the top of the input, which may be longer.
    func renamed(_ fault: Fault, _ keys: [any CodingKey]) -> Fault {
        let path = Self.path(keys) + "."
        guard path != parent + ".", fault.field.hasPrefix(path) else { return fault }
        return Fault(field: self.path(of: String(fault.field.dropFirst(path.count))), expected: fault.expected, found: fault.found)
    }

    /// Returns a description of the value in field `name`, for the `found` of a fault.
    func describe(_ name: String) -> String {
        guard let container else { return "nothing" }
        let key = Key(name)
        if (try? container.decodeNil(forKey: key)) == true { return "null" }
        if let text = try? container.decode(String.self, forKey: key) { return quoted(text) }
        if let flag = try? container.decode(Bool.self, forKey: key) { return "\(flag)" }
        if let number = try? container.decode(Double.self, forKey: key) { return Fault.plain(number) }
        if (try? container.nestedUnkeyedContainer(forKey: key)) != nil { return "a list" }
        if (try? container.nestedContainer(keyedBy: Key.self, forKey: key)) != nil { return "an object" }
        return "a number out of bounds"
    }

    /// Returns the path of field `name`.
    public func path(of name: String) -> String {
        let parent = parent
        return parent.isEmpty ? name : parent + "." + name
    }

    public static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

/// Returns the first 40 characters of `text` in quotes, with `…` where there are more. They are not counted, because text from outside
/// may be very long.
func quoted(_ text: String) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(160)))
    let isWhole = start.utf8.count == text.utf8.count && start.count <= 40
    return "\"" + (isWhole ? text[...] : start.prefix(40) + "…") + "\""
}

// What the caller of a decoder can ask of the readers, through the decoder's `userInfo`.
extension Fields {
    /// Returns the paths of all unknown fields (strangers), which are not among `known`, in alphabetical order. It is empty unless the
    /// decoder's `userInfo` has `strangersWanted`, because finding unknown fields costs more than reading the known ones.
    public func strangers(to known: [String]) -> [String] {
        guard wantsStrangers else { return [] }
        let strangers = (container?.allKeys ?? []).map(\.stringValue).filter { !known.contains($0) }.sorted()
        return strangers.map(path(of:))
    }

    /// Returns one text, the path of field `name` and its unknown value `text`; empty unless the decoder's `userInfo` has
    /// `strangersWanted`.
    public func stranger(_ name: String, _ text: String) -> [String] { wantsStrangers ? [path(of: name) + " \(text)"] : [] }

    private var wantsStrangers: Bool {
        if case .foreign(_, let decoder?) = source { decoder.userInfo[.strangersWanted] != nil } else { false }
    }

    /// Whether field `name` was removed because it is wrong, so that its reader must go on with some valid value in its place.
    func wasRemoved(_ name: String) -> Bool {
        guard case .foreign(_, let decoder?) = source,
              let removedFields = decoder.userInfo[.removedFields] as? RemovedFields else { return false }
        return !contains(name) && removedFields.take(path(of: name))
    }
}

/// The paths of fields that were removed because they are wrong or missing. In their place, the readers of numbers, flags, texts and
/// choices go on with some valid value, so that they find further faults in the same object. The result of such a reading must be thrown
/// away.
public final class RemovedFields {
    public private(set) var fields: Set<String> = []
    /// The members of `fields` that a reader has asked for, and in whose place it went on with another valid value.
    public private(set) var taken: Set<String> = []

    public init() {}

    /// Adds a field. Returns false where `fields` contains it already.
    public func insert(_ field: String) -> Bool { fields.insert(field).inserted }

    fileprivate func take(_ field: String) -> Bool {
        guard fields.contains(field) else { return false }
        taken.insert(field)
        return true
    }
}

extension CodingUserInfoKey {
    /// The key of a decoder's `userInfo` that asks for the paths of unknown fields; any value will do.
    public static let strangersWanted = key("strangersWanted")

    /// The key of a decoder's `userInfo` for the `RemovedFields` with which a decoder looks for further faults.
    public static let removedFields = key("removedFields")

    private static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("any text is a key") }
        return key
    }
}

// Fields whose text is a value in a notation of its own, for instance a time.
extension Fields {
    /// Returns what `parse` makes of the text in field `name`. Any fault says `expected`, which describes such texts. `example` is a text
    /// that `parse` accepts; it takes the place of a wrong text while further faults are looked for.
    public func parsed<Value>(_ name: String, like example: String? = nil, expected: String, _ parse: (String) -> Value?) throws -> Value {
        if let example, wasRemoved(name), let value = parse(example) { return value }
        let text: String
        do {
            text = try self.text(name)
        } catch let fault as Fault {
            throw Fault(field: fault.field, expected: expected, found: fault.found)
        }
        guard let value = parse(text) else { throw fault(name, expected, found: "\"\(text)\"") }
        return value
    }
}
