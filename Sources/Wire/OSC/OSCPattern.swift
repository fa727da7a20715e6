/// An OSC 1.0 address pattern: `?`, `*`, `[…]` and `{…,…}` within the parts between slashes.
struct OSCPattern {
    private let parts: [[Character]]

    init(_ pattern: String) { parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map(Array.init) }

    func matches(_ address: String) -> Bool {
        let words = address.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
        return parts.count == words.count && zip(parts, words).allSatisfy { Self.matches($0[...], $1[...]) }
    }

    private static func matches(_ pattern: ArraySlice<Character>, _ word: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return word.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*":
            // One of several stars in a row is enough, and keeps the search short.
            if rest.first == "*" { return matches(rest, word) }
            return (word.startIndex...word.endIndex).contains { matches(rest, word[$0...]) }
        case "?":
            return !word.isEmpty && matches(rest, word.dropFirst())
        case "[":
            guard let end = rest.firstIndex(of: "]"), let letter = word.first else { return false }
            return isIn(rest[..<end], letter) && matches(rest[(end + 1)...], word.dropFirst())
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return false }
            return rest[..<end].split(separator: ",", omittingEmptySubsequences: false).contains { choice in
                word.starts(with: choice) && matches(rest[(end + 1)...], word.dropFirst(choice.count))
            }
        default:
            return first == word.first && matches(rest, word.dropFirst())
        }
    }

    /// `abc`, `a-c`, and `!` before either for all others.
    private static func isIn(_ set: ArraySlice<Character>, _ letter: Character) -> Bool {
        let isNegated = set.first == "!"
        var letters = isNegated ? set.dropFirst() : set
        var isIn = false
        while let low = letters.popFirst() {
            if letters.first == "-", let high = letters.dropFirst().first {
                letters = letters.dropFirst(2)
                isIn = isIn || (low <= high && (low...high).contains(letter))
            } else {
                isIn = isIn || low == letter
            }
        }
        return isIn != isNegated
    }
}
