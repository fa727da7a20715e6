/// A text of one language, in parts.
struct MessageText: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case words(String)
        /// A placeholder's name.
        case value(String)
    }

    let text: String
    let parts: [Part]
    let placeholders: Set<String>

    /// `{{name}}` is a placeholder; braces that are none stay words.
    init(_ text: String) {
        self.text = text
        var parts: [Part] = []
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            if open.lowerBound > rest.startIndex { parts.append(.words(String(rest[..<open.lowerBound]))) }
            parts.append(.value(String(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        self.parts = parts
        placeholders = Set(parts.compactMap { if case .value(let name) = $0 { name } else { nil } })
    }

    /// Nil when a value is missing.
    func filled(_ values: [String: String]) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .words(let words): text += words
            case .value(let name):
                guard let value = values[name] else { return nil }
                text += value
            }
        }
        return text
    }

    /// The text's words without figures and placeholders, in lower case.
    var words: [String] {
        parts.flatMap { part -> [String] in
            guard case .words(let text) = part else { return [] }
            return text.lowercased().map { $0 == "\u{2019}" ? "'" : $0 }
                .split { !$0.isLetter && $0 != "'" }.map { String($0) }
        }
    }

    var skeleton: String { words.joined(separator: " ") }
}

extension Substring {
    /// The first place of a short text in it.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
