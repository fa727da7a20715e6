import Foundation

/// Text in the repository that is made out of the sources. With `THRUMDEV_DOCS=write`, as `make docs` has it, it is written before it is
/// compared.
public enum GeneratedText {
    /// Whether the file at `path` of the repository is `text`.
    public static func isWritten(_ text: String, in path: String) throws -> Bool {
        let path = repository + "/" + path
        if ProcessInfo.processInfo.environment["THRUMDEV_DOCS"] == "write" { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        return try String(contentsOfFile: path, encoding: .utf8) == text
    }

    /// Whether `text` is what stands between the lines `<!-- NAME: … -->` and `<!-- NAME end -->`. Throws where the file lacks them.
    public static func isWritten(_ text: String, in path: String, at name: String) throws -> Bool {
        let page = try String(contentsOfFile: repository + "/" + path, encoding: .utf8)
        guard let begin = page.range(of: "<!-- \(name): [^\n]*-->\n", options: .regularExpression)?.upperBound,
              let end = page.range(of: "<!-- \(name) end -->\n")?.lowerBound, begin <= end else { throw NoMarks(path: path, name: name) }
        return try isWritten(page.replacingCharacters(in: begin..<end, with: text), in: path)
    }

    struct NoMarks: Error {
        var path: String
        var name: String
    }
}
