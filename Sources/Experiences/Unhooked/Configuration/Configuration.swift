import Experience
import Fields

extension Unhooked {
    /// What operators can publish: prices, catalogues, seasons, limits and switches. The rules themselves are fixed.
    public struct Configuration: PieceDocument, Codable {
        /// The kind under which the documents are published.
        static let kind = "unhooked"

        public var energy: EnergyRule
        public var limit: LimitRule
        public var recovery: Recovery
        public var foods: [Food]
        public var seasons: [Season]
        public var cosmetics: [Cosmetic]
        public var products: [Product]
        public var memorial: MemorialRule
        public var flags: Flags
        /// What a house has added to the rules (switches and events of its pages); nil where it has added nothing.
        public var additions: Additions?

        /// How much Energy a day of restraint earns.
        public struct EnergyRule: Codable, Equatable, Sendable {
            /// The exponent γ of the formula for Energy (`EnergyAward`), 0.25…4.
            public var gamma: Double
            /// The Energy that a new household is given once, 0…1,000.
            public var welcome: Int
        }

        /// Limits for the screen time of a day, in minutes.
        public struct LimitRule: Codable, Equatable, Sendable {
            /// The limit of a household that has chosen none, in minutes. The limits that can be chosen go from `least` to `most`.
            public var standard: Int
            public var least: Int
            public var most: Int
        }

        /// The prices and limits of the recoveries that Gems pay for.
        public struct Recovery: Codable, Equatable, Sendable {
            public var cure: RecoveryRule
            public var revive: RecoveryRule
            public var restart: RecoveryRule
        }

        public struct RecoveryRule: Codable, Equatable, Sendable {
            /// The price in Gems.
            public var gems: Int
            /// The hours from one use to the next, 0…8,760.
            public var cooldownHours: Int
            /// The limit on how many uses there may be within a number of days; nil where there is no such limit.
            public var window: Window?

            public struct Window: Codable, Equatable, Sendable {
                public var most: Int
                public var days: Int
            }
        }

        /// Gems that can be bought. The id is the product's name in the receipts of the app store.
        public struct Product: Codable, Equatable, Sendable {
            public var id: String
            public var gems: Int
        }

        public struct MemorialRule: Codable, Equatable, Sendable {
            /// The number of pets, newest first, that the memorial shows, 1…100. More are stored.
            public var most: Int
        }

        /// Which parts of the piece are switched on. An action of a part that is off is refused, with the part's name.
        public struct Flags: Codable, Equatable, Sendable {
            public var food: Bool
            public var cosmetics: Bool
            public var recovery: Bool
            public var purchases: Bool
            public var memorial: Bool
        }

        /// The configuration as a document.
        public var json: JSONValue {
            guard let value = try? JSONValue(encoding: self) else { preconditionFailure("its numbers are finite") }
            return value
        }

        public func food(_ id: String) -> Food? { foods.first { $0.id == id } }
        public func cosmetic(_ id: String) -> Cosmetic? { cosmetics.first { $0.id == id } }
        public func product(_ id: String) -> Product? { products.first { $0.id == id } }
        public func season(_ id: String) -> Season? { seasons.first { $0.id == id } }
    }
}

/// What kind of animal a pet is.
public enum Species: String, CaseIterable, Codable, Sendable { case cat, dog }

/// Which pets eat a food.
public enum Diet: String, CaseIterable, Codable, Sendable {
    case cat, dog, both

    public func includes(_ species: Species) -> Bool { self == .both || rawValue == species.rawValue }
}

