import Calendar
import Experience
import Fields
import Signals
import Testing
@testable import Unhooked
import Units

/// The rules where visitors stay for minutes, as an exhibition has them.
@Suite struct WalkUpTests {
    private func owner(at start: Double = 9 * 3_600, dayMinutes: Double = 1_440) -> Owner {
        var knobs = Unhooked.exhibition
        knobs[PieceTime.dayMinutesKnob] = .number(dayMinutes)
        return Owner(at: start, knobs: knobs)
    }

    private func enterGuest(_ owner: inout Owner) throws {
        try owner.act("enter", ["household": .text(Household.guest)])
    }

    @Test func `the standards of the knobs are the app's months, and an exhibition's values are allowed`() throws {
        let declaration = Unhooked.declaration
        #expect(declaration.exhibition == Unhooked.exhibition && declaration.exhibition.values.count == 3)
        #expect(!KnobSettings.standard.isOn(WalkUp.knob) && KnobSettings.standard.number(Unhooked.awayGems) == 0)
        let state = Owner().state
        #expect(state.walkUp == nil && state.away == nil)
    }

    @Test func `with the exhibition off nothing of it is there`() throws {
        var owner = Owner()
        owner.visit(.began)
        try owner.report(30)
        #expect(owner.said(Earned.self).isEmpty && owner.state.energy == 150 && owner.state.energyDue == 113)
        try owner.report(40)
        #expect(owner.state.usedMinutes == 40, "screen time can be said again")
        try owner.act(.touch(Touch(.began, finger: 1, x: 0.5, y: 0.5)))
        try owner.act(.touch(Touch(.ended, finger: 1, x: 0.5, y: 0.5)))
        owner.wait(60)
        #expect(owner.state.gems == 0 && owner.ledger.map(\.kind) == ["welcome"])
        try enterGuest(&owner)
        try owner.feed("kibble")
        owner.visit(.ended)
        #expect(owner.said(Hung.self).isEmpty && owner.said(Treated.self).isEmpty && owner.piece.hung.isEmpty)
        owner.visit(.began)
        try enterGuest(&owner)
        #expect(owner.state.energy == 100 && owner.state.eaten == 50, "a guest is a household as any other")
        guard case .object(let memory)? = owner.run.memory, case .object(let home)? = memory["home"] else {
            Issue.record("it is remembered")
            return
        }
        #expect(Set(home.keys).isDisjoint(with: ["goodDays", "wall", "events"]))
    }

    @Test func `screen time earns at once, once a day, and nothing more when the day is over`() throws {
        var owner = owner()
        try enterGuest(&owner)
        try owner.report(30)
        // 150 · (1 − 30/120)
        #expect(owner.said(Earned.self) == [Earned(day: owner.home.day, usedMinutes: 30, limitMinutes: 120, energy: 113)])
        #expect(owner.state.energy == 150 + 113 && owner.state.walkUp?.canReport == false && owner.state.energyDue == 0)
        #expect(throws: Fault.self) { try owner.report(0) }
        owner.wait(30)
        #expect(owner.said(DayOver.self).map(\.energy) == [113] && owner.state.energy == 150 + 113)
        // The mean with yesterday's: 150 · (1 − (30/120 + 150/120) / 2)
        try owner.report(150)
        #expect(owner.said(Earned.self).map(\.energy) == [38])
        #expect(owner.home.books.sum(.energy) == 0)
    }

    @Test func `with the house's pet screen time is said once a visit`() throws {
        var owner = owner()
        owner.visit(.began)
        try owner.report(0)
        #expect(owner.state.energy == 300)
        #expect(throws: Fault.self) { try owner.report(0) }
        owner.visit(.ended)
        owner.visit(.began)
        try owner.report(600)
        #expect(owner.state.energy == 300, "what is over the limit earns nothing, and takes nothing from others")
        owner.visit(.began)
        try owner.report(60)
        #expect(owner.state.energy == 375)
        owner.wait(days: 1)
        #expect(owner.said(DayOver.self).map(\.energy) == [225])
    }

    @Test func `a visitor's own pet lives a week in three and a half minutes, and grows by five fed days`() throws {
        var owner = owner()
        try enterGuest(&owner)
        try owner.act("adopt", ["species": .text("dog"), "name": .text("Otto")])
        #expect(owner.cues == [.chime("growth"), .haptic("growth")])
        for _ in 0..<5 {
            try owner.report(0)
            try owner.feed("beef")
            owner.wait(30)
        }
        // 4 × (1 + 0.05) a day, five times
        #expect(owner.pet.growth == 21_000 && owner.state.stage == .grown && owner.pet.fedDays == 5)
        owner.wait(3 * 30)
        #expect(owner.state.condition == .sick)
        owner.wait(4 * 30)
        #expect(owner.state.condition == .dead && owner.state.age == 12)
    }

