import Signals

/// Which skins may appear where, and how likely it is that a card carries a new one.
enum Discovery {
    /// The cards before it are grey.
    static let firstCommon = 10
    static let firstRare = 55
    static let firstSpecial = 85

    /// Whether a skin of `rarity` may be put on card `index` for the first time: each rarity needs all those of the one before it
    /// to be unlocked. Skins of palettes need what their rarity needs.
    static func allows(_ rarity: Rarity, at index: Int, after collection: Collection) -> Bool {
        switch rarity {
        case .common: index >= firstCommon
        case .rare: index >= firstRare && collection.hasAllCommons
        case .special: index >= firstSpecial && collection.hasAllCommons && collection.hasAllRares
        }
    }

    /// That card `index` carries a new skin if there is one to carry. The stretches are those in which commons, rares and
    /// specials are what there is to find: the middle one lasts until the catalogue's rares are.
    static func chance(at index: Int, after collection: Collection, _ tuning: Tuning) -> Double {
        switch index {
        case ..<firstCommon: 0
        case ..<firstRare: tuning.chanceEarly
        case ..<firstSpecial: tuning.chanceMiddle
        default: collection.hasAllRares ? tuning.chanceLate : tuning.chanceMiddle
        }
    }
}
