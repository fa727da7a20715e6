/// The health of a pet.
public enum Health: String, CaseIterable, Codable, Sendable { case healthy, sick, dead }

/// The health of a pet, with the fragile time after a revival as a value of its own.
public enum Condition: String, CaseIterable, Codable, Sendable {
    case healthy, fragile, sick, dead

    /// The largest buff (bonus for growth) that a day can have in this condition, in thousandths.
    var cap: Int {
        switch self {
        case .healthy: 250
        case .fragile: 150
        case .sick: 100
        case .dead: 0
        }
    }

    /// The names of the visual effects with which a pet in this condition is drawn.
    var effects: [String] {
        switch self {
        case .healthy: []
        case .fragile: ["pale", "bandage"]
        case .sick: ["pale", "shiver", "thermometer"]
        case .dead: ["grey", "still"]
        }
    }
}

/// A stage of growth. It depends on how many days the pet was fed.
public enum Stage: String, CaseIterable, Codable, Sendable {
    case baby, young, grown, old

    /// The growth at which the stage begins, in thousandths of a fed day.
    var from: Int {
        switch self {
        case .baby: 0
        case .young: 5_000
        case .grown: 20_000
        case .old: 60_000
        }
    }

    init(growth: Int) { self = Self.allCases.last { growth >= $0.from } ?? .baby }

    /// The stage after this one; nil for the last.
    var next: Stage? { Self.allCases.first { $0.from > from } }
}

/// A cat or a dog.
struct Pet: Codable, Equatable, Sendable {
    /// The Energy of the food that a pet must eat in a day to be fed.
    static let meal = 100
    /// The number of unfed days in a row after which a pet falls sick, and the number after which it dies.
    static let (sickAfter, deadAfter) = (3, 7)
    /// A sick pet recovers when it was fed on `recoveryFed` of the last `recoveryDays` days.
    static let (recoveryFed, recoveryDays) = (2, 3)
    /// The number of fed days for which a revived pet is fragile.
    static let fragileDays = 3
    /// The largest counts: a pet's fed days and growth do not grow beyond them.
    static let (mostFedDays, mostGrowth) = (1_000_000, 2_000_000_000)
    static let mostNumber = 1_000_000
    /// The points that a night takes from fullness, that it takes from an unfed pet's mood, and that it adds to a fed pet's mood.
    static let (hunger, gloom, comfort) = (40, 20, 5)

    /// The pet's number in the household, counted from 1.
    let number: Int
    var species: Species
    var name: String
    /// The pet's first day, counted from 1970-01-01 by the piece's clock.
    var born: Int
    /// The pet's last day; nil while it lives.
    var died: Int?
    var health = Health.healthy
    /// The number of fed days until the pet is not fragile any more; 0 for a pet that is not fragile.
    var fragile = 0
    var unfedDays = 0
    /// Whether the pet was fed on each of the last days, at most `recoveryDays`; oldest first.
    var fed: [Bool] = []
    var fedDays = 0
    /// How full the pet is, 0…100.
    var fullness = 50
    /// How happy the pet is, 0…100.
    var mood = 60
    /// The growth, in thousandths of a fed day.
    var growth = 0
    /// The ids of the cosmetics that the pet wears, by category. The household owns all of them.
    var worn: [String: String] = [:]

    init(number: Int, _ species: Species, name: String, born: Int) {
        self.number = number
        self.species = species
        self.name = name
        self.born = born
    }

    var stage: Stage { Stage(growth: growth) }

    var condition: Condition {
        switch health {
        case .healthy: fragile > 0 ? .fragile : .healthy
        case .sick: .sick
        case .dead: .dead
        }
    }

    /// Returns the buff of the day, in thousandths: `sum`, the sum of the foods' buffs, but at most the cap of the pet's condition.
    func buff(_ sum: Int) -> Int { min(condition.cap, sum) }

    mutating func eat(_ effect: Food.Effect) {
        fullness = min(100, fullness + effect.fullness)
        mood = min(100, mood + effect.mood)
    }

    /// A change that a reset has brought.
    enum Change: Equatable, Sendable { case fellSick, died, recovered, grew(Stage) }

    /// Ends the day `day`. `buff` is the buff of that day, in thousandths. A fed day counts as `pace` days for growth.
    mutating func endDay(_ day: Int, isFed: Bool, buff: Int, pace: Int = 1) -> [Change] {
        guard health != .dead else { return [] }
        var changes: [Change] = []
        fed = (fed + [isFed]).suffix(Self.recoveryDays)
        fullness = max(0, fullness - Self.hunger)
        mood = isFed ? min(100, mood + Self.comfort) : max(0, mood - Self.gloom)
        if isFed {
            let before = stage
            unfedDays = 0
            fedDays = min(Self.mostFedDays, fedDays + 1)
            fragile = max(0, fragile - 1)
            growth = min(Self.mostGrowth, growth + (1_000 + buff) * pace)
            if stage != before { changes.append(.grew(stage)) }
        } else {
            unfedDays += 1
        }
        if unfedDays >= Self.deadAfter {
            health = .dead
            died = day
            changes.append(.died)
        } else if unfedDays >= Self.sickAfter, health == .healthy {
            health = .sick
            changes.append(.fellSick)
        } else if health == .sick, fed.count(where: { $0 }) >= Self.recoveryFed {
            health = .healthy
            changes.append(.recovered)
        }
        return changes
    }

    /// Makes a sick pet healthy.
    mutating func cure() {
        health = .healthy
        unfedDays = 0
    }

    /// Makes a dead pet healthy, but fragile.
    mutating func revive() {
        health = .healthy
        died = nil
        fragile = Self.fragileDays
        unfedDays = 0
        fed = []
    }
}

/// A pet as it was when it died.
struct Memorial: Codable, Equatable, Sendable {
    var pet: Pet

    init?(_ pet: Pet) {
        guard pet.health == .dead else { return nil }
        self.pet = pet
    }
}
