/// An error in one field of somebody's input, described in words fit for the person who wrote that input.
public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The field's path, for instance `theme.chimes.ding[0].frequency`; empty when the whole input is at fault.
    public var field: String
    /// What was expected, for instance `a number from 20 to 5000 (Hz)`.
    public var expected: String
    /// What was found instead; nil when the field was missing.
    public var found: String?

    /// The beginning of `found` where a field is unknown (a stranger), so that the message reads, for instance, `b: expected only a, c,
    /// found this field`. A suggestion may follow.
    private static let stranger = "this field"

    public init(field: String, expected: String, found: String? = nil) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// Returns the fault for an unknown field (a stranger). `field` is its path, which ends in its `name`; `known` are the fields that
    /// would be allowed.
    public static func stranger(_ field: String, named name: String, beside known: [String]) -> Fault {
        Fault(field: field, expected: known.isEmpty ? "no fields" : "only " + known.joined(separator: ", "),
              found: stranger + Spelling.hint(for: name, among: known))
    }

    /// Whether the fault says that a field is unknown (a stranger).
    public var isOfStranger: Bool { found?.hasPrefix(Self.stranger) == true }

    /// Returns `value` as text without a needless fraction: `240`, not `240.0`.
    public static func plain(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

    public var description: String {
        let what = found.map { "expected \(expected), found \($0)" } ?? "expected \(expected)"
        return field.isEmpty ? what : "\(field): \(what)"
    }
}

/// Suggests which existing name somebody meant by a misspelt one.
public enum Spelling {
    /// Returns the name in `names` that is spelled most like `name`. Of several equally near names, it is the first in alphabetical order;
    /// nil where none is near. A `name` of up to four letters may have one error, a longer one two. An error is a letter that is added,
    /// left out, replaced, or swapped with its neighbour. A `name` that is not ASCII, or has more than 64 bytes, is not compared, so that
    /// text from outside costs little.
    public static func nearest(to name: String, among names: some Collection<String>) -> String? {
        guard Fields.isShortASCII(name) else { return nil }
        let letters = Array(name.utf8)
        let most = letters.count > 4 ? 2 : 1
        // A name whose length differs by more than `most` cannot be near.
        let near = names.filter { abs($0.utf8.count - letters.count) <= most }
            .map { (name: $0, distance: distance(letters, Array($0.utf8))) }
        let nearest = near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return nearest.flatMap { (1...most).contains($0.distance) ? $0.name : nil }
    }

    /// Returns a hint such as ` (did you mean queue?)`; empty where no name is near.
    public static func hint(for name: String, among names: some Collection<String>) -> String {
        nearest(to: name, among: names).map { " (did you mean \($0)?)" } ?? ""
    }

    /// Returns the Damerau-Levenshtein distance of two names, by optimal string alignment.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var (above, row) = ([Int](repeating: 0, count: b.count + 1), Array(0...b.count))
        for i in a.indices {
            var next = [i + 1] + [Int](repeating: 0, count: b.count)
            for j in b.indices {
                next[j + 1] = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { next[j + 1] = min(next[j + 1], above[j - 1] + 1) }
            }
            (above, row) = (row, next)
        }
        return row[b.count]
    }
}

/// Puts a command line's errors, which the argument parser has worded, into the style of all other errors.
public enum CommandLineProblem {
    /// Returns the lines to print: what is wrong, the usage, and where to read more. The caller puts the program's name in front. `message`
    /// is the parser's text: `Error: …`, maybe the argument's help, `Usage: …`, and where to read more.
    public static func lines(_ message: String) -> [String] {
        var isHelp = false
        return message.split(separator: "\n").compactMap { line in
            for (prefix, words) in [("Error: ", ""), ("Usage: ", "usage: ")] where line.hasPrefix(prefix) {
                isHelp = false
                return words + line.dropFirst(prefix.count)
            }
            // The help of the argument is left out: `--help` has more room for it.
            isHelp = isHelp || line.hasPrefix("Help: ")
            if isHelp { return nil }
            guard let more = line.wholeMatch(of: /\s*See '(.+)' for more information\./) else { return String(line) }
            return "see \(more.1)"
        }
    }
}
