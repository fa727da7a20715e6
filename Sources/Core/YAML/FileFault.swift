import Fields
import Yams

/// A fault in a file, with its place in that file.
public struct FileFault: Error, Equatable, Sendable {
    public var file: String
    /// The line, counted from 1; nil when the whole file is at fault.
    public var line: Int?
    /// The column, counted from 1 in characters; nil when the whole line is at fault.
    public var column: Int?
    public var fault: Fault
    /// Further faults that the same reading found, ordered by file, line, column and field.
    public private(set) var others: [FileFault] = []

    public init(file: String, line: Int? = nil, column: Int? = nil, fault: Fault) {
        self.file = file
        self.line = line
        self.column = column
        self.fault = fault
    }

    /// Joins `faults` into one: the first has all the others. nil if `faults` is empty.
    public init?(_ faults: [FileFault]) {
        let sorted = faults.flatMap(\.all).sorted()
        guard let first = sorted.first else { return nil }
        self = first
        others = Array(sorted.dropFirst())
    }

    /// All faults of this reading: this fault, and then `others`. Each of them comes without others of its own.
    public var all: [FileFault] {
        var own = self
        own.others = []
        return [own] + others
    }
}

extension FileFault: CustomStringConvertible {
    /// One line of text for each fault, for instance `thrum.yaml:12: rate: expected a whole number from 8000 to 192000 (Hz), found "5"`.
    public var description: String {
        let location = [file] + [line, column].compactMap { $0 }.map { "\($0)" }
        let own = location.joined(separator: ":") + ": \(fault)"
        return ([own] + others.map(\.description)).joined(separator: "\n")
    }
}

extension FileFault: Comparable {
    /// Orders faults by file, line, column and field.
    public static func < (a: FileFault, b: FileFault) -> Bool {
        (a.file, a.line ?? 0, a.column ?? 0, a.fault.field) < (b.file, b.line ?? 0, b.column ?? 0, b.fault.field)
    }
}

extension FileFault {
    /// Creates the fault for a `text` that is not YAML. Common slips are explained in plain words, other errors in libyaml's words.
    init(file: String, _ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
             .composer(let context, let problem, let mark, _):
            let slip = Self.slips[problem]
            let start = context?.mark ?? mark
            let location = slip?.isAtStart == true ? start : mark
            var words = problem
            if let context, context.text.hasPrefix("while") {
                words += " \(context.text)" + (start.line == location.line ? "" : " from line \(start.line)")
            }
            let fault = Fault(field: "", expected: "\(slip?.expected ?? "YAML") (libyaml: \(words))")
            self.init(file: file, line: location.line, column: location.column, fault: fault)
        case .reader(let problem, let offset, _, _):
            let fault = Fault(field: "", expected: "text without control characters (libyaml: \(problem))")
            self.init(file: file, line: offset.map { text.prefix($0).count { $0.isNewline } + 1 }, fault: fault)
        case .duplicatedKeysInMapping(let keys, let context):
            // The mark is the place where the first of these keys stands first.
            let fault = Fault(field: "", expected: "each key once", found: keys.joined(separator: ", ") + " again further down")
            self.init(file: file, line: context.mark.line, column: context.mark.column, fault: fault)
        default:
            self.init(file: file, fault: Fault(field: "", expected: "YAML", found: "\(error)"))
        }
    }

    /// Common slips, by the words that libyaml has for them. Each entry has plain words for what is expected. `isAtStart` says whether to
    /// report the place at which libyaml began to read, because it notices some slips far from there.
    private static let slips: [String: (expected: String, isAtStart: Bool)] = [
        "block sequence entries are not allowed in this context": ("a list's item on a line of its own", false),
        "but found another document": ("one document in a file", false),
        "could not find expected ':'": ("key: value, with a space after the colon", true),
        "did not find expected ',' or ']'": ("a comma or a ]", false),
        "did not find expected ',' or '}'": ("a comma or a }", false),
        "did not find expected '-' indicator": ("an item of the list, as far right as the others", false),
        "did not find expected <document start>": ("key: value in every line, without spaces before the first key", false),
        "did not find expected key": ("a key as far right as its neighbours, and quotes and brackets in pairs", false),
        "did not find expected node content": ("a value", false),
        "found a tab character that violates indentation": ("spaces for indentation", false),
        "found character that cannot start any token": ("no tab, and quotes around what begins with a sign such as @", false),
        "found undefined alias": ("quotes around what begins with *", false),
        "found unexpected document indicator": ("a quote that closes this one", true),
        "found unexpected end of stream": ("a quote that closes this one", true),
        "found unknown escape character": ("\\\\ for each backslash between double quotes, or single quotes", false),
        "mapping values are not allowed in this context":
            ("a colon and a space after each key, keys as far right as their neighbours, and quotes around a value with a colon in it",
             false),
    ]
}

extension Fault {
    /// The fault in YAML's terms: a mapping in place of an object. Where the text looks like a common slip, a hint is added.
    public var explained: Fault {
        if expected == "an object" { return Fault(field: field, expected: "a mapping of keys to values", found: found) }
        return isOfStranger ? explainedUnknownKey : explainedNumber
    }

    /// The fault for an unknown key, with a hint at the likely cause: there is no space after a colon (`level:3` is a whole key), or a
    /// number has a decimal comma.
    private var explainedUnknownKey: Fault {
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
