import Calendar
import Signals

/// All that a front end shows of the household and its pet.
public struct PetState: AnnouncementBody {
    /// A remedy that Gems pay for, as it is offered now.
    public struct Remedy: Encodable, Equatable, Sendable {
        public var gems: Int
        public var isOffered: Bool
        /// Why the remedy cannot be used now, in words; nil where it can be used.
        public var reason: String?
        /// The real seconds until the remedy can be used again; 0 where it can be used now.
        public var waits: Double
        /// How many more times the remedy can be used within its window; nil where it has no window.
        public var left: Int?
    }

    /// The limits for the screen time of a day that may be chosen, in minutes.
    public struct LimitRange: Encodable, Equatable, Sendable {
        public var least: Int
        public var most: Int
    }

    /// The state of a walk-up, where visitors stay for minutes.
    public struct WalkUpState: Encodable, Equatable, Sendable {
        /// Whether the pet is the visitor's own, and not the house's.
        public var isOwn: Bool
        /// Whether another pet can be chosen instead, because nothing has happened to this one.
        public var canAdopt: Bool
        /// Whether screen time can be reported: once a day, and with the house's pet once a visit.
        public var canReport: Bool
        /// Whether the house has revived its pet today.
        public var isRevived: Bool
    }

    /// The Gems that a visitor earns by staying away from the screen, and what it takes.
    public struct AwayState: Encodable, Equatable, Sendable {
        public var gems: Int
        /// The seconds for which no hand may touch the screen.
        public var seconds: Double
        /// How many more times staying away from the screen can earn Gems.
        public var left: Int
    }

    public var topic: String { "pet" }
    public var household: String
    public var day: Int
    public var date: String?
    /// The time of day by the piece's clock, as `HH:MM`.
    public var time: String
    /// The real seconds until the day is over, if nobody sets the clock before.
    public var dayEndsIn: Double
    /// The pet's number in the household, counted from 1.
    public var pet: Int
    public var name: String
    public var species: Species
    public var stage: Stage
    /// The number of fed days until the next stage, to a tenth; nil for the last stage.
    public var nextStageIn: Double?
    public var condition: Condition
    /// The names of the effects with which the pet is drawn.
    public var effects: [String]
    public var fullness: Int
    public var mood: Int
    public var unfedDays: Int
    public var fedDays: Int
    /// The number of days that the pet has lived, with today.
    public var age: Int
    public var worn: Outfit
    public var energy: Int
    public var gems: Int
    /// The Energy of the food that was eaten today. A pet needs 100.
    public var eaten: Int
    public var isFed: Bool
    /// Today's buff (bonus for growth), 0…0.25.
    public var buff: Double
    public var limitMinutes: Int
    /// The limit from the next reset on; nil where it stays the same.
    public var nextLimitMinutes: Int?
    /// The limits for the screen time that may be chosen.
    public var limitRange: LimitRange
    /// The screen time reported today, in minutes; nil before a report.
    public var usedMinutes: Int?
    /// The Energy that today would earn if it ended now; nil before a report.
    public var energyDue: Int?
    public var cure: Remedy
    public var revive: Remedy
    public var restart: Remedy
    /// The state of the walk-up; nil outside of a walk-up.
    public var walkUp: WalkUpState?
    /// What staying away from the screen earns; nil where it earns nothing in this house.
    public var away: AwayState?
}

/// The ids of the cosmetics that a pet wears, by category.
public struct Outfit: Encodable, Equatable, Sendable {
    public var hat: String?
    public var glasses: String?
    public var neck: String?
    public var coat: String?
    public var background: String?
}

extension Outfit {
    init(_ pet: Pet) { self.init(pet.worn) }

    init(_ worn: [String: String]) {
        func item(_ category: Cosmetic.Category) -> String? { worn[category.rawValue] }
        self.init(hat: item(.hat), glasses: item(.glasses), neck: item(.neck), coat: item(.coat), background: item(.background))
    }
}

extension Unhooked {
    func state(at now: Moment) -> PetState {
        var state = PetState(home, configuration, time, at: now, growthPace: growthPace)
        if isWalkUp {
            state.walkUp = PetState.WalkUpState(isOwn: !home.isHouse, canAdopt: home.isUntouched, canReport: home.today.hasReported != true,
                                                isRevived: home.today.isRevived == true)
        }
        if gemsForAway > 0 { state.away = PetState.AwayState(gems: gemsForAway, seconds: Away.seconds, left: home.breaksLeft) }
        return state
    }
}

extension PetState {
    init(_ home: Home, _ configuration: Unhooked.Configuration, _ time: PieceTime, at now: Moment, growthPace: Int = 1) {
        let pet = home.pet
        func remedy(_ recovery: Recovery) -> PetState.Remedy {
            let rule = recovery.rule(configuration)
            let fault = home.refusal(of: recovery, configuration, at: now)
            let next = home.recoveries.next(recovery, rule, at: now.seconds)
            return PetState.Remedy(
                gems: rule.gems, isOffered: fault == nil, reason: fault?.description, waits: time.realSeconds(max(0, next - now.seconds)),
                left: rule.window.map { max(0, $0.most - home.recoveries.used(recovery, $0, at: now.seconds)) })
        }
        let toCome = home.limitToCome(configuration.limit)
        self.init(
            household: home.household, day: home.day, date: time.date(of: home.day), time: clockFace(now.secondOfDay),
            dayEndsIn: time.realSeconds(Moment.day - now.secondOfDay), pet: pet.number, name: pet.name,
            species: pet.species, stage: pet.stage,
            nextStageIn: pet.stage.next.map { (Double($0.from - pet.growth) / Double(100 * growthPace)).rounded(.up) / 10 },
            condition: pet.condition, effects: pet.effects, fullness: pet.fullness, mood: pet.mood,
            unfedDays: pet.unfedDays, fedDays: pet.fedDays, age: (pet.died ?? home.day) - pet.born + 1, worn: Outfit(pet),
            energy: home.books.wallet(.energy), gems: home.books.wallet(.gems), eaten: home.today.eaten, isFed: home.isFed,
            buff: Double(home.buff) / 1_000, limitMinutes: home.limit,
            nextLimitMinutes: toCome == home.limit ? nil : toCome,
            limitRange: PetState.LimitRange(least: configuration.limit.least, most: configuration.limit.most),
            usedMinutes: home.today.used, energyDue: home.today.paid == nil ? home.energyDue(configuration) : 0,
            cure: remedy(.cure), revive: remedy(.revive), restart: remedy(.restart))
    }
}

extension Pet {
    /// The names of the effects with which the pet is drawn: those of its condition and, for a living pet, those of its fullness and mood.
    var effects: [String] {
        guard health != .dead else { return condition.effects }
        return condition.effects + (fullness < 25 ? ["hungry"] : []) + (mood < 30 ? ["sad"] : mood >= 70 ? ["sparkle"] : [])
    }
}
