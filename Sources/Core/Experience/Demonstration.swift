import Signals

/// A minute that shows what a piece is like: a visitor made up for it, and how theme and knobs are set so that a minute is enough.
public struct Demonstration: Sendable {
    /// Leaves by themselves.
    public let visitor: VisitorDeclaration
    public let theme: Theme
    public let knobs: KnobSettings
    /// Of the session that is shown.
    public let seed: UInt64

    public init(_ visitor: VisitorDeclaration, theme: Theme, knobs: KnobSettings = .standard, seed: UInt64) {
        self.visitor = visitor
        self.theme = theme
        self.knobs = knobs
        self.seed = seed
    }
}
