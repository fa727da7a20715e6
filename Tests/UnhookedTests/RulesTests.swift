import Experience
import Fields
import Signals
import Testing
@testable import Unhooked

@Suite struct RulesTests {
    @Test func `a pet is sick after 3 days without food, and dead after 7`() throws {
        var owner = Owner()
        var conditions: [Condition] = []
        for _ in 0..<8 {
            owner.wait(days: 1)
            conditions.append(owner.pet.condition)
        }
        #expect(conditions == [.healthy, .healthy, .sick, .sick, .sick, .sick, .dead, .dead])
        #expect(owner.home.history.map(\.unfedDays) == [1, 2, 3, 4, 5, 6, 7, 7] && owner.pet.died == 20_460)
        #expect(owner.pet.mood == 0 && owner.pet.fullness == 0 && owner.state.effects == ["grey", "still"])
        let fault = #expect(throws: Fault.self) { try owner.feed("kibble") }
        #expect(fault?.field == "food" && fault?.found == "Mo, who is dead")
    }

    @Test func `99 Energy worth of food is not enough, and 100 is`() throws {
        var owner = Owner()
        try owner.feed("kibble")
        try owner.feed("cream")
        #expect(!owner.state.isFed && owner.state.eaten == 90)
        owner.wait(days: 1)
        #expect(owner.pet.unfedDays == 1 && owner.pet.fedDays == 0)
        try owner.report(0)
        owner.wait(days: 1)
        try owner.feed("kibble")
        try owner.feed("kibble")
        #expect(owner.state.isFed)
        owner.wait(days: 1)
        #expect(owner.pet.unfedDays == 0 && owner.pet.fedDays == 1 && owner.pet.growth == 1_000)
    }

    @Test func `a sick pet recovers by itself when 2 of the last 3 days were fed`() throws {
        var owner = Owner()
        for _ in 0..<3 { try owner.report(0); owner.wait(days: 1) }
        #expect(owner.pet.health == .sick)
        try owner.feed()
        try owner.report(0)
        owner.wait(days: 1)
        #expect(owner.pet.health == .sick && owner.pet.unfedDays == 0)
        owner.wait(days: 1)
        #expect(owner.pet.health == .sick)
        try owner.feed()
        owner.wait(days: 1)
        #expect(owner.pet.health == .healthy && owner.said(HealthChange.self).map(\.health) == [.healthy])
        #expect(owner.said(HealthChange.self).first?.text.de == "Mo ist wieder gesund")
    }

    @Test func `days that the machine was off are resets without food`() throws {
        for (days, condition) in [(1, Condition.healthy), (3, .sick), (6, .sick), (7, .dead), (400, .dead), (300_000, .dead)] {
            var owner = Owner()
            owner.restart(after: Double(days) * 86_400)
            #expect(owner.pet.condition == condition, "\(days)")
            #expect(owner.said(DayBegun.self).map(\.daysOff) == [days - 1])
            #expect(owner.home.day == owner.day && owner.said(HealthChange.self).count == (days < 3 ? 0 : days < 7 ? 1 : 2))
        }
    }

    @Test func `the day's buff is the sum of the food's, at most the cap of how the pet is`() throws {
        #expect(Condition.allCases.map(\.cap) == [250, 150, 100, 0])
        var owner = Owner(gems: 1_000)
        for _ in 0..<8 { try owner.report(0); owner.wait(days: 1); try owner.feed("pate") }
        for _ in 0..<5 { try owner.feed("cream") }
        // 2 % and five times 3 %.
        #expect(owner.state.buff == 0.17)
        for _ in 0..<5 { try owner.feed("cream") }
        #expect(owner.state.buff == 0.25 && owner.home.today.buff == 320)
        owner.wait(days: 1)
        #expect(owner.pet.growth == 8 * 1_000 + 7 * 20 + 250 && owner.state.buff == 0)
    }

    @Test func `stages come with fed days`() throws {
        var owner = Owner()
        var stages: [Int: Stage] = [:]
        for _ in 0..<61 {
            try owner.report(0)
            try owner.feed("kibble")
            try owner.feed("kibble")
            owner.wait(days: 1)
            for grown in owner.said(Grew.self) { stages[grown.fedDays] = grown.stage }
        }
        #expect(stages == [5: .young, 20: .grown, 60: .old])
    }

