import Signals

/// A kind of simulated visitor.
public struct VisitorDeclaration: Sendable {
    /// For instance `bored`.
    public let name: String
    /// For people, in a sentence.
    public let about: String
    /// `draws` are the visitor's random numbers, separate from the piece's.
    public let make: @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor

    public init(_ name: String, about: String, make: @escaping @Sendable (_ draws: SplitMix64) -> any SimulatedVisitor) {
        self.name = name
        self.about = about
        self.make = make
    }
}

/// Deterministic: the same draws and the same run make the same visitor.
public protocol SimulatedVisitor: Sendable {
    /// What the visitor does next, one thing after the other; nothing when they have left. `seconds` after the run's start, and with
    /// `run` before their eyes.
    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep]
}

/// Something that a visitor does after a while.
public struct VisitorStep: Sendable {
    /// In seconds after the step before, 0 and up.
    public var wait: Double
    public var kind: EventKind

    public init(after wait: Double, _ kind: EventKind) {
        self.wait = wait
        self.kind = kind
    }
}

/// How long people's fingers are down, for simulated visitors.
///
/// Measured by M. Frank, R. Biedert, E. Ma, I. Martinovic and D. Song for "Touchalytics", IEEE Transactions on Information Forensics and
/// Security 8 (1), 2013: of the strokes in their published data, 259 of five people who flick from one picture to another and back.
public enum FingerTime {
    /// The part of those flicks that took no longer, and how long that is, in seconds.
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
