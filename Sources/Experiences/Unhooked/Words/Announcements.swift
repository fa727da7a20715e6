import Calendar
import Experience
import Signals

/// A day is over. The figures are from before they are reset.
public struct DayOver: AnnouncementBody {
    public var topic: String { "day-over" }
    public var day: Int
    public var date: String?
    /// The screen time in minutes; nil where nothing was reported.
    public var usedMinutes: Int?
    public var limitMinutes: Int
    /// The Energy that the day was awarded.
    public var energy: Int
    /// The Energy of the food that was eaten on the day.
    public var eaten: Int
    public var isFed: Bool
    public var buff: Double
    /// The pet's condition after the day.
    public var condition: Condition
    public var unfedDays: Int
    public var text: Words

    init(_ record: DayRecord, _ time: PieceTime) {
        day = record.day
        date = time.date(of: record.day)
        usedMinutes = record.used
        limitMinutes = record.limit
        energy = record.energy
        eaten = record.eaten
        isFed = record.eaten >= Pet.meal
        buff = Double(record.buff) / 1_000
        condition = record.condition
        unfedDays = record.unfedDays
        text = Words(en: "\(record.energy) Energy earned", de: "\(record.energy) Energie verdient")
    }
}

/// A day has begun.
public struct DayBegun: AnnouncementBody {
    public var topic: String { "day-begun" }
    public var day: Int
    public var date: String?
    /// The days before this one on which the machine was off.
    public var daysOff: Int
}

/// A pet has fallen sick, died, or recovered by itself.
public struct HealthChange: AnnouncementBody {
    public var topic: String { "health" }
    public var day: Int
    /// The number of days that the pet has lived, with this one.
    public var age: Int
    public var health: Health
    public var unfedDays: Int
    public var text: Words

    init?(_ change: Pet.Change, _ pet: Pet, day: Int) {
        switch change {
        case .fellSick: text = Words(en: "\(pet.name) is sick", de: "\(pet.name) ist krank")
        case .died: text = Words(en: "\(pet.name) has died", de: "\(pet.name) ist gestorben")
        case .recovered: text = Words(en: "\(pet.name) is well again", de: "\(pet.name) ist wieder gesund")
        case .grew: return nil
        }
        self.day = day
        age = day - pet.born + 1
        health = pet.health
        unfedDays = pet.unfedDays
    }
}

/// A pet has reached another stage of growth.
public struct Grew: AnnouncementBody {
    public var topic: String { "growth" }
    public var stage: Stage
    public var fedDays: Int
}

/// A pet has eaten.
public struct Meal: AnnouncementBody {
    public var topic: String { "meal" }
    public var day: Int
    public var food: String
    public var species: Species
    public var energy: Int
    /// The name of the animation to draw.
    public var animation: String
    /// How full the pet is after the meal.
    public var fullness: Int
    /// The pet's mood after the meal.
    public var mood: Int
    /// The day's buff (bonus for growth) so far, 0…0.25.
    public var buff: Double
    public var eaten: Int
    public var isFed: Bool

    init(_ food: Food, _ home: Home) {
        day = home.day
        self.food = food.id
        species = home.pet.species
        energy = food.energy
        animation = food.effect(on: home.pet.species).animation
        fullness = home.pet.fullness
        mood = home.pet.mood
        buff = Double(home.buff) / 1_000
        eaten = home.today.eaten
        isFed = home.isFed
    }
}

/// A cosmetic was bought.
public struct Bought: AnnouncementBody {
    public var topic: String { "purchase" }
    public var day: Int
    public var cosmetic: String
    public var category: Cosmetic.Category
    public var energy: Int
    public var gems: Int

    init(_ cosmetic: Cosmetic, day: Int) {
        self.day = day
        self.cosmetic = cosmetic.id
        category = cosmetic.category
        energy = cosmetic.price.energy
        gems = cosmetic.price.gems
    }
}

/// Gems were bought by a receipt, or a purchase was refunded.
public struct GemsBought: AnnouncementBody {
    public var topic: String { "gems" }
    public var day: Int
    public var product: String
    /// The Gems that were bought, or that the refund took back; 1 or more.
    public var gems: Int
    public var isRefund: Bool
}

extension GemsBought {
    init(_ purchase: Purchase, of product: Unhooked.Configuration.Product, day: Int) {
        let gems = product.gems * purchase.quantity
        self.init(day: day, product: product.id, gems: purchase.isRefund ? purchase.takesBack(of: gems) : gems, isRefund: purchase.isRefund)
    }
}

/// A remedy was used: for Gems, or without Gems by the house.
public struct Recovered: AnnouncementBody {
    public var topic: String { "recovery" }
    public var day: Int
    public var recovery: Recovery
    public var gems: Int
    /// The number of unfed days in a row before the recovery.
    public var unfedDays: Int
    public var stage: Stage

    init(_ recovery: Recovery, gems: Int, _ before: Pet, day: Int) {
        self.day = day
        self.recovery = recovery
        self.gems = gems
        unfedDays = before.unfedDays
        stage = before.stage
    }
}

/// A pet has come into the memorial, or somebody looks at it there.
public struct Remembered: AnnouncementBody {
    public var topic: String { "memorial" }
    public var grave: Grave

    init(_ memorial: Memorial, _ time: PieceTime) { grave = Grave(memorial, time) }
}

/// Screen time was reported in a walk-up, and the Energy for it was paid at once.
public struct Earned: AnnouncementBody {
    public var topic: String { "earned" }
    public var day: Int
    public var usedMinutes: Int
    public var limitMinutes: Int
    public var energy: Int
}

/// No hand has touched the screen for long enough to earn Gems.
public struct StayedAway: AnnouncementBody {
    public var topic: String { "away" }
    public var day: Int
    public var gems: Int
    /// How many more times staying away from the screen can earn Gems.
    public var left: Int
}

/// The house's pet has eaten what good days of visitors' own pets have earned.
public struct Treated: AnnouncementBody {
    public var topic: String { "treat" }
    public var day: Int
    public var goodDays: Int
    public var eaten: Int
    public var isFed: Bool
}

/// A visitor's own pet now hangs on the house's wall.
public struct Hung: AnnouncementBody {
    public var topic: String { "wall" }
    public var portrait: Portrait
}

/// An event that the house has added was reported.
public struct Tracked: AnnouncementBody {
    public var topic: String { "tracked" }
    public var day: Int
    public var name: String
    public var value: String?
    /// How many times the event was reported for the household so far, this report included.
    public var count: Int
}

/// Energy or Gems have moved between accounts.
public struct Moved: AnnouncementBody {
    public var topic: String { "movement" }
    public var movement: Statement.Line

    init(_ movement: Movement) { self.movement = Statement.Line(movement) }
}

/// Operators have published another configuration.
public struct ShopChanged: AnnouncementBody {
    public var topic: String { "shop" }
    public var version: Int
}
