/// How a pet is.
public enum Health: String, CaseIterable, Codable, Sendable { case healthy, sick, dead }

/// The same, with what a revival leaves behind.
public enum Condition: String, CaseIterable, Codable, Sendable {
    case healthy, fragile, sick, dead

    /// The most that the day's buff may be, in thousandths.
    var cap: Int {
        switch self {
        case .healthy: 250
        case .fragile: 150
        case .sick: 100
        case .dead: 0
        }
    }

    /// The names of what whoever draws is to show of the condition.
    var effects: [String] {
        switch self {
        case .healthy: []
        case .fragile: ["pale", "bandage"]
        case .sick: ["pale", "shiver", "thermometer"]
        case .dead: ["grey", "still"]
        }
    }
}

/// How far it has grown, by days on which it was fed.
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

    /// Nil for the last.
    var next: Stage? { Self.allCases.first { $0.from > from } }
}

/// A cat or a dog.
struct Pet: Codable, Equatable, Sendable {
    /// Energy worth of food in a day by which it is fed.
    static let meal = 100
    /// Days in a row that it was not fed.
    static let (sickAfter, deadAfter) = (3, 7)
    /// The fed days, of the last `recoveryDays`, that make a sick pet well.
    static let (recoveryFed, recoveryDays) = (2, 3)
    /// Fed days for which a revived pet is fragile.
    static let fragileDays = 3
    /// Neither is counted further.
    static let (mostFedDays, mostGrowth) = (1_000_000, 2_000_000_000)
    static let mostNumber = 1_000_000
    /// What a night takes of fullness, and of mood where it was not fed; and what it gives to mood where it was.
    static let (hunger, gloom, comfort) = (40, 20, 5)

    /// Counted in the household from 1.
    let number: Int
    var species: Species
    var name: String
    /// The pet's first day, counted from 1970-01-01 by the piece's clock.
    var born: Int
    /// Nil while it lives.
    var died: Int?
    var health = Health.healthy
    /// Fed days until it is as strong as before; 0 for as strong.
    var fragile = 0
    var unfedDays = 0
    /// Whether it was fed on each of the last days, at most `recoveryDays`, oldest first.
    var fed: [Bool] = []
    var fedDays = 0
    /// 0…100.
    var fullness = 50
    /// 0…100.
    var mood = 60
    /// The pet's growth, in thousandths of a fed day.
    var growth = 0
    /// The cosmetics that the pet wears, by category; each is owned.
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

    /// The day's buff of foods that sum to so much, in thousandths.
    func buff(_ sum: Int) -> Int { min(condition.cap, sum) }

    mutating func eat(_ effect: Food.Effect) {
        fullness = min(100, fullness + effect.fullness)
        mood = min(100, mood + effect.mood)
    }

    /// What a reset has brought.
    enum Change: Equatable, Sendable { case fellSick, died, recovered, grew(Stage) }

    /// The day `day` is over. `buff` is the day's, in thousandths. A fed one lets it grow as `pace` days.
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

    /// Sick → healthy.
    mutating func cure() {
        health = .healthy
        unfedDays = 0
    }

    /// Dead → healthy and fragile.
    mutating func revive() {
        health = .healthy
        died = nil
        fragile = Self.fragileDays
        unfedDays = 0
        fed = []
    }
}

/// A pet that died, as it was then.
struct Memorial: Codable, Equatable, Sendable {
    var pet: Pet

    init?(_ pet: Pet) {
        guard pet.health == .dead else { return nil }
        self.pet = pet
    }
}
