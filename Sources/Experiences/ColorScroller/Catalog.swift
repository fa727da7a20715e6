/// The skins that every visitor can find. A skin's number is its index here. The skins of a visitor's palettes have the numbers after
/// these.
enum Catalog {
    static let skins = commons + rares + specials
    /// The rarities of `skins`, in the same order.
    static let rarities = skins.map(\.rarity)

    /// Returns the number of the catalogue's skins that have this rarity.
    static func count(_ rarity: Rarity) -> Int {
        switch rarity {
        case .common: commons.count
        case .rare: rares.count
        case .special: specials.count
        }
    }

    private static let commons = [
        solid("Crimson", 0xDC143C), solid("Tangerine", 0xFF8C1A), solid("Lemon", 0xFFE81F), solid("Jade", 0x00A86B),
        solid("Azure", 0x1E8FFF), solid("Violet", 0x7F3FFF), solid("Magenta", 0xFF1FA8), solid("Mint", 0x98FFCC),
        solid("Cyan", 0x00E5FF), solid("Indigo", 0x3F1FA8),
    ]

    private static let rares = [
        rare("Sunrise", [0xFF5F6D, 0xFFC371], angle: 90), rare("Ocean Glass", [0x0F2027, 0x2C7DA0, 0xA9D6E5], angle: 60),
        rare("Aurora", [0x00C9A7, 0x845EC2, 0x1B1464], angle: 75), rare("Grape Soda", [0x5F0F99, 0xD76BFF], angle: 45),
        rare("Lava", [0x3D0000, 0xD00000, 0xFFBA08], angle: 90), rare("Deep Space", [0x03001E, 0x7303C0, 0x0A0A23], angle: 30),
    ]

    private static let specials = [
        special("Barcode Pop", .stripes([0xFFFFFF, 0x000000, 0xFF2E63].map { Color($0) }, angle: 0)),
        special("Candy Stripe", .stripes([0xFF4D6D, 0xFFFFFF].map { Color($0) }, angle: 45)),
        special("Hazard Tape", .stripes([0xFFD60A, 0x111111].map { Color($0) }, angle: 135)),
        special("Night Dots", .dots([0x0B132B, 0xF0E68C].map { Color($0) })),
        special("Confetti Dots", .dots([0xFFFFFF, 0xFF595E, 0xFFCA3A, 0x8AC926, 0x1982C4, 0x6A4C93].map { Color($0) })),
        special("Ladybird", .dots([0xC1121F, 0x000000].map { Color($0) })),
        special("Starfield", .symbols("✦", [0x050517, 0xFFFFFF, 0xBFD7FF].map { Color($0) })),
        special("Heartbeat", .symbols("♥", [0x2B0010, 0xFF3366].map { Color($0) })),
        special("Static Snow", .symbols("·", [0x222222, 0xEEEEEE, 0x888888].map { Color($0) })),
        special("Cat Party", .emoji("🐱", on: Color(0xFFB5E8))),
        special("Fire Walk", .emoji("🔥", on: Color(0x240000))),
        special("Eye Contact", .emoji("👁️", on: Color(0xF1FAEE))),
    ]

    private static func solid(_ name: String, _ hex: UInt32) -> Skin { skin(name, .common, .solid(Color(hex))) }

    private static func rare(_ name: String, _ stops: [UInt32], angle: Int) -> Skin {
        skin(name, .rare, .gradient(stops.map { Color($0) }, angle: angle))
    }

    private static func special(_ name: String, _ look: Skin.Look) -> Skin { skin(name, .special, look) }

    private static func skin(_ name: String, _ rarity: Rarity, _ look: Skin.Look) -> Skin {
        Skin(id: name.lowercased().split(separator: " ").joined(separator: "-"), name: name, rarity: rarity, look: look)
    }
}

/// The rules that say on which cards new skins may appear, and how likely that is.
enum Discovery {
    /// The index of the first card that may have a colour; all cards before it are grey.
    static func firstCommon(_ course: Course) -> Int { course.cards(10) }
    static func firstRare(_ course: Course) -> Int { course.cards(55) }
    static func firstSpecial(_ course: Course) -> Int { course.cards(85) }

    /// Whether a new skin of `rarity` may be put on card `index`. Rares need all commons of the catalogue unlocked, specials all commons
    /// and rares. The same rule holds for the skins of palettes.
    static func allows(_ rarity: Rarity, at index: Int, after collection: Collection) -> Bool {
        switch rarity {
        case .common: index >= firstCommon(collection.course)
        case .rare: index >= firstRare(collection.course) && collection.hasAllCommons
        case .special: index >= firstSpecial(collection.course) && collection.hasAllCommons && collection.hasAllRares
        }
    }

    /// Returns the probability that card `index` carries a new skin, provided that a skin is allowed on it. The course has
    /// three parts, one after the other: of commons, of rares and of specials. The probability depends on the part in which the card lies.
    /// The part of rares ends when all rares of the catalogue are found.
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

/// The probabilities that a card is grey, and that it carries a skin of each rarity. Their sum is 1.
struct CardWeights: Equatable, Sendable {
    /// Returns the weight of a rarity among coloured cards: six commons to three rares to one special. Rares stay special, but are seen
    /// again.
    static func colored(_ rarity: Rarity) -> Double {
        switch rarity {
        case .common: 0.6
        case .rare: 0.3
        case .special: 0.1
        }
    }

    /// Returns the weight of a rarity among new skins while the special of a fresh palette is still locked. The special then weighs as much
    /// as commons and rares together.
    static func withFreshSpecial(_ rarity: Rarity) -> Double { rarity == .special ? 0.9 : colored(rarity) }

    /// The probability of a grey card, followed by the probability of each rarity in the order of `Rarity.allCases`.
    let all: [Double]

    /// Computes the probabilities for card `index`, on which some rarities may not be allowed yet.
    init(at index: Int, after collection: Collection, _ tuning: Tuning) {
        let weights = Rarity.allCases.map { Discovery.allows($0, at: index, after: collection) ? Self.colored($0) : 0 }
        let sum = weights.reduce(0, +)
        guard sum > 0 else {
            all = [1] + weights
            return
        }
        let gray = (1 - Discovery.chance(at: index, after: collection, tuning)) * (1 - Feed.recurrence)
        all = [gray] + weights.map { $0 / sum * (1 - gray) }
    }
}
