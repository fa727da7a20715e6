import Signals

/// Declares a kind of simulated visitor.
public struct VisitorDeclaration: Sendable {
    /// The name of the kind, for instance `bored`.
    public let name: String
    /// Describes the kind for people, in a sentence.
    public let about: String
    /// Makes a visitor. The visitor takes its random numbers from `draws`, which are independent of the piece's.
    public let make: @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor

    public init(_ name: String, about: String, make: @escaping @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor) {
        self.name = name
        self.about = about
        self.make = make
    }
}

/// A simulated visitor. It is deterministic: the same draws and the same run lead to the same steps.
public protocol SimulatedVisitor: Sendable {
    /// Returns the next things that the visitor does, in order; none when the visitor has left. `run` is the run at `seconds` after its
    /// start.
    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep]
    /// Whether the visitor likes being there, as of the latest call of `next`. Pieces do not see it; trials of predictions do.
    var isEngaged: Bool { get }
}

extension SimulatedVisitor {
    /// Returns true, unless a kind of visitor has an answer of its own.
    public var isEngaged: Bool { true }
}

/// One thing that a visitor does, after a wait.
public struct VisitorStep: Sendable {
    /// The seconds since the step before, 0 or more.
    public var wait: Double
    public var kind: EventKind

    public init(after wait: Double, _ kind: EventKind) {
        self.wait = wait
        self.kind = kind
    }
}

/// The time for which a person's finger stays down in a flick, for simulated visitors.
///
/// Source: the published data of M. Frank, R. Biedert, E. Ma, I. Martinovic and D. Song, "Touchalytics", IEEE Transactions on Information
/// Forensics and Security 8 (1), 2013: 259 strokes by five people who flicked between pictures.
public enum FingerTime {
    /// The distribution of these times: the fraction `part` of the flicks took at most `seconds`.
    private static let flicks: [(part: Double, seconds: Double)] = [
        (0, 0.057), (0.1, 0.094), (0.25, 0.113), (0.5, 0.137), (0.75, 0.162), (0.9, 0.202), (0.95, 0.232), (1, 0.507),
    ]

    /// Returns how long a finger stays down in one flick, in seconds. `draw` is a random number, 0…1; 0.5 gives the median.
    public static func flick(_ draw: Double) -> Double {
        let upper = max(1, flicks.firstIndex { $0.part >= draw } ?? flicks.count - 1)
        let (from, to) = (flicks[upper - 1], flicks[upper])
        return from.seconds + (to.seconds - from.seconds) * (draw - from.part) / (to.part - from.part)
    }
}

/// A session of a minute that shows what a piece is like. Its simulated visitor, theme and knobs are chosen so that a minute is enough.
public struct Demonstration: Sendable {
    /// The simulated visitor, who leaves of their own accord.
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
