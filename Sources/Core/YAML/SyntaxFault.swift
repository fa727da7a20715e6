import Fields
import Yams

/// What is wrong with text that is no YAML, in words for its author. A parser only says what it expected next.
struct SyntaxFault {
    /// From 1; nil when it is the whole file.
    var line: Int?
    var column: Int?
    var expected: String
    var found: String?

    func located(in file: String) -> FileFault {
        FileFault(file: file, line: line, column: column, fault: Fault(field: "", expected: expected, found: found))
    }
}

extension SyntaxFault {
    /// libyaml's own words are at the end, to be looked up.
    init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
             .composer(let context, let problem, let mark, _):
            self = Self.diagnosis(problem, at: mark, since: context?.mark ?? mark, SourceLines(text))
            let words = " (libyaml: \(problem))"
            if let found { self.found = found + words } else { expected += words }
        case .reader(let problem, let offset, _, _):
            let line = offset.map { text.prefix($0).count { $0.isNewline } + 1 }
            self.init(line: line, expected: "text without control characters (libyaml: \(problem))")
        case .duplicatedKeysInMapping(let keys, let context):
            // The mark is that of the first key's first place.
            self = keys.first.flatMap { SourceLines(text).repetition(of: $0, at: context.mark) }
                ?? SyntaxFault(line: context.mark.line, column: context.mark.column, expected: "each key once",
                               found: "more than one " + keys.joined(separator: ", "))
        default:
            self.init(expected: "YAML", found: "\(error)")
        }
    }

    /// Repetitions of keys that are told at most: each costs a reading of the whole.
    private static let mostRepetitions = 20

    /// What is wrong. Of keys that are there twice it is each: what repeats one is left out, and the rest is read again.
    static func all(_ first: YamlError, in text: String) -> [SyntaxFault] {
        var (error, text, faults) = (first, text, [SyntaxFault(first, in: text)])
        while faults.count < mostRepetitions, case .duplicatedKeysInMapping(let keys, let context) = error {
            let lines = SourceLines(text)
            guard let line = keys.first.flatMap({ lines.repetition(of: $0, at: context.mark) })?.line else { break }
            text = lines.withoutEntry(in: line)
            do {
                _ = try Parser(yaml: text).singleRoot()
                break
            } catch let next as YamlError {
                guard case .duplicatedKeysInMapping = next else { break }
                faults.append(SyntaxFault(next, in: text))
                error = next
            } catch {
                break
            }
        }
        return faults
    }

    /// `mark` is where libyaml gave up, `start` where that began which it was reading.
    private static func diagnosis(_ problem: String, at mark: Mark, since start: Mark, _ lines: SourceLines) -> SyntaxFault {
        func here(_ expected: String, found: String? = nil) -> SyntaxFault {
            SyntaxFault(line: mark.line, column: mark.column, expected: expected, found: found)
        }
        func there(_ expected: String, found: String? = nil) -> SyntaxFault {
            SyntaxFault(line: start.line, column: start.column, expected: expected, found: found)
        }
        let stop = lines.character(at: mark).map { String($0) } ?? "nothing"
        let opening = lines.character(at: start).map { String($0) } ?? ""
        switch problem {
        case "found character that cannot start any token" where stop == "\t", "found a tab character that violates indentation",
             "found a tab character where an indentation space is expected":
            return here("spaces for indentation", found: "a tab")
        case "found character that cannot start any token", "found undefined alias", "found unknown directive name",
             "did not find expected alphabetic or numeric character", "did not find expected comment or line break":
            return there("quotes around what begins with \(opening)")
        case "mapping values are not allowed in this context":
            return lines.strayColon(at: mark) ?? here("YAML")
        case "could not find expected ':'":
            return lines.flaw(in: start.line) ?? there("key: value")
        case "did not find expected key", "did not find expected '-' indicator":
            return lines.strayContent(at: mark, in: start) ?? here("YAML")
        case "found unexpected end of stream", "found unexpected document indicator":
            return there("a \(opening) that closes this one", found: "none")
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            let closing = opening == "{" ? "}" : "]"
            guard lines.isBalanced(from: start) else { return there("a \(closing) for this \(opening)", found: "none") }
            return here("a comma or a \(closing)", found: stop)
        case "did not find expected <document start>":
            guard let first = lines.first else { return here("YAML") }
            let spaces = lines.indentation(of: first)
            if spaces > 0 { return SyntaxFault(line: first, column: 1, expected: "no spaces before the first key", found: "\(spaces)") }
            let content = lines.content(of: first)
            return content.contains(":") ? here("nothing after the end of the keys")
                : SyntaxFault(line: first, column: 1, expected: "key: value", found: "\"\(content.prefix(40))\"")
        case "but found another document":
            return here("one document in a file", found: "another")
        case "found unknown escape character", "did not find expected hexdecimal number", "found invalid Unicode character escape code":
            return here("\\\\ for each backslash between double quotes, or single quotes")
        case "block sequence entries are not allowed in this context":
            return here("a list's item on a line of its own")
        case "did not find expected node content":
            return here("a value", found: stop)
        default:
            return here("YAML")
        }
    }
}
