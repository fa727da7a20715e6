import Yams

// A key that a mapping has twice.
extension SourceLines {
    /// The second `key` of a mapping that has its first at `first`. Nil where it cannot be found, as within braces on one line.
    func repetition(of key: String, at first: Mark) -> SyntaxFault? {
        let column = first.column - 1
        for line in first.line + 1..<max(first.line + 1, count + 1) where hasContent(line) {
            // A line further left, or another item of a list, ends the mapping.
            guard self[line].prefix(column).allSatisfy({ $0 == " " }) else { return nil }
            guard indentation(of: line) == column, isKey(key, of: content(of: line)) else { continue }
            return SyntaxFault(line: line, column: first.column, expected: "each key once",
                               found: "\(key) again, which is in line \(first.line) already")
        }
        return nil
    }

    /// The text with nothing but empty lines where a key is, and what belongs to it.
    func withoutEntry(in line: Int) -> String {
        let column = indentation(of: line)
        let next = (line + 1..<max(line + 1, count + 1)).first { hasContent($0) && !self[$0].prefix(column + 1).allSatisfy { $0 == " " } }
        return (1...count).map { (line..<(next ?? count + 1)).contains($0) ? "" : self[$0] }.joined(separator: "\n")
    }

    private func isKey(_ key: String, of content: Substring) -> Bool {
        ["", "'", "\""].contains { quote in
            let start = quote + key + quote
            return content.hasPrefix(start) && content.dropFirst(start.count).first { $0 != " " } == ":"
        }
    }
}