    @Test func `within three minutes a visitor's pet is fed, dressed, sick, cured with Gems for staying away, and on the wall`() throws {
        var owner = owner()
        let start = owner.now
        owner.visit(.began)
        try enterGuest(&owner)
        try owner.act("adopt", ["species": .text("dog"), "name": .text("Otto")])
        try owner.report(0)
        try owner.feed("beef")
        try owner.pay("buy", ["cosmetic": .text("bell")])
        try owner.act("wear", ["category": .text("neck"), "cosmetic": .text("bell")])
        #expect(owner.state.energy == 150 + 150 - 100 - 80 && owner.state.gems == 0)
        owner.wait(30)
        owner.wait(3 * 30)
        #expect(owner.state.condition == .sick && owner.said(HealthChange.self).map(\.health) == [.sick])
        #expect(owner.state.gems >= 120 && owner.balance(.gemsEarned) == -owner.state.gems && owner.state.cure.isOffered)
        try owner.pay("cure")
        #expect(owner.state.condition == .healthy)
        try owner.report(60)
        try owner.feed("beef")
        owner.wait(30)
        owner.visit(.ended)
        let portrait = try #require(owner.said(Hung.self).first?.portrait)
        #expect(portrait.name == "Otto" && portrait.days == 6 && portrait.fedDays == 2 && portrait.stage == .young)
        #expect(portrait.condition == .healthy && owner.piece.hung.first?.worn == ["neck": "bell"])
        #expect(owner.said(Treated.self).map(\.goodDays) == [2] && owner.now - start < 180)
    }

    @Test func `the house's pet lives again when it has died, for nothing, and days on which it was closed take nothing`() throws {
        var owner = owner(at: 0.5, dayMinutes: 10)
        owner.wait(6 * 600)
        #expect(owner.state.condition == .sick && owner.state.unfedDays == 6)
        owner.wait(600)
        #expect(owner.said(HealthChange.self).map(\.health) == [.dead])
        #expect(owner.said(Recovered.self).map(\.gems) == [0] && owner.state.condition == .fragile)
        #expect(owner.state.walkUp?.isRevived == true && owner.cues.contains(.chime("revive")))
        try owner.feed("kibble")
        owner.wait(600)
        #expect(owner.state.walkUp?.isRevived == false)
        owner.restart(after: 9 * 600, knobs: owner.piece.life.knobs)
        #expect(owner.state.condition == .fragile && owner.state.unfedDays == 2)
    }

    @Test func `one that died before the exhibition began lives with its next start`() {
        var owner = Owner(at: 0.5)
        owner.wait(days: 8)
        #expect(owner.state.condition == .dead)
        owner.restart(knobs: Unhooked.exhibition)
        #expect(owner.state.condition == .fragile)
    }

    @Test func `ten seconds without a hand earn Gems, six times a visit, from an account of their own`() throws {
        var owner = owner()
        func touch(_ phase: Touch.Phase) throws { try owner.act(.touch(Touch(phase, finger: 1, x: 0.5, y: 0.5))) }
        owner.wait(100)
        #expect(owner.state.gems == 0, "nobody is there")
        owner.visit(.began)
        try touch(.began)
        owner.wait(30)
        #expect(owner.state.gems == 0, "a hand is on it")
        try touch(.ended)
        owner.wait(9.9)
        #expect(owner.state.gems == 0)
        owner.wait(0.2)
        #expect(owner.state.gems == 40 && owner.said(StayedAway.self) == [StayedAway(day: owner.home.day, gems: 40, left: 5)])
        owner.wait(5)
        try owner.report(10)
        owner.wait(9)
        #expect(owner.state.gems == 40, "it begins anew by what somebody does")
        owner.wait(3_600)
        #expect(owner.state.gems == 240 && owner.balance(.gemsEarned) == -240 && owner.home.books.sum(.gems) == 0)
        #expect(owner.ledger.count { $0.kind == "away" } == 6)
        owner.visit(.ended)
        owner.visit(.began)
        owner.wait(60)
        #expect(owner.state.gems == 240, "who has touched nothing has not put anything down")
        try touch(.began)
        try touch(.ended)
        owner.wait(10.1)
        #expect(owner.state.gems == 280)
    }

