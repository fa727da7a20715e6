import Fields

/// The words of a line of a scenario. Spaces separate them, and `#` begins a comment, but not between quotes.
///
/// Double quotes are JSON's own, and stay: a value in them is text. Single quotes are the shell's: what is between them is as it stands.
/// They open only at the start of a word or right after its `=`, so that an apostrophe in a word is one.
struct QuotedWords {
    private(set) var words: [String] = []

    /// Throws `Fault` for quotes that are not closed.
    init(_ line: some StringProtocol) throws(Fault) {
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for character in line.unicodeScalars {
            if let open = quote {
                if open == "'", character == "'" {
                    quote = nil
                } else {
                    word = (word ?? "") + String(character)
                    if open == "\"", character == "\"", !isEscaped { quote = nil }
                }
                isEscaped = character == "\\" && !isEscaped
            } else if character.properties.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == "#" {
                break
            } else if character == "'", word == nil || word?.unicodeScalars.last == "=" {
                quote = character
                word = word ?? ""
            } else {
                word = (word ?? "") + String(character)
                if character == "\"" { quote = character }
                isEscaped = false
            }
        }
        if let quote { throw Fault(field: word ?? "", expected: "a \(quote) that closes this one", found: "none") }
        if let word { words.append(word) }
    }
}
