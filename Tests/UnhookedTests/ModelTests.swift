import Calendar
import Experience
import Fields
import Foundation
import Testing
import TestSupport
@testable import Unhooked

/// Households of many kinds against the rules written down a second time (`PetModel`). THRUM_HOUSEHOLDS sets their number, 10,000 for the
/// whole; THRUM_DAYS the days of each, 180 for the whole.
@Suite struct ModelTests {
    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test func `health, Energy, buffs, limits, cooldowns and windows are those of the model, through restarts and days off`() throws {
        var sights = Sights()
        for seed in 0..<UInt64(Self.number("THRUM_HOUSEHOLDS", 40)) { try live(seed, Self.number("THRUM_DAYS", 90), &sights) }
        // Whatever the model is about has been.
        #expect(sights.sick > 0 && sights.dead > 0 && sights.recovered > 0 && sights.refusedHealing > 0)
        #expect(sights.healed["cure", default: 0] > 0 && sights.healed["revive", default: 0] > 0 && sights.healed["restart", default: 0] > 0)
        #expect(sights.capped > 0 && sights.replayed > 0)
    }

    private struct Sights {
        var sick = 0
        var dead = 0
        var recovered = 0
        var capped = 0
        var replayed = 0
        var refusedHealing = 0
        var healed: [String: Int] = [:]

        mutating func see(_ change: Pet.Change) {
            switch change {
            case .fellSick: sick += 1
            case .died: dead += 1
            case .recovered: recovered += 1
            case .grew: break
            }
        }
    }

    private func live(_ seed: UInt64, _ days: Int, _ sights: inout Sights) throws {
        var draws = TestSupport.SplitMix64(seed: seed)
        func below(_ count: Int) -> Int { Int(draws.next() % UInt64(count)) }
        let zone = [Zone.utc, .berlin, .newYork][Int(seed % 3)]
        let shop = Unhooked.Configuration.standard
        let gems = below(3) == 0 ? 0 : 200 + below(3_000)
        // Into spring, when clocks are changed.
        var seconds = newYear + 50 * 86_400 + below(86_400)
        var now: Moment { Moment(seconds: seconds, offset: zone.offset(seconds)) }
        var home = Home(household: "home", shop, PieceTime(dayMinutes: PieceTime.realDay), at: now)
        home.books.enter(.welcome, .awarded(150), key: .rules("welcome"), at: seconds)
        if gems > 0 { home.books.enter(.purchase, .bought(gems), key: .rules("receipt"), at: seconds) }
        var model = PetModel(today: now.dayNumber, gems: gems)
        let end = now.dayNumber + days
        let care = below(101)
        var last: (move: UnhookedMove, answer: JSONValue?, number: Int)?
        while now.dayNumber < end {
            // Off for up to nine days now and then.
            seconds += 1 + below(10) * below(10_000) + (below(60) == 0 ? below(9 * 86_400) : 0)
            home.advance(to: now, shop) { happening, _ in
                if case .ended(_, _, let changes) = happening { for change in changes { sights.see(change) } }
            }
            // The machine is off, and goes on from what was remembered.
            if below(200) == 0 { home = try Unhooked.Memory(home).json.read { try Unhooked.Memory($0) }.home }
            model.live(until: now.dayNumber)
            let key = "k-\(seconds)"
            var expected = PetModel.Answer.done
            let move: UnhookedMove
            switch below(12) {
            case 0...3:
                let minutes = below(care > 50 ? 130 : 260)
                move = .report(minutes: minutes)
                model.report(minutes)
            case 4...7 where below(100) < care:
                let menu = shop.foods.filter { $0.species.includes(home.pet.species) }
                let food = menu[below(menu.count)]
                move = .feed(food: food.id, key: key)
                let effect = food.effect(on: home.pet.species)
                expected = model.feed(PetModel.Dish(energy: food.energy, fullness: effect.fullness, mood: effect.mood,
                                                    thousandths: Int((effect.buff * 1_000).rounded())))
            case 8:
                let minutes = 1 + below(800)
                move = .limit(minutes: minutes)
                expected = model.set(limit: minutes)
            case 9 where below(20) == 0:
                let item = shop.cosmetics[below(shop.cosmetics.count)]
                move = .buy(cosmetic: item.id, key: key)
                let inSeason = item.season.flatMap { id in shop.seasons.first { $0.id == id } }?.includes(now.dayNumber) ?? true
                expected = model.buy(item.id, energy: item.price.energy, gems: item.price.gems, inSeason: inSeason)
            case 10...11:
                let what = below(8)
                let name = what == 0 ? "restart" : what < 5 ? "cure" : "revive"
                move = what == 0 ? .restart(below(2) == 0 ? .cat : .dog, name: nil, key: key) : what < 5 ? .cure(key: key) : .revive(key: key)
                let state = model.state
                expected = model.heal(name, at: seconds)
                if expected == .done { sights.healed[name, default: 0] += 1 } else if state != "healthy" { sights.refusedHealing += 1 }
            default: continue
            }
            let fault = home.refusal(of: move, shop, at: now)
            try #require((fault == nil) == (expected == .done), "household \(seed): \(move) at \(seconds), \(String(describing: fault))")
            if fault == nil {
                let movement = home.act(on: move, shop, at: now)
                #expect((movement != nil) == (move.idempotencyKey != nil))
                if let movement { last = (move, home.books.recent.last?.answer, movement.number) }
            }
            if below(5) == 0, let last, home.books.count - last.number < Books.mostAnswers, let key = last.move.idempotencyKey {
                // The same again, later: the same answer, and nothing moves.
                let before = home
                try #require(home.refusal(of: last.move, shop, at: now) == nil && home.act(on: last.move, shop, at: now) == nil)
                try #require(home == before && home.books.answered(key)?.answer == last.answer && last.answer != nil, "household \(seed)")
                sights.replayed += 1
            }
            try compare(home, model, "household \(seed) at \(seconds)")
            if home.buff < home.today.buff { sights.capped += 1 }
        }
        let nights = model.nights.filter { night in home.history.contains { $0.day == night.day } }
        #expect(home.history.map { "\($0.day) \($0.energy) \($0.eaten >= 100) \($0.condition)" }
            == nights.map { "\($0.day) \($0.energy) \($0.wasFed) \($0.state)" }, "household \(seed)")
    }

    private func compare(_ home: Home, _ model: PetModel, _ place: String) throws {
        let pet = home.pet
        try #require(home.books.wallet(.energy) == model.energy && home.books.wallet(.gems) == model.gems, "\(place)")
        try #require(pet.condition.rawValue == (model.isFragile ? "fragile" : model.state), "\(place)")
        try #require(home.buff == model.buff && home.isFed == model.isFed && pet.growth == model.size, "\(place)")
        try #require(pet.fullness == model.fullness && pet.mood == model.mood, "\(place)")
        try #require(home.memorial.count == model.graves && Set(home.wardrobe) == model.wardrobe, "\(place)")
        try #require(home.books.sum(.energy) == 0 && home.books.sum(.gems) == 0 && home.books.balance(.food) == model.spent, "\(place)")
    }
}
