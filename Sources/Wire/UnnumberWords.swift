/// What people write for numbers that are none, and JSON has no word for.
enum UnnumberWords {
    private static let words = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

    /// The line with these words as text, where they are not in text already.
    static func quoted(in line: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var result: [UInt8] = []
        var isText = false
        var rest = line[...]
        while let byte = rest.first {
            if !isText, let word = words.first(where: { rest.starts(with: $0) }) {
                result += [quote] + word + [quote]
                rest = rest.dropFirst(word.count)
                continue
            }
            // A backslash takes the next byte with it.
            let count = isText && byte == UInt8(ascii: "\\") ? min(2, rest.count) : 1
            if byte == quote { isText.toggle() }
            result += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return result
    }
}
