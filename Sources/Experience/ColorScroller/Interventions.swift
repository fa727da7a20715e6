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
    mutating func decide(_ churn: Double, viewed: Int) -> Announcement.Intervention.Strength? {
        if let last, viewed <= last + Self.cooldown { return nil }
        guard churn >= Self.moderate else { return nil }
        last = viewed
        count += 1
        return churn >= Self.high ? .high : .moderate
    }
}

/// What is thrown in.
struct Rewards: Codable, Equatable, Sendable {
    private let draws: Draws

    init(seed: UInt64) { draws = Draws(seed, for: .rewards) }

    /// One of the next few cards; not the very next, part of which may be seen already.
    func card(after index: Int, ordinal: Int) -> Int { index + 2 + draws.below(3, 2 * ordinal) }

    /// One of the rares and specials among `candidates`, or of the commons as long as nothing better may be found; nil when there is
    /// nothing left.
    func skin(among candidates: [Int], _ collection: Collection, ordinal: Int) -> Int? {
        let better = candidates.filter { collection[$0].rarity != .common }
        let choice = better.isEmpty ? candidates : better
        return choice.isEmpty ? nil : choice[draws.below(choice.count, 2 * ordinal + 1)]
    }
}
