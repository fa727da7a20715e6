/// Writes lines of CSV (RFC 4180). All of it goes by scalars: a combining mark behind a comma makes one character of both for people, and
/// leaves a comma for readers.
public enum CSV {
    /// Joins cells, which are escaped already, and ends the line.
    public static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

    /// Returns `text` as a cell. Text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets take for
    /// "this is text" (OWASP, CSV injection). Text that begins with apostrophes and such a sign gets one more: a reader that takes one
    /// apostrophe from what begins so has each text back. A hyphen alone is no formula. Numbers are cells as they are, and do not go
    /// through here.
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
        // Their wide forms, which spreadsheets of East Asia take for them.
        case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }
}
