import Fields
import Signals

/// One setting: what it may be, and what it is when nothing is said. The documentation, the example file and the flags are held
/// to this by a test.
struct Key: Sendable {
    enum Kind: Sendable {
        case choice([String])
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        /// Checked by whoever takes it; in words.
        case text(String)
        /// The same; `~` at its start is the home directory.
        case path(String)
    }

    var name: String
    var kind: Kind
    var unit: String?
    /// When nothing is said, in words.
    var standard: String
    /// Whether a reload changes it; else the next start does.
    var isLive: Bool

    init(_ name: String, _ kind: Kind, unit: String? = nil, standard: String, isLive: Bool = false) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.standard = standard
        self.isLive = isLive
    }

    /// What would be right, for instance `a number from 50 to 500 (ms)`.
    var expected: String {
        let unit = unit.map { " (\($0))" } ?? ""
        return switch kind {
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .number(let range): "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))" + unit
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)" + unit
        case .text(let words), .path(let words): words
        }
    }

    var isPath: Bool { if case .path = kind { true } else { false } }

    var variable: String { "THRUM_" + name.uppercased().replacing("-", with: "_") }
}
