import Yams

/// The lines of a YAML file, to find the likely slip in text that cannot be read. Lines and columns are counted from 1.
struct SourceLines {
    private let lines: [Substring]

    init(_ text: String) { lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) }

    subscript(line: Int) -> Substring { lines.indices.contains(line - 1) ? lines[line - 1] : "" }

    var count: Int { lines.count }

    func character(at mark: Mark) -> Character? { self[mark.line][place(of: mark)...].first }

    private func before(_ mark: Mark) -> Substring { self[mark.line][..<place(of: mark)] }

    /// Columns are libyaml's: Unicode scalars.
    private func place(of mark: Mark) -> Substring.Index {
        let line = self[mark.line]
        return line.unicodeScalars.index(line.startIndex, offsetBy: max(0, mark.column - 1), limitedBy: line.endIndex) ?? line.endIndex
    }

    /// The first with something in it, comments aside.
    var first: Int? { (1...max(1, lines.count)).first { hasContent($0) } }

    func hasContent(_ line: Int) -> Bool { self[line].first { !$0.isWhitespace }.map { $0 != "#" } ?? false }

    /// What stands before a key: spaces, and the dash of a list's item.
    func indentation(of line: Int) -> Int {
        var rest = self[line]
        while rest.first == " " || rest.hasPrefix("- ") { rest = rest.dropFirst() }
        return self[line].count - rest.count
    }

    /// Without indentation, comment, and spaces at the end.
    func content(of line: Int) -> Substring {
        var content = self[line].dropFirst(indentation(of: line))
        if let comment = content.firstRange(of: " #") { content = content[..<comment.lowerBound] }
        while content.last?.isWhitespace == true { content = content.dropLast() }
        return content
    }

    /// What a line lacks that should be `key: value`; nil where that is nothing to be seen here.
    func flaw(in line: Int) -> SyntaxFault? {
        if let space = self[line].firstIndex(of: "\u{A0}") {
            let column = self[line][..<space].count + 1
            return SyntaxFault(line: line, column: column, expected: "a space", found: "a no-break space, as in text from a web page")
        }
        let content = content(of: line)
        guard let last = content.last, !"]}\"':".contains(last), !content.contains(": ") else { return nil }
        let words = "\"\(content.prefix(40))\""
        guard let colon = content.firstIndex(of: ":") else {
            return SyntaxFault(line: line, column: indentation(of: line) + 1, expected: "key: value", found: words)
        }
        let column = indentation(of: line) + content[...colon].count + 1
        return SyntaxFault(line: line, column: column, expected: "a space after the colon", found: words)
    }

    /// Of a colon where there can be none.
    func strayColon(at mark: Mark) -> SyntaxFault? {
        if before(mark).contains(": ") {
            return SyntaxFault(line: mark.line, column: mark.column, expected: "quotes around a value with a colon and a space in it")
        }
        guard let above = (1..<max(1, mark.line)).last(where: { hasContent($0) }) else { return nil }
        let (own, usual) = (indentation(of: mark.line), indentation(of: above))
        return flaw(in: above) ?? (own > usual ? wrongIndentation(mark.line, own, "\(usual)", as: "in line \(above)") : nil)
    }

    /// Of something where a key or an item of the list is expected, which begins at `start`.
    func strayContent(at mark: Mark, in start: Mark) -> SyntaxFault? {
        let before = before(mark).last { $0 != " " }
        switch (character(at: mark), before) {
        case (let bracket?, _) where "]}".contains(bracket):
            return SyntaxFault(line: mark.line, column: mark.column, expected: "brackets in pairs", found: "a \(bracket) too many")
        case (_, let quote?) where "\"'".contains(quote):
            return unpaired(quote, before: mark.line)
                ?? SyntaxFault(line: mark.line, column: mark.column, expected: "nothing after the closing quote")
        case ("-"?, nil) where mark.column == start.column:
            return SyntaxFault(line: mark.line, column: mark.column, expected: "a key, as above", found: "a list's item")
        case (_, nil):
            var open: [Int] = []
            for line in (1..<max(1, mark.line)).reversed() where hasContent(line) {
                for start in starts(in: line).reversed() where start < open.last ?? Int.max { open.append(start) }
            }
            let usual = open.reversed().map(String.init).joined(separator: " or ")
            return open.isEmpty ? nil : wrongIndentation(mark.line, mark.column - 1, usual, as: "above")
        default:
            return nil
        }
    }

    /// How much is before each dash of a list's item, and before the key.
    private func starts(in line: Int) -> [Int] {
        let indentation = indentation(of: line)
        return self[line].prefix(indentation).enumerated().filter { $0.element == "-" }.map(\.offset) + [indentation]
    }

    private func wrongIndentation(_ line: Int, _ own: Int, _ usual: String, as place: String) -> SyntaxFault {
        SyntaxFault(line: line, column: own + 1, expected: "\(usual) spaces before it, as \(place)", found: "\(own)")
    }

    /// Of the nearest line, up from `line`, that opens or closes one quote more than the other. An apostrophe in a word is none.
    private func unpaired(_ quote: Character, before line: Int) -> SyntaxFault? {
        let number = (1...max(1, line)).last { number in
            let text = self[number]
            let isOpened = text.first == quote || zip(text, text.dropFirst()).contains { !$0.isLetter && $1 == quote }
            return isOpened && !text.count { $0 == quote }.isMultiple(of: 2)
        }
        guard let number, let first = self[number].firstIndex(of: quote) else { return nil }
        let within = quote == "'" ? "''" : "\\\""
        return SyntaxFault(line: number, column: self[number][..<first].count + 1,
                           expected: "quotes in pairs, and \(within) for one between them", found: "\(self[number].count { $0 == quote })")
    }

    /// Whether every bracket is closed from `mark` on, comments aside.
    func isBalanced(from mark: Mark) -> Bool {
        let own = self[mark.line][place(of: mark)...].prefix { $0 != "#" }
        let rest = ([own] + lines.indices.dropFirst(mark.line).map { content(of: $0 + 1) }).joined(separator: "\n")
        return rest.count { "[{".contains($0) } == rest.count { "]}".contains($0) }
    }
}
