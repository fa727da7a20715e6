/// Escapes for XML 1.0 (fifth edition), by scalars.
public enum XML {
    /// Returns `text` as it may stand between tags and between the double quotes of an attribute. White space other than the space comes as
    /// references, which no reader normalizes. A scalar that XML has no place for becomes U+FFFD.
    public static func escaped(_ text: String) -> String {
        // Most words of a drawing have nothing to escape.
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

    /// Returns what replaces a scalar; nil for one that may stand as it is. Section 2.2 of the recommendation, "Characters", says which
    /// may.
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