    @Test func `a visitor's own midnights give no more for staying away, and the next visitor has all of it`() throws {
        var owner = owner()
        owner.visit(.began)
        try enterGuest(&owner)
        try owner.act("adopt", ["species": .text("dog"), "name": .text("Otto")])
        owner.wait(100)
        #expect(owner.said(DayOver.self).count == 3 && owner.state.gems == 240 && owner.state.away?.left == 0)
        owner.visit(.ended)
        owner.visit(.began)
        try enterGuest(&owner)
        #expect(owner.state.away?.left == 6)
    }

    @Test func `a named household that goes and comes back within a visit stays away six times in all`() throws {
        var owner = owner()
        owner.visit(.began)
        for _ in 0..<2 {
            try owner.act("enter", ["household": .text("badge 7")])
            try owner.report(0)
            owner.wait(100)
            #expect(owner.state.gems == 240 && owner.state.away?.left == 0)
            try owner.act("enter")
            #expect(owner.home.household == Household.home)
        }
        owner.visit(.ended)
        owner.visit(.began)
        try owner.act("enter", ["household": .text("badge 7")])
        #expect(owner.state.gems == 240 && owner.state.away?.left == 6, "the next visit has all of it again")
    }

    @Test(arguments: [0.0, 1, 14, 29]) func `a guest's first day is a whole one, whenever they come`(_ seconds: Double) throws {
        var owner = owner(at: 9 * 3_600 + seconds)
        owner.visit(.began)
        try enterGuest(&owner)
        #expect(owner.state.time == "00:00" && owner.state.dayEndsIn == 30 && owner.state.age == 1)
        owner.wait(29)
        #expect(owner.said(DayOver.self).isEmpty)
        owner.wait(2)
        #expect(owner.said(DayOver.self).count == 1 && owner.state.age == 2)
    }

    @Test func `a visitor's pet goes to the wall, its good days feed the house's, and the next guest begins anew`() throws {
        var owner = owner()
        owner.visit(.began)
        try enterGuest(&owner)
        try owner.act("adopt", ["species": .text("dog"), "name": .text("Otto")])
        try owner.feed("beef")
        owner.wait(30)
        try owner.report(0)
        owner.wait(3)
        owner.visit(.ended)
        #expect(owner.home.household == Household.home)
        #expect(owner.said(Hung.self).map(\.portrait.name) == ["Otto"] && owner.said(Treated.self).map(\.goodDays) == [1])
        #expect(owner.state.isFed && owner.state.eaten == 100 && owner.ledger.contains { $0.kind == "treat" })
        let hung = owner.piece.hung
        #expect(hung.count == 1 && hung[0].days == 2 && hung[0].fedDays == 1 && hung[0].species == .dog)

        try enterGuest(&owner)
        #expect(owner.state.walkUp == PetState.WalkUpState(isOwn: true, canAdopt: true, canReport: true, isRevived: false))
        #expect(owner.state.name == "Mo" && owner.state.energy == 150 && owner.state.pet == 2, "the last guest's Energy is given back")
        #expect(owner.ledger.contains { $0.kind == "returned" && $0.transfers.first?.amount == 200 })
        #expect(owner.piece.hung == hung, "the wall is seen from here, too")
        owner.visit(.ended)
        #expect(owner.said(Hung.self).isEmpty, "nothing has happened to this one")
        // It is kept.
        owner.restart(knobs: Unhooked.exhibition)
        #expect(owner.piece.hung == hung)
    }

    @Test func `a named household goes on where it was, and its pet hangs once`() throws {
        var owner = owner()
        for day in 1...2 {
            try owner.act("enter", ["household": .text("badge 7")])
            try owner.feed("kibble")
            try owner.report(0)
            owner.wait(30)
            // The day on which it left is over when it comes back, and the days after it were not lived.
            #expect(owner.home.history.count == 2 * day - 1)
            owner.visit(.ended)
            owner.wait(3_600)
        }
        #expect(owner.piece.hung.map(\.household) == ["badge 7"] && owner.state.eaten == 0)
    }

    @Test func `the wall has the newest forty`() throws {
        var owner = owner()
        for guest in 0..<45 {
            try enterGuest(&owner)
            try owner.act("adopt", ["species": .text("cat"), "name": .text("\(guest)")])
            try owner.feed("broth")
            owner.visit(.ended)
        }
        #expect(owner.piece.hung.map(\.name) == (5..<45).map { "\($0)" })
        #expect(Wall(owner.piece.hung).pets.first?.name == "44")
    }

    @Test func `who comes when all Energy is spent finds enough for half a meal`() throws {
        var owner = owner()
        for _ in 0..<3 {
            owner.visit(.began)
            try owner.feed("kibble")
            owner.visit(.ended)
        }
        #expect(owner.state.energy == 0)
        owner.visit(.began)
        #expect(owner.state.energy == 50 && owner.ledger.count { $0.kind == "welcome" } == 2 && owner.home.books.sum(.energy) == 0)
    }

