import Experience

/// What can be bought, and what each food would do to this household's pet.
struct Shop: Encodable, Sendable {
    struct Dish: Encodable, Sendable {
        var id: String
        var title: Words
        var energy: Int
        var animation: String
        var canBuy: Bool
        /// Why the food cannot be bought now, in words; nil where it can be bought.
        var reason: String?
        /// The pet's fullness after the meal.
        var fullness: Int
        var mood: Int
        var buff: Double
        /// Whether the pet would have eaten enough for today after this meal.
        var feeds: Bool
    }

    struct Garment: Encodable, Sendable {
        var id: String
        var title: Words
        var category: Cosmetic.Category
        var energy: Int
        var gems: Int
        /// The season in which the cosmetic can be bought; nil where it can always be bought.
        var season: SeasonDays?
        var isOwned: Bool
        var canBuy: Bool
        var reason: String?
    }

    /// A season as clients receive it.
    struct SeasonDays: Encodable, Sendable {
        var id: String
        var title: Words
        /// The first day, as `MM-DD`.
        var start: String
        /// The last day, as `MM-DD`.
        var until: String

        init(_ season: Season) { (id, title, start, until) = (season.id, season.title, season.from, season.until) }
    }

    var energy: Int
    var gems: Int
    /// The foods that this pet eats.
    var foods: [Dish]
    /// The cosmetics that are sold now, and those that the household owns.
    var cosmetics: [Garment]
    var products: [Unhooked.Configuration.Product]

    init(_ home: Home, _ configuration: Unhooked.Configuration) {
        energy = home.books.wallet(.energy)
        gems = home.books.wallet(.gems)
        let species = home.pet.species
        foods = configuration.flags.food ? configuration.foods.filter { $0.species.includes(species) }.map { food in
            let effect = food.effect(on: species)
            let fault = home.refusal(ofFood: food.id, configuration)
            var pet = home.pet
            pet.eat(effect)
            return Dish(id: food.id, title: food.title, energy: food.energy, animation: effect.animation, canBuy: fault == nil,
                        reason: fault?.description, fullness: pet.fullness, mood: pet.mood,
                        buff: Double(pet.buff(home.today.buff + effect.thousandths)) / 1_000,
                        feeds: home.today.eaten + food.energy >= Pet.meal)
        } : []
        cosmetics = configuration.flags.cosmetics ? configuration.cosmetics.compactMap { item in
            let season = item.season.flatMap(configuration.season)
            let isOwned = home.wardrobe.contains(item.id)
            guard isOwned || item.isForSale && season?.includes(home.day) ?? true else { return nil }
            let fault = home.refusal(ofCosmetic: item.id, configuration)
            return Garment(id: item.id, title: item.title, category: item.category, energy: item.price.energy, gems: item.price.gems,
                           season: season.map(SeasonDays.init), isOwned: isOwned, canBuy: fault == nil, reason: fault?.description)
        } : []
        products = configuration.flags.purchases ? configuration.products : []
    }
}

/// The cosmetics that the household owns, and which of them the pet wears.
struct Wardrobe: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        var id: String
        var title: Words
        var category: Cosmetic.Category
        var isWorn: Bool
    }

    var items: [Item]

    init(_ home: Home, _ configuration: Unhooked.Configuration) {
        items = home.wardrobe.compactMap { id in
            configuration.cosmetic(id).map {
                Item(id: id, title: $0.title, category: $0.category, isWorn: home.pet.worn[$0.category.rawValue] == id)
            }
        }
    }
}
