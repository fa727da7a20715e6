import Calendar
import Experience

/// Everything that is known of one household. Durations are in the piece's seconds.
public struct Home: LivesByDays, Codable, Equatable, Sendable {
    /// The days of the household, which are kept beside the other fields (`Dated`).
    public var days = Days.unread
    var pet: Pet
    /// Pets that died, oldest first. How many of them are shown is published, and removes none.
    var memorial: [Memorial] = []
    /// Minutes of screen time.
    var limit: Int
    /// The limit from the next reset on; nil for the same.
    var nextLimit: Int?
    var today = Today()
    /// The use of yesterday as it was reported; nil where it was not.
    var yesterday: DayUse?
    /// Oldest first.
    var history: [DayRecord] = []
    /// Ids of cosmetics, in the order in which they came.
    var wardrobe: [String] = []
    var recoveries = Recoveries()
    var books = Books()
    /// Choices so far: no two of the ledger's entries have the same key.
    var choices = 0
    /// Good days of a visitor's own pet that the house has not heard of; nil for none.
    var goodDays: Int?
    /// Visitors' own pets, oldest first; nil for none, and of other households than the house's own.
    var wall: [HungPet]?
    /// Events of the house's own that were reported, by their names; nil for none.
    var events: [String: Int]?

    /// Pets of the memorial that are kept, the newest: as many as may ever be shown.
    static let mostRemembered = 100
    /// Days that are kept.
    static let longestHistory = 31
    /// Names of events that are counted: those of several documents, one after the other.
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

    /// Whether its first pet, or the first after it began anew, is as it came: nothing was fed, and no day is over.
    var isUntouched: Bool { history.isEmpty && today.eaten == 0 }

    /// The day's buff, in thousandths.
    var buff: Int { pet.buff(today.buff) }

    /// Whether the pet has had enough today.
    var isFed: Bool { today.eaten >= Pet.meal }

    /// Minutes, from the next reset on: as chosen, within the range that is published by then.
    func limitToCome(_ rule: Unhooked.Configuration.LimitRule) -> Int { min(max(nextLimit ?? limit, rule.least), rule.most) }

    /// The piece's clock runs at another speed: days have numbers that are greater by `days`.
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

/// The figures of the day that is lived.
struct Today: Codable, Equatable, Sendable {
    /// Minutes of screen time so far; nil before a report.
    var used: Int?
    /// Energy worth of food.
    var eaten = 0
    /// The sum of what was eaten, in thousandths, before the cap.
    var buff = 0
    /// Energy that reports of a walk-up have earned already; nil where there was none.
    var paid: Int?
    /// Whether this day of a walk-up, or this visit to the house's pet, has had its report; nil for no.
    var hasReported: Bool?
    /// How often staying away has earned Gems; nil for never.
    var breaks: Int?
    /// Whether the house has revived its pet on it; nil for no.
    var isRevived: Bool?
    /// Events of the house's own that were reported; nil for none.
    var events: Int?
}

/// A day that is over.
struct DayRecord: Codable, Equatable, Sendable {
    /// Counted from 1970-01-01 by the piece's clock.
    var day: Int
    /// Nil where nothing was reported.
    var used: Int?
    var limit: Int
    /// Awarded.
    var energy: Int
    var eaten: Int
    /// The day's buff, in thousandths.
    var buff: Int
    var condition: Condition
    var unfedDays: Int
}
