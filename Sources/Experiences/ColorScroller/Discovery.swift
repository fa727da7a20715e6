import Signals

/// Which skins may appear where, and how likely it is that a card carries a new one.
enum Discovery {
    /// The cards before it are grey.
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

    /// That card `index` carries a new skin if there is one to carry. The stretches are those in which commons, rares and
    /// specials are what there is to find: the middle one lasts until the catalogue's rares are.
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
