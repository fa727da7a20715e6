import Experience
import Signals

// How a household lives in a walk-up, where visitors stay for minutes. An app whose pets live for months calls none of this.
extension Home {
    /// The largest number of pets on the wall. If there are more, the oldest are removed.
    static let mostOnWall = 40
    /// The largest number of good days that one visit can bring to the house's pet.
    static let mostGoodDays = 7
    /// The number of days as which a fed day of a visitor's own pet counts for its growth.
    static let fastGrowth = 4

    /// Whether this is the house's own household.
    var isHouse: Bool { household == Household.home }

    /// Adopts the screen time of the whole day, and pays the Energy for it at once. Returns the movement; nil where the day earns nothing.
    mutating func earn(by minutes: Int, _ configuration: Unhooked.Configuration, at now: Int) -> Movement? {
        today.used = minutes
        today.hasReported = true
        let energy = energyDue(configuration) ?? 0
        today.paid = (today.paid ?? 0) + energy
        return energy > 0 ? books.enter(.award, .awarded(energy), key: .rules("award \(day)"), at: now) : nil
    }

    /// Pays Gems because no hand was on the screen. Returns the movement; nil where this was paid as often as it may be.
    mutating func stayAway(gems: Int, at now: Int) -> Movement? {
        guard breaksLeft > 0 else { return nil }
        today.breaks = (today.breaks ?? 0) + 1
        return books.enter(.away, .stayedAway(gems), key: .rules("away"), at: now)
    }

    /// How many more times staying away from the screen can earn Gems in this visit.
    var breaksLeft: Int { max(0, Away.most - (today.breaks ?? 0)) }

    /// Prepares the house's pet for another visitor, who may again report screen time and stay away. Returns a movement that raises the
    /// Energy to half a meal; nil where the wallet has at least that, and for other households.
    mutating func beginVisit(at now: Int) -> Movement? {
        guard isHouse else { return nil }
        today.hasReported = nil
        today.breaks = nil
        let missing = Pet.meal / 2 - books.wallet(.energy)
        return missing > 0 ? books.enter(.welcome, .awarded(missing), key: .rules("welcome"), at: now) : nil
    }

    /// Revives the house's pet without Gems. Returns the pet as it was before; nil where it is alive, or not the house's.
    mutating func reviveForNothing() -> Pet? {
        guard isHouse, pet.health == .dead else { return nil }
        let before = pet
        pet.revive()
        today.isRevived = true
        return before
    }

    /// Feeds the house's pet with a meal for each good day of visitors' own pets, at most `mostGoodDays`. Returns the movement. Returns
    /// nil, and changes nothing, where there are no such days, where the pet is dead, and for other households.
    mutating func treat(goodDays: Int, at now: Int) -> Movement? {
        let days = min(goodDays, Self.mostGoodDays)
        guard isHouse, days > 0, pet.health != .dead else { return nil }
        today.eaten += Pet.meal * days
        pet.fullness = min(100, pet.fullness + 20 * days)
        pet.mood = min(100, pet.mood + 5 * days)
        return books.enter(.treat, .treated(Pet.meal * days), key: .rules("treat"), at: now)
    }

    /// Hangs a visitor's own pet on the house's wall, in place of an earlier picture of the same pet.
    mutating func hang(_ portrait: HungPet) {
        let others = (wall ?? []).filter { $0.household != portrait.household || $0.number != portrait.number }
        wall = (others + [portrait]).suffix(Self.mostOnWall)
    }

    /// Returns what a visitor leaves to the house: a picture of the visitor's own pet, and its good days. Nil where nothing has happened to
    /// that pet, and for the house's household.
    mutating func part() -> Farewell? {
        guard !isHouse, !isUntouched else { return nil }
        defer { goodDays = nil }
        return Farewell(portrait: HungPet(self), goodDays: goodDays ?? 0)
    }

    /// Returns a new household for the next guest. It continues the books of this household, because the ledger has their movements.
    func forNextGuest(_ days: Days, _ configuration: Unhooked.Configuration) -> Home {
        var home = Home(days, configuration)
        home.books = books
        home.choices = choices
        home.pet = Pet(number: nextNumber, .cat, name: Self.standardName, born: days.day)
        return home
    }

    /// Returns the Energy and Gems that the last guest has left to their sources. The result is the movement; nil where the guest has left
    /// neither.
    mutating func giveBack(at now: Int) -> Movement? {
        let (energy, gems) = (max(0, books.wallet(.energy)), max(0, books.wallet(.gems)))
        return energy + gems > 0 ? books.enter(.returned, .returned(energy: energy, gems: gems), key: .rules("returned"), at: now) : nil
    }

    /// Lets the household begin anew. It keeps its books, its wardrobe and its memorial, to which a dead pet is added. Its wall is cleared.
    /// Returns the movement that raises the wallet to a new household's Energy; nil where the wallet has at least that.
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
    /// The household of the visitor, which is shown to nobody.
    var household: String
    /// The pet's number in its household.
    var number: Int
    var name: String
    var species: Species
    var growth: Int
    var condition: Condition
    /// The number of days that the pet has lived.
    var days: Int
    var fedDays: Int
    var worn: [String: String]

    init(_ home: Home) {
        let pet = home.pet
        (household, number, name, species) = (home.household, pet.number, pet.name, pet.species)
        (growth, condition, fedDays, worn) = (pet.growth, pet.condition, pet.fedDays, pet.worn)
        days = (pet.died ?? home.day) - pet.born + 1
    }

    /// Whether the values are valid: whether this version of the rules can have stored them.
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

/// The time for which nobody has touched the screen while a visitor is there.
struct Away: Equatable, Sendable {
    /// The seconds without a hand on the screen that earn Gems once.
    static let seconds = 10.0
    /// How many times staying away from the screen earns Gems in a visit at most.
    static let most = 6

    /// When the last hand left the screen, in seconds since 1970-01-01 in UTC; nil while a hand is on it, and until a visitor first touches
    /// it.
    private var since: Double?
    private var isHeld = false

    /// The time from which no hand has been on the screen for long enough, in seconds since 1970-01-01 in UTC; nil while a hand is on the
    /// screen or nobody has touched it.
    var due: Double? { since.map { $0 + Self.seconds } }

    /// Notes from the cues in `usual` whether a hand has touched the screen or left it.
    mutating func feel(_ usual: [Cue], at now: Double) {
        for cue in usual {
            switch cue {
            case .toneGate(open: let isOpen):
                isHeld = isOpen
                since = isOpen ? nil : now
            case .stop:
                if isHeld { since = now }
                isHeld = false
            default: break
            }
        }
    }

    /// Notes that somebody has acted without touching the screen: the time without hands begins anew.
    mutating func note(at now: Double) { if !isHeld { since = now } }

    /// Returns true if no hand has been on the screen for long enough at `now`. The count of seconds then begins anew, as it does if the
    /// clock was set back.
    mutating func isOver(at now: Double) -> Bool {
        guard let since else { return false }
        guard now >= since else {
            self.since = now
            return false
        }
        guard now >= since + Self.seconds else { return false }
        self.since = now
        return true
    }

    /// Notes that the visitor has gone, so that no time without hands is counted.
    mutating func stop() { since = nil }
}
