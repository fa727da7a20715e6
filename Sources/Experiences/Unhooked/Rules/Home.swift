import Calendar
import Experience

/// All data of one household. Durations are in seconds of the piece's clock.
public struct Home: LivesByDays, Codable, Equatable, Sendable {
    /// The days of the household's life. `Dated` stores them beside the other fields.
    public var days = Days.unread
    var pet: Pet
    /// Pets that died, oldest first. The configuration limits how many are shown, but removes none from here.
    var memorial: [Memorial] = []
    /// The limit for today's screen time, in minutes.
    var limit: Int
    /// The limit from the next daily reset on, in minutes; nil where it stays the same.
    var nextLimit: Int?
    var today = Today()
    /// Yesterday's screen time and limit; nil where nothing was reported.
    var yesterday: DayUse?
    /// The days that are over, oldest first.
    var history: [DayRecord] = []
    /// The ids of the owned cosmetics, in the order in which they came.
    var wardrobe: [String] = []
    var recoveries = Recoveries()
    var books = Books()
    /// The number of choices (settings changed without a movement) so far. It is part of their keys in the ledger, so that no two entries
    /// have the same key.
    var choices = 0
    /// Good days of a visitor's own pet that were not yet credited to the house's pet; nil where there are none.
    var goodDays: Int?
    /// The house's wall: visitors' own pets, oldest first. Nil while it is empty, and in all households but the house's own.
    var wall: [HungPet]?
    /// How many times each of the events that the house has added was reported, by name; nil before the first report.
    var events: [String: Int]?

    /// The largest number of pets that the memorial stores. It is the largest number that a configuration can show. The newest pets stay.
    static let mostRemembered = 100
    /// The largest number of past days that are stored.
    static let longestHistory = 31
    /// The largest number of event names that are counted. It is enough for the events of four configurations in a row.
    static let mostEventNames = 4 * Unhooked.Configuration.Additions.most

    private enum CodingKeys: CodingKey {
        case pet, memorial, limit, nextLimit, today, yesterday, history, wardrobe, recoveries, books, choices, goodDays, wall, events
    }

    init(_ days: Days, _ configuration: Unhooked.Configuration) {
        self.days = days
        pet = Pet(number: 1, .cat, name: Self.standardName, born: days.day)
        limit = configuration.limit.standard
    }

    static let standardName = "Mo"

    /// Whether nothing has happened to the pet since the household began, or began anew: the pet was not fed, and no day is over.
    var isUntouched: Bool { history.isEmpty && today.eaten == 0 }

    /// The buff (bonus for growth) that today's food gives, in thousandths.
    var buff: Int { pet.buff(today.buff) }

    /// Whether the pet has eaten a meal's Energy today.
    var isFed: Bool { today.eaten >= Pet.meal }

    /// Returns the limit from the next reset on, in minutes: the chosen one, clamped to the range of `rule`.
    func limitToCome(_ rule: Unhooked.Configuration.LimitRule) -> Int { min(max(nextLimit ?? limit, rule.least), rule.most) }

    /// Adapts to a piece's clock of another speed, which numbers the days differently: raises the numbers of all days by `days`.
    mutating func move(by days: Int, from old: Moment, to new: Moment) {
        for index in history.indices { history[index].day = Days.moved(history[index].day, by: days) }
        pet.move(by: days)
        for index in memorial.indices { memorial[index].pet.move(by: days) }
        recoveries.move(by: new.seconds - old.seconds)
    }
}

extension Pet {
    fileprivate mutating func move(by days: Int) {
        born = Days.moved(born, by: days)
        died = died.map { Days.moved($0, by: days) }
    }
}

/// The figures of the current day.
struct Today: Codable, Equatable, Sendable {
    /// The screen time reported so far, in minutes; nil before a report.
    var used: Int?
    /// The Energy of the food that was eaten today.
    var eaten = 0
    /// The sum of the buffs of the foods eaten today, in thousandths, before the cap of the pet's condition applies.
    var buff = 0
    /// The Energy that was already paid today for reports in a walk-up; nil before the first of them.
    var paid: Int?
    /// True once screen time was reported: on this day of a walk-up or, for the house's pet, in this visit. Else nil; false is never
    /// stored.
    var hasReported: Bool?
    /// How many times staying away from the screen has earned Gems; nil where it has not.
    var breaks: Int?
    /// True once the house has revived its pet today in a walk-up. Else nil; false is never stored.
    var isRevived: Bool?
    /// How often events that the house has added were reported today; nil before the first report.
    var events: Int?
}

/// The figures of a day that is over.
struct DayRecord: Codable, Equatable, Sendable {
    /// The number of the day, counted from 1970-01-01 by the piece's clock.
    var day: Int
    /// The screen time in minutes; nil where nothing was reported.
    var used: Int?
    var limit: Int
    /// The Energy that the day was awarded.
    var energy: Int
    var eaten: Int
    /// The day's buff (bonus for growth), limited by the cap of the pet's condition, in thousandths.
    var buff: Int
    var condition: Condition
    var unfedDays: Int
}
