import Signals

/// What pieces of households have in common where people walk up to them and stay for minutes.
public enum WalkUp {
    /// The knob for the rules of a walk-up. With it off, rules are those of months at home.
    public static let knob = Knob("walk-up", .flag(standard: false), about: "visitors stay for minutes: rules of a walk-up, not of months")
}

extension HouseholdPiece {
    /// Whether the rules of a walk-up count. Always false for a piece that does not declare `WalkUp.knob`.
    public var isWalkUp: Bool { life.knobs.isOn(WalkUp.knob) }
}