    @Test func `a cure is for the sick, 24 h after the last, and 5 in 30 days`() throws {
        var owner = Owner(gems: 2_000)
        func refused(_ owner: Owner, _ name: String = "cure") -> String? {
            var owner = owner
            do {
                try owner.pay(name, name == "restart" ? ["species": .text("dog")] : [:])
                return nil
            } catch { return "\(error)" }
        }
        #expect(refused(owner) == "expected a pet that is sick, found one that is healthy")
        for cures in 1...5 {
            owner.wait(days: 3)
            #expect(owner.pet.health == .sick && owner.state.cure.left == 6 - cures)
            try owner.pay("cure")
            #expect(owner.pet.condition == .healthy && owner.balance(.gemsWallet) == 2_000 - 120 * cures)
            #expect(refused(owner) == "expected a pet that is sick, found one that is healthy")
        }
        owner.wait(days: 3)
        #expect(refused(owner) == "expected at most 5 in 30 days, found one more")
        #expect(owner.state.cure.isOffered == false && owner.state.cure.waits == 15 * 86_400)
        #expect(refused(owner, "revive") == "expected a pet that is dead, found one that is sick")
    }

    @Test func `a revived pet is fragile for three fed days, and one restarts with another pet`() throws {
        var owner = Owner(gems: 900)
        owner.wait(days: 7)
        #expect(owner.pet.health == .dead)
        try owner.pay("revive")
        #expect(owner.pet.condition == .fragile && owner.balance(.gemsWallet) == 500 && owner.state.effects.contains("bandage"))
        for _ in 0..<3 {
            #expect(owner.pet.condition == .fragile)
            try owner.report(0)
            owner.wait(days: 1)
            try owner.feed()
        }
        owner.wait(days: 1)
        #expect(owner.pet.condition == .healthy)
        owner.wait(days: 7)
        try owner.pay("restart", ["species": .text("dog"), "name": .text("Rex")])
        #expect(owner.pet.name == "Rex" && owner.pet.species == .dog && owner.pet.number == 2 && owner.balance(.gemsWallet) == 300)
        #expect(owner.home.memorial.map { $0.pet.name } == ["Mo"] && owner.home.memorial.first?.pet.fedDays == 3)
        #expect(owner.said(Remembered.self).first?.grave.days == 18)
    }

    @Test func `a third revival in 90 days is refused, and so is what comes before its cooldown is over`() throws {
        var owner = Owner(gems: 2_000)
        for _ in 0..<2 {
            owner.wait(days: 7)
            try owner.pay("revive")
        }
        owner.wait(days: 7)
        let fault = #expect(throws: Fault.self) { try owner.pay("revive") }
        #expect(fault?.expected == "at most 2 in 90 days" && owner.state.revive.waits == 76 * 86_400)
        var recoveries = Recoveries()
        let rule = Unhooked.Configuration.standard.recovery.restart
        recoveries.note(.restart, at: 1_000)
        #expect(recoveries.next(.restart, rule, at: 2_000) == 1_000 + 86_400 && recoveries.next(.restart, rule, at: 90_000) == 90_000)
        #expect(recoveries.next(.cure, rule, at: 2_000) == 2_000)
        recoveries.bound(by: 500)
        #expect(recoveries.next(.restart, rule, at: 600) == 500 + 86_400, "after the clock was set back")
    }

    @Test func `cosmetics are worn one of a category, and change nothing else`() throws {
        var owner = Owner(gems: 400)
        let before = owner.pet
        try owner.pay("buy", ["cosmetic": .text("crown")])
        try owner.act("wear", ["category": .text("hat"), "cosmetic": .text("crown")])
        #expect(owner.state.worn == Outfit(hat: "crown") && owner.balance(.gemsWallet) == 250 && owner.balance(.energyWallet) == 150)
        var pet = owner.pet
        pet.worn = [:]
        #expect(pet == before)
        for (name, fields) in [("buy", ["cosmetic": "crown"]), ("buy", ["cosmetic": "scarf"]), ("buy", ["cosmetic": "raincoat"]),
                               ("wear", ["category": "hat", "cosmetic": "cap"]), ("wear", ["category": "neck", "cosmetic": "crown"]),
                               ("wear", ["category": "neck"])] {
            var fields = fields.mapValues { JSONValue.text($0) }
            if name == "buy" { fields["key"] = .text("x") }
            #expect(throws: Fault.self, "\(fields)") { try owner.act(name, fields) }
        }
        try owner.act("wear", ["category": .text("hat")])
        #expect(owner.state.worn == Outfit())
    }

    @Test func `a season's cosmetic is in the shop until its last day`() throws {
        var owner = Owner()
        func offered() throws -> Bool {
            guard let shop = try owner.piece.answer(.shop, at: owner.clock) as? Shop else { return false }
            return shop.cosmetics.contains { $0.id == "wool-hat" }
        }
        #expect(try offered())
        owner.wait(days: 5)
        #expect(try offered(), "6 January")
        owner.wait(days: 1)
        #expect(try !offered())
        let fault = #expect(throws: Fault.self) { try owner.pay("buy", ["cosmetic": .text("wool-hat")]) }
        #expect(fault?.expected == "one of this time of the year")
    }

