import Experience

extension Unhooked {
    /// What texts of answers and announcements hold.
    static let texts: [String: TextMeaning] = [
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
        "season.from": "a day of the year, as in 12-24",
        "season.id": "of the season",
        "season.until": "a day of the year, as in 12-24",
        "time": "local time, as in 09:00",
    ]

    private static let item: TextMeaning = "id of the cosmetic that is worn there; left out for none"
    private static let date: TextMeaning = "a day, as in 2026-01-31; left out where the piece's days are not real ones"
    private static let movements = TextMeaning.words(Movement.Kind.allCases.map(\.rawValue))
}
