import Unhooked

/// What there is to buy, as the catalogue lists it. What follows from the list is worked out here, without the piece's own rules.
struct Menu {
    private let catalogue = Unhooked.Configuration.standard
    var foods: [Food] { catalogue.foods }
    var cosmetics: [Cosmetic] { catalogue.cosmetics }

    /// What a food is to a pet; nil where it is nothing for it.
    func dish(_ food: Food, dog: Bool) -> PetModel.Dish? {
        guard food.species.rawValue == (dog ? "dog" : "cat") || food.species.rawValue == "both" else { return nil }
        let own = dog ? food.dog : food.cat
        return PetModel.Dish(energy: food.energy, fullness: own?.fullness ?? food.effect.fullness, mood: own?.mood ?? food.effect.mood,
                             thousandths: Int(((own?.buff ?? food.effect.buff) * 1_000).rounded()))
    }

    /// Whether a cosmetic is sold on a day, counted from 1970-01-01.
    func isInSeason(_ cosmetic: Cosmetic, on day: Int) -> Bool {
        guard let season = catalogue.seasons.first(where: { $0.id == cosmetic.season }) else { return true }
        func number(_ date: String) -> Int { Int(date.prefix(2) + date.suffix(2)) ?? 0 }
        let (from, until, today) = (number(season.from), number(season.until), Self.monthAndDay(day))
        // Over the turn of the year it is all but the days between.
        return from <= until ? from <= today && today <= until : !(until < today && today < from)
    }

    /// 1231 for 31 December, by walking from 1970 on, whose calendar comes again after 400 years.
    private static func monthAndDay(_ day: Int) -> Int {
        var (rest, year) = (day % 146_097, 1_970)
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
        while rest >= (isLeap(year) ? 366 : 365) {
            rest -= isLeap(year) ? 366 : 365
            year += 1
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while rest >= lengths[month] {
            rest -= lengths[month]
            month += 1
        }
        return (month + 1) * 100 + rest + 1
    }
}
