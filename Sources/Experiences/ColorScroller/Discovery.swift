import Signals

/// The rules of where skins may appear, and of how likely it is that a card carries a new one.
enum Discovery {
    /// The first card that may have a colour; those before are grey.
    static func firstCommon(_ course: Course) -> Int { course.cards(10) }
    static func firstRare(_ course: Course) -> Int { course.cards(55) }
    static func firstSpecial(_ course: Course) -> Int { course.cards(85) }

    /// Whether a skin of `rarity` may be put on card `index` for the first time: each rarity needs all those of the one before it
    /// to be unlocked. Skins of palettes need what their rarity needs.
    static func allows(_ rarity: Rarity, at index: Int, after collection: Collection) -> Bool {
        switch rarity {
        case .common: index >= firstCommon(collection.course)
        case .rare: index >= firstRare(collection.course) && collection.hasAllCommons
        case .special: index >= firstSpecial(collection.course) && collection.hasAllCommons && collection.hasAllRares
        }
    }

    /// The chance that card `index` carries a new skin if there is one to carry. The stretches are those in which commons, rares and
    /// specials are what there is to find: the middle one lasts until the catalogue's rares are found.
    static func chance(at index: Int, after collection: Collection, _ tuning: Tuning) -> Double {
        let course = collection.course
        return switch index {
        case ..<firstCommon(course): 0
        case ..<firstRare(course): course.chance(tuning.chanceEarly)
        case ..<firstSpecial(course): course.chance(tuning.chanceMiddle)
        default: course.chance(collection.hasAllRares ? tuning.chanceLate : tuning.chanceMiddle)
        }
    }
}

/// How often a card is without colour, and how often it carries a skin of each rarity; they come to 1.
struct CardWeights: Equatable, Sendable {
    /// The weights of colours: six commons to three rares to one special: a rare stays a treat, and is seen again.
    static let colored: [Rarity: Double] = [.common: 0.6, .rare: 0.3, .special: 0.1]
    /// The weights of new skins while a fresh palette's special is to be found: half of those skins are such specials.
    static let withFreshSpecial: [Rarity: Double] = [.common: 0.6, .rare: 0.3, .special: 0.9]

    /// The weight of no colour, then those of `Rarity.allCases`.
    let all: [Double]

    /// Weighs card `index`, on which some rarities may not be found yet.
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
