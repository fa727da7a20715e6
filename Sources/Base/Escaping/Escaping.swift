/// Makes text safe for terminals, scalar by scalar. Such text is not trusted: anybody may name a device, or mark a journal.
extension String {
    /// The text as one line, with `·` in place of each scalar that a terminal would obey: control characters (C0 and C1, which begin escape
    /// sequences), line and paragraph separators, and marks that change the direction of writing.
    public var printable: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyed ? "·" : $0 }))
    }

    /// The text with `·` in place of each scalar that a terminal would obey, except line feeds, which stay.
    public var printableLines: String {
        guard unicodeScalars.contains(where: { $0.isObeyed && $0 != "\n" }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isObeyed && $0 != "\n" ? "·" : $0 }))
    }

    /// The text, which is JSON, with each scalar that a terminal would obey as a `\u` escape. JSON parsers read the same values from it.
    public var printableJSON: String {
        guard unicodeScalars.contains(where: { $0.isObeyed && $0 != "\n" }) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isObeyed, scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                result.append(contentsOf: ("\\u" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The number of columns that the text takes in a terminal: two for an emoji or a wide character of East Asia (UAX #11, UTS #51), none
    /// for a mark or a joiner that stands alone, one for any other character.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the text, filled up with spaces at its end to at least `width` columns.
    public func padded(to width: Int) -> String { self + String.spaces(width - columns) }

    /// Returns the text, filled up with spaces in front to at least `width` columns.
    public func alignedRight(to width: Int) -> String { String.spaces(width - columns) + self }

    /// Returns the longest beginning of the text that fits into `width` columns.
    public func start(to width: Int) -> String {
        var left = width
        return String(prefix { character in
            left -= character.columns
            return left >= 0
        })
    }

    /// Returns `count` spaces; none for a negative number.
    public static func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(0, count)) }
}

extension Character {
    /// The number of columns that the character takes in a terminal; see `String.columns`.
    public var columns: Int {
        let isMark = unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: true
            default: false
            }
        }
        if isMark { return 0 }
        return unicodeScalars.contains { $0.isWide || $0 == "\u{FE0F}" } ? 2 : 1
    }
}

extension Unicode.Scalar {
    fileprivate var isObeyed: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }

    /// Whether the scalar is an emoji, or in a block whose East Asian width is W or F (UAX #11).
    fileprivate var isWide: Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
             0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x2_0000...0x3_FFFD: true
        default: properties.isEmojiPresentation
        }
    }
}

/// Writes lines of CSV (RFC 4180). The text is treated by Unicode scalars, not by characters: a comma with a combining mark behind it is
/// one `Character`, in which a reader of CSV still finds a comma.
public enum CSV {
    /// Joins cells, which the caller has escaped, and ends the line.
    public static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

    /// Returns `text` as a cell. Text that a spreadsheet would run as a formula gets an apostrophe in front, by which spreadsheets know
    /// plain text (OWASP, CSV injection). A formula that already has apostrophes in front gets one more, so that readers who remove one
    /// apostrophe get every text back. A hyphen alone is no formula. Do not pass numbers through this function: they are written as they
    /// are.
    public static func text(_ text: String) -> String {
        let isFormula = text != "-" && text.unicodeScalars.first { $0 != "'" }.map(startsFormula) ?? false
        let cell = isFormula ? "'" + text : text
        guard cell.unicodeScalars.contains(where: needsQuotes) else { return cell }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static func needsQuotes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ",", "\"", "\r", "\n": true
        default: false
        }
    }

    private static func startsFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\t", "\r", "\n": true
        // The full-width forms of these signs, which East Asian spreadsheets accept as well.
        case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}

/// Escapes text for XML 1.0 (fifth edition), scalar by scalar.
public enum XML {
    /// Returns `text` in a form that may stand between tags, or between the double quotes of an attribute. Tabs and line ends become
    /// character references, which parsers do not normalize. A scalar that XML does not allow becomes U+FFFD.
    public static func escaped(_ text: String) -> String {
        // A quick way out: most words of a drawing have nothing to escape.
        guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let replacement = replacement(for: scalar) {
                result.append(contentsOf: replacement.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the text that must replace `scalar`; nil for a scalar that may stand as it is (by section 2.2 of the recommendation,
    /// "Characters").
    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "\t": "&#9;"
        case "\n": "&#10;"
        case "\r": "&#13;"
        case " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}": nil
        default: "\u{FFFD}"
        }
    }
}
