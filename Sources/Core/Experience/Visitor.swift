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

/// Deterministic: the same draws and the same piece make the same visitor.
public protocol SimulatedVisitor: Sendable {
    /// What the visitor does next, one thing after the other; nothing when they have left. `seconds` after the run's start, and with
    /// `piece` before their eyes.
    mutating func next(in piece: any Experience, at seconds: Double) -> [VisitorStep]
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
