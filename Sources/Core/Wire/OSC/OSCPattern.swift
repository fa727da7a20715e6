import Fields

/// An address pattern of OSC 1.0. Within the parts between slashes it may have `?`, `*`, `[…]` and `{…,…}`.
///
/// Matching follows all alternatives at once. So it takes at most as many steps as the product of both lengths, whatever a sender writes.
/// Addresses are ASCII, so bytes are compared.
struct OSCPattern {
    private enum Token {
        case letter(UInt8)
        case any
        case anyNumber
        case set([ClosedRange<UInt8>], isNegated: Bool)
        case choice([ArraySlice<UInt8>])
    }

    /// The number of steps that matching may still take. A step compares one letter of a pattern with one letter of an address.
    struct Budget {
        private(set) var left: Int

        mutating func spend(_ steps: Int) throws(Fault) {
            guard steps <= left else {
                throw Fault(field: "address", expected: "patterns that are simpler, or fewer of them, in a datagram")
            }
            left -= steps
        }
    }

    /// The tokens of each part of the pattern; nil where a bracket is not closed, because such a pattern matches nothing.
    private let parts: [[Token]]?

    init(_ pattern: String) {
        let parts = Array(pattern.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Self.tokens)
        self.parts = parts.contains { $0 == nil } ? nil : parts.compactMap(\.self)
    }

    /// Whether the pattern matches an address. `words` are the address's parts between slashes, each of at most 62 bytes. Throws when
    /// matching takes more steps than are left in the budget.
    func matches(_ words: [[UInt8]], _ budget: inout Budget) throws(Fault) -> Bool {
        guard let parts, parts.count == words.count else { return false }
        for (part, word) in zip(parts, words) {
            guard try Self.matches(part, word, &budget) else { return false }
        }
        return true
    }

    private static func tokens(_ pattern: ArraySlice<UInt8>) -> [Token]? {
        var tokens: [Token] = []
        var rest = pattern
        while let first = rest.popFirst() {
            switch first {
            case UInt8(ascii: "*"): tokens.append(.anyNumber)
            case UInt8(ascii: "?"): tokens.append(.any)
            case UInt8(ascii: "["):
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
                tokens.append(set(rest[..<end]))
                rest = rest[(end + 1)...]
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
                tokens.append(.choice(rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)))
                rest = rest[(end + 1)...]
            default: tokens.append(.letter(first))
            }
        }
        return tokens
    }

    /// Parses the inside of brackets: `abc` or `a-c`, or with `!` in front all other letters.
    private static func set(_ letters: ArraySlice<UInt8>) -> Token {
        let isNegated = letters.first == UInt8(ascii: "!")
        var rest = isNegated ? letters.dropFirst() : letters
        var ranges: [ClosedRange<UInt8>] = []
        while let low = rest.popFirst() {
            guard rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first else {
                ranges.append(low...low)
                continue
            }
            rest = rest.dropFirst(2)
            if low <= high { ranges.append(low...high) }
        }
        return .set(ranges, isNegated: isNegated)
    }

    private static func matches(_ tokens: [Token], _ word: [UInt8], _ budget: inout Budget) throws(Fault) -> Bool {
        /// Bit n is set when the tokens so far can match the first n letters.
        var reached: UInt64 = 1
        let whole: UInt64 = 1 << UInt64(word.count)
        for token in tokens where reached != 0 {
            try budget.spend(1 + word.count)
            switch token {
            case .letter(let wanted): reached = (reached & bits(word) { $0 == wanted }) << 1
            case .any: reached = (reached & (whole - 1)) << 1
            // Sets the lowest bit that is set, and all bits above it.
            case .anyNumber: reached = ~((reached & (~reached + 1)) - 1) & (whole | (whole - 1))
            case .set(let ranges, let isNegated):
                try budget.spend(ranges.count * word.count)
                reached = (reached & bits(word) { letter in ranges.contains { $0.contains(letter) } != isNegated }) << 1
            case .choice(let choices):
                var next: UInt64 = 0
                for choice in choices {
                    try budget.spend(1 + word.count)
                    guard choice.count <= word.count else { continue }
                    for index in 0...(word.count - choice.count) where reached & (1 << UInt64(index)) != 0 {
                        try budget.spend(choice.count)
                        if word[index...].starts(with: choice) { next |= 1 << UInt64(index + choice.count) }
                    }
                }
                reached = next
            }
        }
        return reached & whole != 0
    }

    /// Returns a set of bits: bit n is set when `isWanted` accepts letter n.
    private static func bits(_ word: [UInt8], _ isWanted: (UInt8) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for (index, letter) in word.enumerated() where isWanted(letter) { bits |= 1 << UInt64(index) }
        return bits
    }
}
