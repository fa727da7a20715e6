import Fields

/// A text in each language.
public struct Words: Codable, Equatable, Sendable {
    public var en: String
    public var de: String

    public init(en: String, de: String) {
        self.en = en
        self.de = de
    }
}

// Names that people choose for a household, an app or a pet.
extension Fields {
    /// Reads a name of 1 to `limit` characters on one line. Throws `Fault`.
    public func plainName(_ name: String, limit: Int, about: String = "") throws -> String {
        try Self.plainName(try text(name, limit: limit, about: about), in: name)
    }

    /// Does the same; nil if the field is left out.
    public func plainNameIfPresent(_ name: String, limit: Int, about: String = "") throws -> String? {
        try textIfPresent(name, limit: limit, about: about).map { try Self.plainName($0, in: name) }
    }

    /// Returns `text` as it is. Throws `Fault` where it has characters that do not show, or spaces around it.
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
