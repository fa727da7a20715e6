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
