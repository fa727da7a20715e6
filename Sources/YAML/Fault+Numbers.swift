import Signals

extension Fault {
    /// The same, and where a number is written as people do and programs do not, what is odd about it.
    public var explained: Fault {
        let isWhole = expected.hasPrefix("a whole number")
        guard isWhole || expected.hasPrefix("a number"), let found, found.hasPrefix("\""), found.hasSuffix("\"") else { return self }
        let text = found.dropFirst().dropLast()
        let minuses: Set<Character> = ["\u{2212}", "\u{2013}"]
        var words: [String] = []
        if text.contains(where: { minuses.contains($0) }) { words.append("a typographic minus, where - is expected") }
        if text.contains(",") { words.append("a comma, where " + (isWhole ? "only digits are expected" : "a decimal point is expected")) }
        let usual = text.map { (character: Character) -> Character in
            if minuses.contains(character) { "-" } else if character == "," { "." } else { character }
        }
        guard !words.isEmpty, Double(String(usual)) != nil else { return self }
        var fault = self
        fault.found = found + " with " + words.joined(separator: ", and ")
        return fault
    }
}
