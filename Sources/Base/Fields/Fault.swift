/// What is wrong with one field of somebody's input, in words fit for the person who wrote it.
public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The field's path, for instance `theme.chimes.ding[0].frequency`; empty when the whole input is at fault.
    public var field: String
    /// What would have been right, for instance `a number from 20 to 5000 (Hz)`.
    public var expected: String
    /// What was there instead; nil when nothing was.
    public var found: String?

    /// What is found where a field is that nobody knows; perhaps with a suggestion after it.
    private static let stranger = "this field"

    public init(field: String, expected: String, found: String? = nil) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// Of a field that nobody knows beside those that are known. `field` is its path, which ends in its `name`.
    public static func stranger(_ field: String, named name: String, beside known: [String]) -> Fault {
        Fault(field: field, expected: known.isEmpty ? "no fields" : "only " + known.joined(separator: ", "),
              found: stranger + Spelling.hint(for: name, among: known))
    }

    /// Whether it is of a field that nobody knows.
    public var isOfStranger: Bool { found?.hasPrefix(Self.stranger) == true }

    /// `240`, not `240.0`.
    public static func plain(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

    public var description: String {
        let what = found.map { "expected \(expected), found \($0)" } ?? "expected \(expected)"
        return field.isEmpty ? what : "\(field): \(what)"
    }
}
