import Experience
import Signals

/// When the machine steps in.
struct Interventions: Codable, Equatable, Sendable {
    /// From which P(churn) on.
    struct Thresholds: Equatable, Sendable {
        var moderate: Double
        var high: Double

        static let standard = Thresholds(moderate: 0.55, high: 0.70)
    }

    /// Cards viewed at the first one, at least: before, there is no pace to know anybody by.
    static let first = 5
    /// Cards viewed after one, on which there is no other; but a high one comes through the cooldown of a moderate one.
    static let cooldown = 12

    private struct Last: Codable, Equatable {
        /// Cards viewed then.
        var viewed: Int
        var strength: Intervention.Strength
    }

    private(set) var count = 0
    private var last: Last?

    /// Whether to step in at the `viewed`th card, and how; then the cooldown has begun.
    mutating func decide(_ churn: Double, viewed: Int, _ thresholds: Thresholds = .standard) -> Intervention.Strength? {
        guard churn >= min(thresholds.moderate, thresholds.high) else { return nil }
        let strength: Intervention.Strength = churn >= thresholds.high ? .high : .moderate
        if let last, viewed <= last.viewed + Self.cooldown, last.strength == .high || strength == .moderate { return nil }
        last = Last(viewed: viewed, strength: strength)
        count += 1
        return strength
    }
}

extension ColorScroller {
    /// Gives a visitor who seems about to leave a reason to stay.
    mutating func intervene(_ strength: Intervention.Strength, _ churn: Double, at time: Double) -> Effects {
        let gift = give(at: time)
        let taunt = strength == .high ? state.rivals.taunt(viewed: state.blocksViewed, hour: state.timeOfDay.hour(at: time)) : nil
        var effects = Effects(cues: [.haptic("surprise")] + (strength == .high ? [.chime("ding")] : []))
        if let palette = gift.palette { effects.tell(PaletteMade(palette)) }
        effects.tell(Intervention(strength, pChurn: churn, reward: gift.card, taunt: taunt))
        return effects
    }
}
