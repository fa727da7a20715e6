import Experience

extension Unhooked.Configuration {
    /// The configuration before anything is published.
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

    /// A food for both species, which each eats in its own way.
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
