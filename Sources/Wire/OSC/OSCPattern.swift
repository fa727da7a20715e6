/// An OSC 1.0 address pattern: `?`, `*`, `[…]` and `{…,…}` within the parts between slashes.
///
/// Matched by following all ways at once, so that the time is the product of both lengths, whatever a stranger writes.
struct OSCPattern {
    private enum Token {
        case letter(Character)
        case any
        case anyNumber
        case set([ClosedRange<Character>], isNegated: Bool)
        case choice([[Character]])
    }

    /// Nil where a bracket is not closed: then nothing matches.
    private let parts: [[Token]]?

    init(_ pattern: String) {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map { Self.tokens(Array($0)[...]) }
        self.parts = parts.contains { $0 == nil } ? nil : parts.compactMap(\.self)
    }

    func matches(_ address: String) -> Bool {
        guard let parts else { return false }
        let words = address.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
        return parts.count == words.count && zip(parts, words).allSatisfy(Self.matches)
    }

    private static func tokens(_ pattern: ArraySlice<Character>) -> [Token]? {
        var tokens: [Token] = []
        var rest = pattern
        while let first = rest.popFirst() {
            switch first {
            case "*": tokens.append(.anyNumber)
            case "?": tokens.append(.any)
            case "[":
                guard let end = rest.firstIndex(of: "]") else { return nil }
                tokens.append(set(rest[..<end]))
                rest = rest[(end + 1)...]
            case "{":
                guard let end = rest.firstIndex(of: "}") else { return nil }
                tokens.append(.choice(rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(Array.init)))
                rest = rest[(end + 1)...]
            default: tokens.append(.letter(first))
            }
        }
        return tokens
    }

    /// `abc`, `a-c`, and `!` before either for all others.
    private static func set(_ letters: ArraySlice<Character>) -> Token {
        let isNegated = letters.first == "!"
        var rest = isNegated ? letters.dropFirst() : letters
        var ranges: [ClosedRange<Character>] = []
        while let low = rest.popFirst() {
            guard rest.first == "-", let high = rest.dropFirst().first else {
                ranges.append(low...low)
                continue
            }
            rest = rest.dropFirst(2)
            if low <= high { ranges.append(low...high) }
        }
        return .set(ranges, isNegated: isNegated)
    }

    private static func matches(_ tokens: [Token], _ word: [Character]) -> Bool {
        // How much of the word may be matched so far.
        var reached: Set<Int> = [0]
        for token in tokens {
            reached = reached.reduce(into: []) { next, place in
                let letter = place < word.count ? word[place] : nil
                switch token {
                case .letter(let wanted): if letter == wanted { next.insert(place + 1) }
                case .any: if letter != nil { next.insert(place + 1) }
                case .anyNumber: next.formUnion(place...word.count)
                case .set(let ranges, let isNegated):
                    if let letter, ranges.contains(where: { $0.contains(letter) }) != isNegated { next.insert(place + 1) }
                case .choice(let choices):
                    for choice in choices where word[place...].starts(with: choice) { next.insert(place + choice.count) }
                }
            }
        }
        return reached.contains(word.count)
    }
}
