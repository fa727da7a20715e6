import Experience
import Signals

/// When the machine steps in.
struct Interventions: Codable, Equatable, Sendable {
    static let moderate = 0.55
    static let high = 0.70
    /// Cards viewed after one, on which there is no other.
    static let cooldown = 12

    private(set) var count = 0
    /// Cards viewed at the last one.
    private var last: Int?

    /// Whether to step in at the `viewed`th card, and how; then the cooldown has begun.
    mutating func decide(_ churn: Double, viewed: Int) -> Intervention.Strength? {
        if let last, viewed <= last + Self.cooldown { return nil }
        guard churn >= Self.moderate else { return nil }
        last = viewed
        count += 1
        return churn >= Self.high ? .high : .moderate
    }
}

extension ColorScroller {
    /// Gives a visitor who seems about to leave a reason to stay.
    mutating func intervene(_ strength: Intervention.Strength, _ churn: Double, at time: Double) -> Effects {
        let reward = throwIn()
        let taunt = strength == .high ? state.rivals.taunt(viewed: state.blocksViewed, hour: state.timeOfDay.hour(at: time)) : nil
        return Effects(cues: [.haptic("surprise")] + (strength == .high ? [.chime("ding")] : []),
                       announcements: [Announcement(Intervention(strength, pChurn: churn, reward: reward, taunt: taunt))])
    }
}
