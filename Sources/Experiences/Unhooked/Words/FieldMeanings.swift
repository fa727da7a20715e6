import Experience

extension Unhooked {
    /// What fields of answers and announcements hold.
    static let meanings: [String: FieldMeaning] = texts.merging(values.mapValues(FieldMeaning.value)) { text, _ in text }

    /// What texts hold.
    private static let texts: [String: FieldMeaning] = [
        "animation": "for whoever draws, as the published catalogue has it",
        "background": item, "coat": item, "glasses": item, "hat": item, "neck": item,
        "bornDate": date, "date": date, "diedDate": date,
        "cosmetic": "id of a cosmetic, as unhooked.shop has it",
        "cosmetics.id": "of a cosmetic",
        "de": "in German",
        "effects": "for whoever draws, as in sparkle",
        "en": "in English",
        "food": "id of a food, as unhooked.shop has it",
        "foods.id": "of a food",
        "grave.name": "of the pet",
        "item": "id of the food, cosmetic or product; left out where it is of none",
        "items.id": "of a cosmetic",
        "key": "of the action, as the front end has made it; or what the rules did, and on which day",
        "last.kind": movements,
        "movement.kind": movements,
        "name": "of the pet",
        "product": "id of a product, as receipts have it",
        "products.id": "of a product, as receipts have it",
        "reason": "why it is not to be had now, in words for people; left out where it is",
        "season.id": "of the season",
        "season.start": "a day of the year, as in 12-24",
        "season.until": "a day of the year, as in 12-24",
        "time": "local time, as in 09:00",
    ]

    /// What numbers, words of a fixed set, and true or false say.
    private static let values: [String: String] = [
        "age": "days that the pet has lived, with today",
        "at": "when it was, in the piece's seconds since 1970",
        "born": "day on which it came, by the piece's clock",
        "buff": "what the day's food adds to growth, 0 to 0.25",
        "category": "of the cosmetic",
        "condition": "how the pet is",
        "cure.gems": "what it costs, Gems",
        "day": "number of the day, counted by the piece's clock",
        "day-over.energy": "what the day has earned, Energy",
        "dayEndsIn": "real seconds until the day is over",
        "days": "how many days it lived",
        "daysOff": "days before this one that were not lived, because the machine was off",
        "died": "day on which it died, by the piece's clock",
        "eaten": "Energy worth of food that day, of the 100 that a pet needs",
        "energy": "in the wallet, Energy",
        "energyDue": "what today would earn if it ended now, Energy; left out before a report",
        "fedDays": "days on which the pet had enough",
        "fullness": "0 to 100",
        "gems": "in the wallet, Gems",
        "gems.gems": "how many were bought or taken back, Gems",
        "health": "what the pet is from now on",
        "isFed": "whether the pet had enough that day",
        "isOffered": "whether it can be had now",
        "isRefund": "whether a purchase was refunded",
        "least": "the lowest limit that may be chosen, minutes a day",
        "left": "how often it can be had yet in its window of days; left out where there is no window",
        "limitMinutes": "how much screen time a day is enough, minutes",
        "meal.energy": "what the food cost, Energy",
        "mood": "0 to 100",
        "most": "the highest limit that may be chosen, minutes a day",
        "movement.number": "of the movement, counted in the household from 1",
        "nextLimitMinutes": "the limit from the next day on, minutes; left out for no change",
        "nextStageIn": "fed days until the next stage; left out of the last",
        "pet": "number of the pet, counted in the household from 1",
        "postings.account": "of the household's books",
        "postings.amount": "what the account got, in Energy or Gems; less than 0 for what it gave",
        "purchase.energy": "what the cosmetic cost, Energy",
        "purchase.gems": "what the cosmetic cost, Gems",
        "recovery": "what was done",
        "recovery.gems": "what it cost, Gems",
        "restart.gems": "what it costs, Gems",
        "revive.gems": "what it costs, Gems",
        "shop.version": "of the document that is in force now",
        "species": "of the pet",
        "stage": "how grown the pet is",
        "unfedDays": "days in a row on which the pet had not enough",
        "usedMinutes": "screen time that day, minutes; left out where nothing was reported",
        "waits": "real seconds until it can be had again; 0 for now",
    ]

    private static let item: FieldMeaning = "id of the cosmetic that is worn there; left out for none"
    private static let date: FieldMeaning = "a day, as in 2026-01-31; left out where the piece's days are not real ones"
    private static let movements = FieldMeaning.words(Movement.Kind.allCases.map(\.rawValue), about: "what the movement is for")
}
