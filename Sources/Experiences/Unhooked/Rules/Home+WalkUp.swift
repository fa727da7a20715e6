import Calendar
import Experience

// What a household's days are like where visitors stay for minutes. In an app's months none of it is called.
extension Home {
    /// Pets that the wall shows, the newest.
    static let mostOnWall = 40
    /// Good days that one visit brings to the house's pet, at most.
    static let mostGoodDays = 7
    /// A fed day of a visitor's own pet lets it grow like so many.
    static let fastGrowth = 4

    /// Whether it is the house's own.
    var isHouse: Bool { household == Household.home }

    /// Screen time that is said is the day's, and what it earns comes at once. Nil where it earns nothing.
    mutating func earn(by minutes: Int, _ configuration: Unhooked.Configuration, at now: Int) -> Movement? {
        today.used = minutes
        today.hasReported = true
        let energy = energyDue(configuration) ?? 0
        today.paid = (today.paid ?? 0) + energy
        return energy > 0 ? books.enter(.award, .awarded(energy), key: .rules("award \(day)"), at: now) : nil
    }

    /// Gems for hands off the screen; nil where there were enough of them.
    mutating func stayAway(gems: Int, at now: Int) -> Movement? {
        guard breaksLeft > 0 else { return nil }
        today.breaks = (today.breaks ?? 0) + 1
        return books.enter(.away, .stayedAway(gems), key: .rules("away"), at: now)
    }

    /// How often yet staying away earns Gems: today, and with the house's pet in this visit.
    var breaksLeft: Int { max(0, Away.most - (today.breaks ?? 0)) }

    /// Another visitor has come to the house's pet, who may say screen time and stay away, too, and finds Energy for half a meal whatever
    /// those before have done. Nil where it is there.
    mutating func beginVisit(at now: Int) -> Movement? {
        guard isHouse else { return nil }
        today.hasReported = nil
        today.breaks = nil
        let missing = Pet.meal / 2 - books.wallet(.energy)
        return missing > 0 ? books.enter(.welcome, .awarded(missing), key: .rules("welcome"), at: now) : nil
    }

    /// The house's pet lives again; nil where it lives. It is as it was before, for the house.
    mutating func reviveForNothing() -> Pet? {
        guard isHouse, pet.health == .dead else { return nil }
        let before = pet
        pet.revive()
        today.isRevived = true
        return before
    }

    /// The house's pet eats what so many good days of visitors' own pets have earned.
    mutating func treat(goodDays: Int, at now: Int) -> Movement? {
        let days = min(goodDays, Self.mostGoodDays)
        guard isHouse, days > 0, pet.health != .dead else { return nil }
        today.eaten += Pet.meal * days
        pet.fullness = min(100, pet.fullness + 20 * days)
        pet.mood = min(100, pet.mood + 5 * days)
        return books.enter(.treat, .treated(Pet.meal * days), key: .rules("treat"), at: now)
    }

    /// A visitor's own pet hangs on the house's wall, in the place of its earlier picture.
    mutating func hang(_ portrait: HungPet) {
        let others = (wall ?? []).filter { $0.household != portrait.household || $0.number != portrait.number }
        wall = (others + [portrait]).suffix(Self.mostOnWall)
    }

    /// What a visitor leaves behind: nil where nothing has happened to their own pet.
    mutating func part() -> Farewell? {
        guard !isHouse, !isUntouched else { return nil }
        defer { goodDays = nil }
        return Farewell(portrait: HungPet(self), goodDays: goodDays ?? 0)
    }

    /// A new household for the next guest. The books go on, because the ledger has what is in them.
    func forNextGuest(_ days: Days, _ configuration: Unhooked.Configuration) -> Home {
        var home = Home(days, configuration)
        home.books = books
        home.choices = choices
        home.pet = Pet(number: nextNumber, .cat, name: Self.standardName, born: days.day)
        return home
    }

    /// Gives back what the last guest left; nil for nothing.
    mutating func giveBack(at now: Int) -> Movement? {
        let (energy, gems) = (max(0, books.wallet(.energy)), max(0, books.wallet(.gems)))
        return energy + gems > 0 ? books.enter(.returned, .returned(energy: energy, gems: gems), key: .rules("returned"), at: now) : nil
    }

    /// The household begins anew, but for its books, its wardrobe and its memorial, in which a dead pet comes. The house's wall is empty.
    /// Returns the Energy for its first day, where the wallet has less.
    mutating func reset(_ configuration: Unhooked.Configuration, at now: Int) -> Movement? {
        memorial = (memorial + (Memorial(pet).map { [$0] } ?? [])).suffix(Self.mostRemembered)
        pet = Pet(number: nextNumber, .cat, name: Self.standardName, born: day)
        (today, yesterday, history, recoveries) = (Today(), nil, [], Recoveries())
        (limit, nextLimit) = (configuration.limit.standard, nil)
        (goodDays, wall) = (nil, nil)
        let missing = configuration.energy.welcome - books.wallet(.energy)
        return missing > 0 ? books.enter(.welcome, .awarded(missing), key: .rules("welcome"), at: now) : nil
    }

    private var nextNumber: Int { pet.number % Pet.mostNumber + 1 }
}

/// A visitor's own pet on the house's wall, as it was when the visitor left.
struct HungPet: Codable, Equatable, Sendable {
    /// Whose it was, which is told to nobody.
    var household: String
    /// The pet's number in its household.
    var number: Int
    var name: String
    var species: Species
    var growth: Int
    var condition: Condition
    /// Days that it has lived.
    var days: Int
    var fedDays: Int
    var worn: [String: String]

    init(_ home: Home) {
        let pet = home.pet
        (household, number, name, species) = (home.household, pet.number, pet.name, pet.species)
        (growth, condition, fedDays, worn) = (pet.growth, pet.condition, pet.fedDays, pet.worn)
        days = (pet.died ?? home.day) - pet.born + 1
    }

    /// Whether these rules can have written it.
    var isWell: Bool {
        let names = 1...UnhookedMove.longestName
        return names.contains(household.count) && names.contains(name.count) && (0...Pet.mostGrowth).contains(growth)
            && (0...Pet.mostFedDays).contains(fedDays) && worn.keys.allSatisfy { Cosmetic.Category(rawValue: $0) != nil }
    }
}

/// What a visitor leaves to the house.
struct Farewell: Equatable, Sendable {
    var portrait: HungPet
    var goodDays: Int
}
