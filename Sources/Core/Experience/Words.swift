import Fields

/// A text in English and in German.
public struct Words: Codable, Equatable, Sendable {
    public var en: String
    public var de: String

    public init(en: String, de: String) {
        self.en = en
        self.de = de
    }
}

// Reading names that people choose for a household, an app or a pet.
extension Fields {
    /// Reads a name of 1 to `limit` characters on one line. Throws `Fault`.
    public func plainName(_ name: String, limit: Int, about: String = "") throws -> String {
        try Self.plainName(try text(name, limit: limit, about: about), in: name)
    }

    /// Reads a name as `plainName` does; nil if the field is missing.
    public func plainNameIfPresent(_ name: String, limit: Int, about: String = "") throws -> String? {
        try textIfPresent(name, limit: limit, about: about).map { try Self.plainName($0, in: name) }
    }

    /// Returns `text` unchanged. Throws `Fault` where it contains invisible characters, or begins or ends with a space.
    public static func plainName(_ text: String, in field: String) throws -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        guard isPlain, text.first?.isWhitespace == false, text.last?.isWhitespace == false else {
            throw Fault(field: field, expected: "a name on one line, without spaces around it")
        }
        return text
    }
}
