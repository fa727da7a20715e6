import Fields

extension Fault {
    /// The same in YAML's words, with a hint where the text is a usual slip.
    public var explained: Fault {
        if expected == "an object" { return Fault(field: field, expected: "a mapping of keys to values", found: found) }
        return isOfStranger ? explainedStranger : explainedNumber
    }

    /// Text that looks like a key because a space is missing, or because of a comma.
    private var explainedStranger: Fault {
        let name = field.split(separator: ".").last ?? ""
        var fault = self
        if name.contains(":") {
            fault.found = "no space after its colon"
        } else if !name.isEmpty, name.allSatisfy(\.isNumber) {
            fault.found = "what follows a comma (a number has a decimal point)"
        }
        return fault
    }

    private var explainedNumber: Fault {
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
