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
