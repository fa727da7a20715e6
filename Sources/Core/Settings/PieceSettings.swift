import Fields

/// What the table of settings knows of a piece.
public struct PieceSettings: Sendable {
    /// A knob of the piece: its key sets how it stands at first.
    public struct Knob: Sendable {
        public var name: String
        /// Nil for one that is on or off.
        public var range: ClosedRange<Double>?
        public var unit: String?
        /// Its value when nothing is said, as settings have it: a number, yes or no.
        public var standard: String
        /// A sentence without its full stop.
        public var about: String

        public init(name: String, range: ClosedRange<Double>?, unit: String?, standard: String, about: String) {
            self.name = name
            self.range = range
            self.unit = unit
            self.standard = standard
            self.about = about
        }

        var entry: SettingEntry {
            SettingEntry(name: name, shape: range.map { .number($0) } ?? .choice(["yes", "no"]), unit: unit, standard: standard,
                         example: standard, effect: .reload, help: about, isSecret: false, hasFlag: false)
        }
    }

    public var name: String
    /// A few words, for the choice of pieces.
    public var about: String
    public var knobs: [Knob]

    public init(name: String, about: String, knobs: [Knob]) {
        self.name = name
        self.about = about
        self.knobs = knobs
    }
}

/// Two settings of one name that are not the same.
public struct SettingClash: Error, Equatable, CustomStringConvertible {
    public var name: String
    /// Who has it, in words.
    public var owners: [String]

    public var description: String { "\(name): two settings of one name that differ: \(owners.joined(separator: ", "))" }
}