    @Test func `a guest buys nothing that a receipt is for`() throws {
        var owner = owner()
        try enterGuest(&owner)
        let receipt: [String: JSONValue] = [
            "transactionId": .text("1"), "originalTransactionId": .text("1"), "productId": .text("gems_100"),
            "bundleId": .text("org.example"), "environment": .text("Production"), "purchaseDate": .integer(1), "quantity": .integer(1),
        ]
        let fault = try #require(throws: Fault.self) { try owner.act("purchase", receipt) }
        #expect(fault.field == "household")
    }

    @Test func `operators give by name, once a key, and have a household begin anew`() throws {
        for name in ["unhooked.reset", "unhooked.gift"] {
            let action = try #require(Unhooked.declaration.action(name))
            #expect(action.isForOperators && !action.beginsVisit)
        }
        var owner = Owner(at: 0.5)
        let gift: [String: JSONValue] = ["gems": .integer(200), "by": .text("Ada"), "key": .text("g-1")]
        try owner.act("gift", gift)
        try owner.act("gift", gift)
        #expect(owner.state.gems == 200 && owner.balance(.gemsGiven) == -200 && owner.home.books.sum(.gems) == 0)
        let entry = try #require(owner.ledger.first { $0.kind == "gift" })
        #expect(entry.note == .object(["by": .text("Ada")]))
        #expect(throws: Fault.self) { try owner.act("gift", ["by": .text("Ada"), "key": .text("g-2")]) }
        try owner.feed("pate")
        owner.wait(days: 8)
        #expect(owner.state.condition == .dead)
        try owner.act("reset")
        #expect(owner.state.condition == .healthy && owner.state.pet == 2 && owner.home.memorial.map(\.pet.number) == [1])
        #expect(owner.state.energy == 150 && owner.state.gems == 200 && owner.ledger.last?.kind == "choice")
        try owner.act("adopt", ["species": .text("dog")])
        #expect(owner.state.species == .dog)
    }

    @Test func `in an app's months a dead pet is no end, because operators give what another one costs`() throws {
        var owner = Owner(at: 0.5)
        owner.wait(days: 8)
        #expect(owner.state.condition == .dead && !owner.state.restart.isOffered)
        try owner.act("gift", ["gems": .integer(200), "by": .text("Ada"), "key": .text("g-1")])
        try owner.pay("restart", ["species": .text("dog"), "name": .text("Otto")])
        #expect(owner.state.condition == .healthy && owner.state.species == .dog && owner.state.gems == 0)
        #expect(owner.home.memorial.map(\.pet.number) == [1])
    }

    /// Somebody new every three minutes, for eight hours: how many meet a living pet, and of those who stay 90 s how many can feed one.
    @Test(arguments: [1, 2, 3], [10.0, 1_440])
    func `for eight hours everybody meets a living pet and can feed one`(seed: UInt64, dayMinutes: Double) throws {
        var owner = owner(at: 10 * 3_600, dayMinutes: dayMinutes)
        var draws = SplitMix64(seed: seed)
        func below(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }
        var (alive, stayed, fed, endings) = (0, 0, 0, 0)
        let visitors = 160
        for _ in 0..<visitors {
            let start = owner.now
            owner.visit(.began)
            if owner.pet.health != .dead { alive += 1 }
            let stays = [20.0, 60, 90, 120, 170][below(5)]
            let hasOwn = below(3) > 0
            if hasOwn {
                try enterGuest(&owner)
                try owner.act("adopt", ["species": .text(below(2) == 0 ? "cat" : "dog")])
            }
            var hasFed = false
            while owner.now - start < stays {
                if owner.state.walkUp?.canReport == true { try owner.report(below(500)) }
                for food in ["pate", "kibble", "broth"] where owner.home.refusal(ofFood: food, owner.piece.configuration) == nil {
                    try owner.feed(food)
                    hasFed = true
                    break
                }
                owner.wait(min(Double(5 + below(20)), start + 175 - owner.now))
            }
            if stays >= 90 { (stayed, fed) = (stayed + 1, fed + (hasFed ? 1 : 0)) }
            owner.visit(.ended)
            if hasOwn, owner.said(Hung.self).count == 1 { endings += 1 }
            #expect(owner.home.books.sum(.energy) == 0 && owner.home.books.sum(.gems) == 0)
            owner.wait(max(0, start + 180 - owner.now))
        }
        #expect(alive >= visitors * 95 / 100, "\(alive) of \(visitors)")
        #expect(fed >= stayed * 95 / 100, "\(fed) of \(stayed)")
        #expect(endings > visitors / 2)
    }
}
