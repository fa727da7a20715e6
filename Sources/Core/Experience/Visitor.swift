import Signals

/// Declares a kind of simulated visitor.
public struct VisitorDeclaration: Sendable {
    /// The name, for instance `bored`.
    public let name: String
    /// Describes the kind for people, in a sentence.
    public let about: String
    /// Makes a visitor. `draws` are the visitor's random numbers, separate from the piece's.
    public let make: @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor

    public init(_ name: String, about: String, make: @escaping @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor) {
        self.name = name
        self.about = about
        self.make = make
    }
}

/// A simulated visitor. It is deterministic: the same draws and the same run make the same visitor.
public protocol SimulatedVisitor: Sendable {
    /// Returns what the visitor does next, one thing after the other; nothing when they have left. They see `run` as it is `seconds` after
    /// its start.
    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep]
}

/// Something that a visitor does after a while.
public struct VisitorStep: Sendable {
    /// The seconds after the step before, 0 and up.
    public var wait: Double
    public var kind: EventKind

    public init(after wait: Double, _ kind: EventKind) {
        self.wait = wait
        self.kind = kind
    }
}

/// The time that people's fingers are down, for simulated visitors.
///
/// Measured by M. Frank, R. Biedert, E. Ma, I. Martinovic and D. Song for "Touchalytics", IEEE Transactions on Information Forensics and
/// Security 8 (1), 2013. From their published data: 259 strokes by five people, who flick from one picture to another and back.
public enum FingerTime {
    /// The part of those flicks that took no longer than so many seconds.
    private static let flicks: [(part: Double, seconds: Double)] = [
        (0, 0.057), (0.1, 0.094), (0.25, 0.113), (0.5, 0.137), (0.75, 0.162), (0.9, 0.202), (0.95, 0.232), (1, 0.507),
    ]

    /// Returns the seconds that a finger is down for one flick. `draw` is 0…1, and 0.5 gives the median.
    public static func flick(_ draw: Double) -> Double {
        let upper = max(1, flicks.firstIndex { $0.part >= draw } ?? flicks.count - 1)
        let (from, to) = (flicks[upper - 1], flicks[upper])
        return from.seconds + (to.seconds - from.seconds) * (draw - from.part) / (to.part - from.part)
    }
}

/// A minute that shows what a piece is like: a visitor made up for it, with theme and knobs set so that a minute is enough.
public struct Demonstration: Sendable {
    /// The visitor, who leaves without being asked.
    public let visitor: VisitorDeclaration
    public let theme: Theme
    public let knobs: KnobSettings
    /// The seed of the session that is shown.
    public let seed: UInt64

    public init(_ visitor: VisitorDeclaration, theme: Theme, knobs: KnobSettings = .standard, seed: UInt64) {
        self.visitor = visitor
        self.theme = theme
        self.knobs = knobs
        self.seed = seed
    }
}
