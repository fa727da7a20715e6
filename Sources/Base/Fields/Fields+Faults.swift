extension Fields {
    /// The path of this object as its reader knows it. Worked out only for a fault: it costs more than reading a field.
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

    /// Of a word in a list that is none of `choices`. A long list of them would hide the one that was meant.
    func fault(_ name: String, stray word: String, _ expected: String, _ choices: [String]) -> Fault {
        let nearest = Spelling.nearest(to: word, among: choices)
        return fault(name, nearest.map { "a list such as [\"\($0)\"]" } ?? expected,
                     found: quoted(word) + (nearest.map { " (did you mean \($0)?)" } ?? ""))
    }

    /// What reads itself names its fields by the whole path; the reader of this object may know it by a shorter one.
    func renamed(_ fault: Fault, _ keys: [any CodingKey]) -> Fault {
        let path = Self.path(keys) + "."
        guard path != parent + ".", fault.field.hasPrefix(path) else { return fault }
        return Fault(field: self.path(of: String(fault.field.dropFirst(path.count))), expected: fault.expected, found: fault.found)
    }

    /// What the field holds instead.
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

    /// The path of field `name`.
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

/// The first 40 characters. What is cut off is not counted: a stranger's text may be long.
func quoted(_ text: String) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(160)))
    let isWhole = start.utf8.count == text.utf8.count && start.count <= 40
    return "\"" + (isWhole ? text[...] : start.prefix(40) + "…") + "\""
}
