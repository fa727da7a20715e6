import Signals

/// How often a skin is chosen among others, by its rarity.
struct RarityWeights: Codable, Equatable, Sendable {
    var common: Double
    var rare: Double
    var special: Double

    /// Six commons to three rares to one special: a rare stays a treat, and is seen again.
    static let full = RarityWeights(common: 0.6, rare: 0.3, special: 0.1)

    subscript(rarity: Rarity) -> Double {
        switch rarity {
        case .common: common
        case .rare: rare
        case .special: special
        }
    }

    /// What they come to at card `index`, where some rarities may not be there yet; their sum is 1.
    init(at index: Int, after collection: Collection) {
        func weight(_ rarity: Rarity) -> Double {
            Discovery.allows(rarity, at: index, after: collection) ? Self.full[rarity] : 0
        }
        let sum = weight(.common) + weight(.rare) + weight(.special)
        let scale = sum > 0 ? 1 / sum : 0
        self.init(common: weight(.common) * scale, rare: weight(.rare) * scale, special: weight(.special) * scale)
    }

    init(common: Double, rare: Double, special: Double) {
        self.common = common
        self.rare = rare
        self.special = special
    }
}
