import Units

/// How far health has fallen: a band reaches from its own number up to the next. 100 is silent.
enum Band: Int, CaseIterable, Codable, Sendable {
    case full = 100, eighty = 80, sixty = 60, forty = 40, twenty = 20, ten = 10, zero = 0

    var parts: Int { rawValue * Health.partsPerPoint }

    /// Makes the band that a health of so many parts is in.
    init(_ parts: Int) { self = Self.allCases.last { parts <= $0.parts } ?? .full }

    /// Returns the bands that are crossed downward from one health to another, in parts, the highest first.
    static func crossed(from before: Int, to after: Int) -> [Band] { allCases.filter { before > $0.parts && after <= $0.parts } }
}

/// How the cat is.
public enum Condition: String, CaseIterable, Codable, Sendable {
    case healthy, concerned, tired, weak, dead

    init(_ parts: Int) {
        switch Band(parts) {
        case .full: self = .healthy
        case .eighty: self = .concerned
        case .sixty: self = .tired
        case .forty, .twenty, .ten: self = .weak
        case .zero: self = .dead
        }
    }

    /// The colour of the bar that shows the cat's health.
    var bar: String {
        switch self {
        case .healthy, .concerned: "green"
        case .tired: "orange"
        case .weak, .dead: "red"
        }
    }

    /// The theme's texture for its purr; nil for none.
    var purr: String? { self == .dead ? nil : "purr-" + rawValue }

    /// The theme's chime for its voice.
    var mew: String { "mew-" + rawValue }

    /// The time from one mew to the next while the cat is stroked.
    var mewInterval: Seconds { self == .concerned ? Seconds(5) : Seconds(8) }

    /// What it sounds like, in a word.
    var tone: String {
        switch self {
        case .healthy: "playful"
        case .concerned: "concerned"
        case .tired: "strained"
        case .weak: "faint"
        case .dead: "dead"
        }
    }
}