    @Test func `the shop shows what a food would do, and what a dog does not eat is not there`() throws {
        var owner = Owner()
        try owner.act("adopt", ["species": .text("dog")])
        guard let shop = try owner.piece.answer(.shop, at: owner.clock) as? Shop else { Issue.record("a shop"); return }
        #expect(shop.foods.map(\.id) == ["kibble", "pate", "broth", "beef", "bone", "biscuit", "feast"])
        let feast = try #require(shop.foods.last)
        try owner.feed("feast")
        #expect(feast.fullness == owner.pet.fullness && feast.mood == owner.pet.mood && feast.buff == owner.state.buff && feast.feeds)
        #expect(owner.said(Meal.self).map(\.animation) == ["gulp"] && feast.animation == "gulp")
        #expect(throws: Fault.self) { try owner.act("adopt", ["species": .text("cat")]) }
    }

    @Test func `a day of minutes is the same day`() throws {
        var owner = Owner(at: 0.5, knobs: KnobSettings(["day-minutes": .number(5)]), gems: 500)
        owner.wait(3 * 300)
        #expect(owner.pet.health == .sick && owner.state.date == nil)
        try owner.pay("cure")
        #expect(owner.state.cure.waits == 300)
        owner.wait(7 * 300)
        #expect(owner.pet.health == .dead && owner.home.history.count == 10)
    }

    @Test func `turning the day's length keeps the pet, its age, and what it waits for`() throws {
        var owner = Owner(gems: 500)
        owner.wait(days: 3)
        try owner.pay("cure")
        try owner.act(.knob(KnobChange("day-minutes", .number(10))))
        #expect(owner.state.age == 4 && owner.pet.health == .healthy && owner.state.cure.waits == 600)
        owner.wait(3 * 600)
        #expect(owner.pet.health == .sick)
        try owner.act(.knob(KnobChange("day-minutes", .number(1_440))))
        #expect(owner.state.date == "2026-01-04" && owner.state.age == 7)
    }

    @Test func `a household that has lived fast for ten years is remembered when its days are real ones again`() throws {
        var owner = Owner(knobs: KnobSettings(["day-minutes": .number(1)]), gems: 1_000)
        owner.wait(3 * 60)
        try owner.pay("cure")
        owner.wait(9 * 60)
        try owner.pay("restart", ["species": .text("cat")])
        for _ in 0..<3 {
            owner.restart(after: 3 * 365 * 86_400, knobs: KnobSettings(["day-minutes": .number(1)]))
            owner.restart(knobs: .standard)
            let memory = try #require(owner.run.memory)
            #expect(throws: Never.self) { try memory.read { try Unhooked.Memory($0) } }
            #expect(owner.pet.number == 2 && owner.home.memorial.count == 1 && owner.pet.health == .dead)
        }
    }

    @Test func `the first pet is chosen for nothing until its first day is over, and not again after a cure`() throws {
        var owner = Owner(gems: 500)
        try owner.act("adopt", ["species": .text("dog")])
        try owner.act("adopt", ["species": .text("cat")])
        owner.wait(days: 3)
        try owner.pay("cure")
        #expect(owner.pet.condition == .healthy && owner.pet.unfedDays == 0)
        #expect(throws: Fault.self) { try owner.act("adopt", ["species": .text("dog")]) }
        #expect(owner.pet.fullness == 0)
    }

    @Test func `an action that enters a household is declared so, because there is room for so many only`() {
        let entering = Unhooked.declaration.actions.filter(\.entersHousehold).map(\.name)
        #expect(entering == ["unhooked.enter"])
    }

    @Test func `a visitor's pet is another one, and the exhibition's is there again when they have gone`() throws {
        var owner = Owner()
        try owner.feed()
        try owner.act("enter", ["household": .text("badge 7")])
        #expect(owner.state.household == "badge 7" && owner.balance(.energyWallet) == 150)
        try owner.act("adopt", ["species": .text("dog")])
        owner.wait(3_600)
        owner.visit(.ended)
        #expect(owner.state.household == "home" && owner.balance(.energyWallet) == 50 && owner.pet.species == .cat)
        owner.wait(days: 1)
        try owner.act("enter", ["household": .text("badge 7")])
        #expect(owner.pet.species == .dog && owner.pet.unfedDays == 1 && owner.state.time == "09:00")
    }
}
