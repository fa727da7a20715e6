import Calendar
import Experience
import Fields
import Signals

extension Unhooked {
    public static let declaration: Declaration = {
        guard let midnight = LocalTime("00:00") else { preconditionFailure("it is a time") }
        return Declaration(
            name: "unhooked", rulesVersion: 2, about: "a pet fed by restraint",
            actions: [
                ActionDeclaration("unhooked.report", about: "How much screen time there was today so far.") {
                    try UnhookedMove.readReport($0)
                },
                ActionDeclaration("unhooked.limit", about: "How much screen time a day is enough.") { try UnhookedMove.readLimit($0) },
                ActionDeclaration("unhooked.adopt", about: "A household's first pet is chosen, before it was ever fed.",
                                  isForHousehold: true) {
                    try UnhookedMove.readAdopt($0)
                },
                ActionDeclaration("unhooked.feed", about: "The pet is given food, for Energy.", isForHousehold: true) {
                    try UnhookedMove.readFeed($0)
                },
                ActionDeclaration("unhooked.buy", about: "A cosmetic is bought.", isForHousehold: true) { try UnhookedMove.readBuy($0) },
                ActionDeclaration("unhooked.wear", about: "An owned cosmetic is put on, or what is worn is taken off.") {
                    try UnhookedMove.readWear($0)
                },
                ActionDeclaration("unhooked.cure", about: "A sick pet is healthy, for Gems.", isForHousehold: true) {
                    try UnhookedMove.readRecovery(.cure, $0)
                },
                ActionDeclaration("unhooked.revive", about: "A dead pet lives, healthy and fragile, for Gems.", isForHousehold: true) {
                    try UnhookedMove.readRecovery(.revive, $0)
                },
                ActionDeclaration("unhooked.restart", about: "Another pet comes, for Gems; the one that died is remembered.",
                                  isForHousehold: true) {
                    try UnhookedMove.readRecovery(.restart, $0)
                },
                ActionDeclaration("unhooked.remember", about: "Somebody looks at a pet of the memorial.") {
                    try UnhookedMove.readRemember($0)
                },
                ActionDeclaration("unhooked.enter", about: "A visitor says whose pet it is.", entersHousehold: true) {
                    try UnhookedMove.readEnter($0)
                },
                ActionDeclaration("unhooked.track", about: "An event of the house's own has happened.", beginsVisit: false) {
                    try UnhookedMove.readTrack($0)
                },
                ActionDeclaration("unhooked.reset", about: "The household's pet begins anew, and so does the wall of the house.",
                                  beginsVisit: false, isForOperators: true, isForHousehold: true) { _ in UnhookedMove.reset },
                ActionDeclaration("unhooked.gift", about: "The household is given Energy or Gems, in an operator's name.",
                                  beginsVisit: false, isForOperators: true, isForHousehold: true) { try UnhookedMove.readGift($0) },
            ],
            purchase: PurchaseDeclaration("unhooked.purchase", about: "Gems were bought, or a purchase was refunded.") {
                UnhookedMove.purchase($0)
            },
            queries: [
                QueryDeclaration("unhooked.state", about: "The pet, its day, and the wallets.", result: "state",
                                 examples: [Example.state], inConfidence: stateInConfidence) { _ in Query.state },
                QueryDeclaration("unhooked.shop", about: "What can be bought, and what it would do.", result: "shop",
                                 examples: [Example.shop], inConfidence: shopInConfidence) { _ in Query.shop },
                QueryDeclaration("unhooked.wardrobe", about: "Cosmetics that are owned.", result: "wardrobe",
                                 examples: [Wardrobe(Example.home, .standard)]) { _ in Query.wardrobe },
                QueryDeclaration("unhooked.memorial", about: "Pets that died, newest first.", result: "memorial",
                                 examples: [MemorialList(Example.home, .standard, Example.time)]) { _ in Query.memorial },
                QueryDeclaration("unhooked.wall", about: "Pets of visitors to the exhibition, newest first.", result: "wall",
                                 examples: [Wall([HungPet(Example.dressed)])]) { _ in Query.wall },
                QueryDeclaration("unhooked.additions", about: "Switches and events of the house's own.", result: "additions",
                                 examples: [AdditionsList(Example.home, Example.added)]) { _ in Query.additions },
                QueryDeclaration("unhooked.ledger", about: "Every account, and the last \(Books.mostAnswers) movements.", result: "ledger",
                                 examples: [Statement(Example.home.books)], isAboutMoney: true) { _ in Query.ledger },
                QueryDeclaration("unhooked.history", about: "The last \(Home.longestHistory) days.", result: "history",
                                 examples: [PetHistory(Example.home, Example.time)],
                                 inConfidence: ["days.energy": .money, "days.text": .money]) { _ in Query.history },
            ],
            topics: [
                TopicDeclaration("pet", about: "Something that is shown has changed.", examples: [Example.state],
                                 causes: ["purchase.redeem", "unhooked.adopt", "unhooked.buy", "unhooked.cure", "unhooked.enter",
                                          "unhooked.feed", "unhooked.gift", "unhooked.limit", "unhooked.remember", "unhooked.report",
                                          "unhooked.reset", "unhooked.restart", "unhooked.revive", "unhooked.track", "unhooked.wear"],
                                 inConfidence: stateInConfidence),
                TopicDeclaration("day-over", about: "A day is over: what it earned, and how the pet is after it.",
                                 examples: [DayOver(Example.record, Example.time)], inConfidence: ["energy": .money, "text": .money]),
                TopicDeclaration("day-begun", about: "A day has begun.", examples: [DayBegun(day: 0, date: "", daysOff: 0)]),
                TopicDeclaration("health", about: "The pet has fallen sick, died, or recovered by itself.",
                                 examples: [HealthChange(.died, Example.home.pet, day: 0)].compactMap { $0 }),
                TopicDeclaration("growth", about: "The pet has come to another stage.", examples: [Grew(stage: .young, fedDays: 0)]),
                TopicDeclaration("meal", about: "The pet has eaten.", examples: [Example.meal].compactMap { $0 },
                                 causes: ["unhooked.feed"]),
                TopicDeclaration("purchase", about: "A cosmetic was bought.", examples: [Bought(Example.cosmetic, day: 0)],
                                 causes: ["unhooked.buy"], isAboutMoney: true),
                TopicDeclaration("gems", about: "Gems were bought by a receipt, or a purchase was refunded.",
                                 examples: [GemsBought(day: 0, product: "", gems: 0, isRefund: false)],
                                 causes: ["purchase.redeem"], isAboutMoney: true),
                TopicDeclaration("recovery", about: "Gems have healed, or the house has healed its pet for none.",
                                 examples: [Recovered(.cure, gems: 0, Example.home.pet, day: 0)],
                                 causes: ["unhooked.cure", "unhooked.restart", "unhooked.revive"], inConfidence: ["gems": .money]),
                TopicDeclaration("memorial", about: "A pet has come into the memorial, or is remembered there.",
                                 examples: Example.home.memorial.map { Remembered($0, Example.time) },
                                 causes: ["unhooked.remember", "unhooked.restart"]),
                TopicDeclaration("earned", about: "Screen time was said, and has earned Energy at once.",
                                 examples: [Earned(day: 0, usedMinutes: 0, limitMinutes: 120, energy: 0)],
                                 causes: ["unhooked.report"], inConfidence: ["energy": .money]),
                TopicDeclaration("away", about: "Hands off the screen have earned Gems.", examples: [StayedAway(day: 0, gems: 0, left: 0)],
                                 isAboutMoney: true),
                TopicDeclaration("treat", about: "The house's pet has eaten, by good days of visitors' own.",
                                 examples: [Treated(day: 0, goodDays: 1, eaten: 100, isFed: true)], causes: ["unhooked.enter"]),
                TopicDeclaration("wall", about: "A visitor's own pet has come to the wall.",
                                 examples: [Hung(portrait: Portrait(HungPet(Example.dressed)))], causes: ["unhooked.enter"]),
                TopicDeclaration("tracked", about: "An event of the house's own was reported.",
                                 examples: [Tracked(day: 0, name: "", value: "", count: 1)], causes: ["unhooked.track"]),
                TopicDeclaration("shop", about: "Operators have published other prices, catalogues or limits.",
                                 examples: [ShopChanged(version: 1)], causes: ["config.apply", "config.publish"]),
                TopicDeclaration("movement", about: "Something has moved in the books.", examples: [Moved(Example.movement)],
                                 causes: ["purchase.redeem", "unhooked.buy", "unhooked.cure", "unhooked.feed", "unhooked.gift",
                                          "unhooked.report", "unhooked.reset", "unhooked.restart", "unhooked.revive"],
                                 isAboutMoney: true),
            ],
            meanings: meanings, knobs: knobs, exhibition: exhibition,
            configurations: [
                ConfigurationDeclaration(Configuration.kind, about: "Prices, limits, catalogues, seasons and switches.",
                                         standard: Configuration.standard) { new, former, memories in
                    new.losses(of: memories, after: former)
                },
            ],
            forecast: Configuration.forecast, chimes: earcons, textures: voices, haptics: earcons,
            policy: .household(rollOver: midnight),
            snapshot: Declaration.Snapshot(field: "pet", query: "unhooked.state", glance: [
                .init("household", "household"), .init("day", "day"), .init("stage", "stage"), .init("condition", "condition"),
                .init("energy", "energy"),
            ]),
            telemetry: [days, meals, purchases, gems, recoveries, healthChanges, events], highlights: highlights,
            statistics: UnhookedStatistics.self,
            visitors: UserProfile.allCases.map(\.declaration) + [StrokingVisitor.declaration], rehearsal: rehearsal, page: "unhooked")
    }()