extension Unhooked.Configuration {
    /// The configuration that applies until operators publish one.
    public static let standard = Unhooked.Configuration(
        energy: EnergyRule(gamma: 1, welcome: 150),
        limit: LimitRule(standard: 120, least: 15, most: 720),
        recovery: Recovery(
            cure: RecoveryRule(gems: 120, cooldownHours: 24, window: RecoveryRule.Window(most: 5, days: 30)),
            revive: RecoveryRule(gems: 400, cooldownHours: 168, window: RecoveryRule.Window(most: 2, days: 90)),
            restart: RecoveryRule(gems: 200, cooldownHours: 24)),
        foods: [
            food("kibble", .both, "Kibble", "Trockenfutter", 50, fullness: 25, mood: 2, buff: 0, "crunch"),
            food("pate", .both, "Pâté", "Pastete", 100, fullness: 50, mood: 8, buff: 0.02, "lick"),
            food("broth", .both, "Broth", "Brühe", 30, fullness: 10, mood: 6, buff: 0.01, "slurp"),
            food("tuna", .cat, "Tuna", "Thunfisch", 100, fullness: 40, mood: 15, buff: 0.05, "munch"),
            food("shrimp", .cat, "Shrimp", "Garnelen", 70, fullness: 20, mood: 15, buff: 0.05, "nibble"),
            food("cream", .cat, "Cream", "Sahne", 40, fullness: 10, mood: 20, buff: 0.03, "lick"),
            food("beef", .dog, "Beef", "Rindfleisch", 100, fullness: 45, mood: 12, buff: 0.05, "munch"),
            food("bone", .dog, "Bone", "Knochen", 60, fullness: 10, mood: 25, buff: 0.05, "gnaw"),
            food("biscuit", .dog, "Biscuit", "Hundekeks", 30, fullness: 8, mood: 12, buff: 0.03, "crunch"),
            feast,
        ],
        seasons: [
            Season(id: "spring", title: Words(en: "Spring", de: "Frühling"), from: "03-20", until: "06-20"),
            Season(id: "autumn", title: Words(en: "Autumn", de: "Herbst"), from: "09-22", until: "11-30"),
            Season(id: "winter", title: Words(en: "Winter", de: "Winter"), from: "12-01", until: "01-06"),
        ],
        cosmetics: [
            cosmetic("cap", .hat, "Cap", "Mütze", energy: 150),
            cosmetic("crown", .hat, "Crown", "Krone", gems: 150),
            cosmetic("wool-hat", .hat, "Woolly hat", "Wollmütze", energy: 200, season: "winter"),
            cosmetic("round-glasses", .glasses, "Round glasses", "Runde Brille", energy: 120),
            cosmetic("star-glasses", .glasses, "Star glasses", "Sternbrille", energy: 100, gems: 40),
            cosmetic("bell", .neck, "Bell", "Glöckchen", energy: 80),
            cosmetic("bow", .neck, "Bow", "Schleife", energy: 100),
            cosmetic("scarf", .neck, "Scarf", "Schal", energy: 160, season: "autumn"),
            cosmetic("raincoat", .coat, "Raincoat", "Regenmantel", energy: 250),
            cosmetic("cape", .coat, "Cape", "Umhang", gems: 220),
            cosmetic("meadow", .background, "Meadow", "Wiese", energy: 180, season: "spring"),
            cosmetic("night-sky", .background, "Night sky", "Nachthimmel", gems: 120),
        ],
        products: [
            Product(id: "gems_100", gems: 100), Product(id: "gems_500", gems: 500),
            Product(id: "gems_1200", gems: 1_200), Product(id: "gems_2500", gems: 2_500),
        ],
        memorial: MemorialRule(most: 24),
        flags: Flags(food: true, cosmetics: true, recovery: true, purchases: true, memorial: true))

    /// A food for both species, with different effects on each.
    private static let feast: Food = {
        var feast = food("feast", .both, "Feast", "Festmahl", 140, fullness: 80, mood: 25, buff: 0.08, "munch")
        feast.cat = Food.Override(fullness: 70, mood: 30)
        feast.dog = Food.Override(buff: 0.1, animation: "gulp")
        return feast
    }()

    private static func food(_ id: String, _ diet: Diet, _ en: String, _ de: String, _ energy: Int, fullness: Int, mood: Int,
                             buff: Double, _ animation: String) -> Food {
        Food(id: id, species: diet, title: Words(en: en, de: de), energy: energy,
             effect: Food.Effect(fullness: fullness, mood: mood, buff: buff, animation: animation))
    }

    private static func cosmetic(_ id: String, _ category: Cosmetic.Category, _ en: String, _ de: String, energy: Int = 0, gems: Int = 0,
                                 season: String? = nil) -> Cosmetic {
        Cosmetic(id: id, category: category, title: Words(en: en, de: de), price: Cosmetic.Price(energy: energy, gems: gems),
                 season: season, isForSale: true)
    }
}
