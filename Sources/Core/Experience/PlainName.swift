import Fields

// Names that people choose: of a household, an app, a pet.
extension Fields {
    /// A name of 1 to `limit` characters on one line. Throws `Fault`.
    public func plainName(_ name: String, limit: Int, about: String = "") throws -> String {
        try Self.plainName(try text(name, limit: limit, about: about), in: name)
    }

    /// The same; nil if it is left out.
    public func plainNameIfPresent(_ name: String, limit: Int, about: String = "") throws -> String? {
        try textIfPresent(name, limit: limit, about: about).map { try Self.plainName($0, in: name) }
    }

    /// `text` as it is. Throws `Fault` where it has characters that do not show, or spaces around it.
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
