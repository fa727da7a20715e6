import Signals

/// How often a card is without colour, and how often it carries a skin of each rarity; they come to 1.
struct CardWeights: Equatable, Sendable {
    /// Six commons to three rares to one special: a rare stays a treat, and is seen again.
    static let colored: [Rarity: Double] = [.common: 0.6, .rare: 0.3, .special: 0.1]
    /// Of new skins while a fresh palette's special is to be found: half of them are such specials.
    static let withFreshSpecial: [Rarity: Double] = [.common: 0.6, .rare: 0.3, .special: 0.9]

    /// Without colour, then those of `Rarity.allCases`.
    let all: [Double]

    /// Of card `index`, on which some rarities may not be found yet.
    init(at index: Int, after collection: Collection, _ tuning: Tuning) {
        let weights = Rarity.allCases.map { Discovery.allows($0, at: index, after: collection) ? Self.colored[$0] ?? 0 : 0 }
        let sum = weights.reduce(0, +)
        guard sum > 0 else {
            all = [1] + weights
            return
        }
        let gray = (1 - Discovery.chance(at: index, after: collection, tuning)) * (1 - Feed.recurrence)
        all = [gray] + weights.map { $0 / sum * (1 - gray) }
    }
}