    /// The confidential fields of the pet's state. The reasons of refusals are among them, because they mention the balance.
    private static let stateInConfidence: [String: Confidence] = [
        "household": .name, "energy": .money, "gems": .money, "energyDue": .money, "cure": .money, "revive": .money, "restart": .money,
    ]
    private static let shopInConfidence: [String: Confidence] = [
        "energy": .money, "gems": .money, "foods.canBuy": .money, "foods.reason": .money, "cosmetics.canBuy": .money,
        "cosmetics.reason": .money,
    ]

    /// The names of the earcons. Each is both heard and felt.
    static let earcons = ["eating", "award", "cure", "revive", "restart", "death", "memorial", "purchase", "growth"]
    static let voices = ["purr-healthy", "purr-sick", "pant-healthy", "pant-sick"]
}

/// Example answers and announcements with every optional part, from which the shapes of real ones are described.
private enum Example {
    static let time = PieceTime(dayMinutes: PieceTime.realDay)
    static let cosmetic = Cosmetic(id: "", category: .hat, title: Words(en: "", de: ""), price: Cosmetic.Price(energy: 1, gems: 0),
                                   season: "", isForSale: true)
    static let movement = Movement(number: 1, .food, .eaten(1), key: .action(""), item: "", at: 0)
    static let record = DayRecord(day: 0, used: 0, limit: 120, energy: 0, eaten: 0, buff: 0, condition: .healthy, unfedDays: 0)
    static let home: Home = {
        var home = Home(Days("", time, at: Moment(seconds: 0, offset: 0)), .standard)
        var dead = home.pet
        dead.health = .dead
        dead.died = 0
        for category in Cosmetic.Category.allCases { dead.worn[category.rawValue] = "" }
        home.memorial = Memorial(dead).map { [$0] } ?? []
        home.wardrobe = ["cap"]
        home.history = [record]
        home.books.enter(.award, .awarded(1), key: .rules(""), item: "", at: 0)
        return home
    }()
    static let added: Unhooked.Configuration = {
        var added = Unhooked.Configuration.standard
        added.additions = Unhooked.Configuration.Additions(
            features: [.init(id: "feature.new_system", isOn: true)], events: ["custom_event"])
        return added
    }()
    static let dressed: Home = {
        var dressed = home
        for category in Cosmetic.Category.allCases { dressed.pet.worn[category.rawValue] = "" }
        return dressed
    }()
    static let meal: Meal? = Unhooked.Configuration.standard.foods.first.map { Meal($0, home) }
    static let shop: Shop = {
        var shop = Shop(home, .standard)
        for index in shop.foods.indices { shop.foods[index].reason = "" }
        for index in shop.cosmetics.indices {
            shop.cosmetics[index].reason = ""
            shop.cosmetics[index].season = Unhooked.Configuration.standard.seasons.first.map(Shop.SeasonDays.init)
        }
        return shop
    }()
    static let state: PetState = {
        let remedy = PetState.Remedy(gems: 0, isOffered: false, reason: "", waits: 0, left: 0)
        return PetState(household: "", day: 0, date: "", time: "", dayEndsIn: 0, pet: 1, name: "", species: .cat, stage: .baby,
                        nextStageIn: 0, condition: .healthy, effects: [""], fullness: 0, mood: 0, unfedDays: 0, fedDays: 0, age: 1,
                        worn: Outfit(hat: "", glasses: "", neck: "", coat: "", background: ""), energy: 0, gems: 0, eaten: 0,
                        isFed: false, buff: 0,
                        limitMinutes: 120, nextLimitMinutes: 60, limitRange: PetState.LimitRange(least: 15, most: 720), usedMinutes: 0,
                        energyDue: 0, cure: remedy, revive: remedy, restart: remedy,
                        walkUp: PetState.WalkUpState(isOwn: true, canAdopt: true, canReport: true, isRevived: false),
                        away: PetState.AwayState(gems: 0, seconds: Away.seconds, left: 0))
    }()
}
