import Experience
import Fields
import HouseholdRun
import TestSupport
import Unhooked

/// A household of a kind that its number draws: zone, length of the day, Gems, care, how often it looks. It lives with the piece and with the
/// model, and both are compared.
public struct PetHousehold {
    /// What was gone through.
    public struct Tally: Sendable {
        public var households = 0
        public var days = 0
        public var actions = 0
        public var refusals = 0
        public var repeats = 0
        public var restarts = 0
        /// Moments at which a buff was at its cap.
        public var capped = 0
        /// Changes of health, and what Gems have done, by their words.
        public var sights: [String: Int] = [:]
        /// Recoveries that a cooldown or a window refused, though the pet needed them and the Gems were there.
        public var limited = 0

        public init() {}

        public static func += (a: inout Tally, b: Tally) {
            a.households += b.households
            a.days += b.days
            a.actions += b.actions
            a.refusals += b.refusals
            a.repeats += b.repeats
            a.restarts += b.restarts
            a.capped += b.capped
            a.limited += b.limited
            a.sights.merge(b.sights, uniquingKeysWith: +)
        }
    }

    /// The piece does not do what the rules say.
    public struct Difference: Error, CustomStringConvertible {
        public var description: String
    }

    /// An action as a front end has it, and what the model says of it.
    private struct Attempt {
        var name: String
        var fields: [String: JSONValue]
        var expected: PetModel.Answer
        /// By which it counts once; nil where it need not.
        var key: String?
    }

    private let number: UInt64
    private let menu = Menu()
    private var random: TestSupport.SplitMix64
    private var run: HouseholdRun
    private var model: PetModel
    /// Of 100 chances to feed, how many are taken.
    private let care: Int
    /// Whether it buys Gems.
    private let isRich: Bool
    /// Looks are this far apart at most, in seconds.
    private let longestPause: Int
    private let end: Int
    /// What was compared of the model's nights and movements.
    private var compared = (nights: 0, moves: 0, mornings: 0)
    private var keys = 0
    private var last: (attempt: Attempt, answer: JSONValue?, key: String, movements: Int)?
    /// Purchases that were not refunded: their transactions' numbers and Gems.
    private var purchases: [(number: Int, gems: Int)] = []
    private var tally = Tally()

    /// Goes through `days` days around a change of the clocks, by the rules of a walk-up or of months. Throws `Difference` at the first.
    public static func live(_ number: UInt64, days: Int, isWalkUp: Bool = false) throws -> Tally {
        var household = PetHousehold(number, days: days, isWalkUp)
        try household.hear()
        while household.model.now < household.end { try household.look() }
        return household.tally
    }

    private init(_ number: UInt64, days: Int, _ isWalkUp: Bool) {
        self.number = number
        var random = TestSupport.SplitMix64(seed: number)
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        // One in nine has a day of 10 minutes, whose clock has no zone.
        let isFast = number % 9 == 8
        let isBerlin = number % 2 == 0
        // Clocks go forward on 29 March in Berlin and on 8 March in New York, and back on 25 October and 1 November.
        let changes = number / 4 % 2 == 0 ? [1_774_746_000, 1_772_953_200] : [1_792_890_000, 1_793_512_800]
        let start = changes[isBerlin ? 0 : 1] - (1 + below(max(1, min(days, 60) - 2))) * 86_400 + below(86_400)
        let zone = isBerlin ? Zone.berlin : .newYork
        isRich = below(4) > 0
        end = start + days * 86_400
        care = below(101)
        longestPause = [14_400, 43_200, 108_000][below(3)]
        run = HouseholdRun(Unhooked.self, at: start, zone: zone, dayMinutes: isFast ? 10 : 1_440,
                           isWalkUp ? [WalkUp.knob.name: .flag(true)] : [:], seed: number)
        model = PetModel(at: start, zone: isFast ? .utc : zone, isWalkUp: isWalkUp)
        self.random = random
        tally.households = 1
    }

    private var state: PetState? { run.answer("unhooked.state", as: PetState.self) }

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private func expect(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
        guard !isRight else { return }
        throw Difference(description: "household \(number), at \(model.now): \(what())")
    }

    /// Some time goes by, or the machine is off; then somebody does something.
    private mutating func look() throws {
        var pause = 1 + below(longestPause)
        let isOff = below(100) == 0
        if isOff {
            if below(3) == 0 { pause += below(9 * 86_400) }
            run.restart(after: pause)
            tally.restarts += 1
        } else {
            run.wait(pause)
        }
        model.live(until: model.now + pause, isOff: isOff)
        try hear()
        if let last, below(6) == 0, model.moves.count - last.movements < 30 { try again(last) }
        guard let attempt = attempt() else { return }
        try act(attempt)
        try compareState()
    }

    private mutating func attempt() -> Attempt? {
        switch below(15) {
        case 0...3:
            let minutes = below(50) == 0 ? 1_300 + below(200) : below(care > 50 ? 130 : 300)
            return Attempt(name: "report", fields: ["minutes": .integer(Int64(minutes))], expected: model.report(minutes))
        case 4...7:
            guard below(100) < care else { return nil }
            let food = menu.foods[below(menu.foods.count)]
            return once("feed", ["food": .text(food.id)], model.feed(menu.dish(food, dog: model.isDog)))
        case 8:
            let minutes = 1 + below(800)
            return Attempt(name: "limit", fields: ["minutes": .integer(Int64(minutes))], expected: model.set(limit: minutes))
        case 9: return below(6) == 0 ? clothes() : nil
        case 10:
            guard below(8) == 0 else { return nil }
            let (dog, pet) = (below(2) == 0, 1 + below(4))
            return below(2) == 0 ? Attempt(name: "adopt", fields: ["species": .text(dog ? "dog" : "cat")], expected: model.adopt(dog: dog))
                : Attempt(name: "remember", fields: ["pet": .integer(Int64(pet))], expected: model.remember(pet))
        case 11: return isRich && below(6) == 0 ? receipt() : nil
        default: return recovery()
        }
    }

    /// An action with a key of its own.
    private mutating func once(_ name: String, _ fields: [String: JSONValue], _ expected: PetModel.Answer) -> Attempt {
        keys += 1
        return Attempt(name: name, fields: fields.merging(["key": .text("k-\(keys)")]) { $1 }, expected: expected, key: "k-\(keys)")
    }

    /// Of a purchase, or of the refund of an earlier one.
    private mutating func receipt() -> Attempt {
        let refunded = !purchases.isEmpty && below(6) == 0 ? purchases.remove(at: below(purchases.count)) : nil
        keys += 1
        let (number, count) = (refunded?.number ?? keys, refunded.map { $0.gems / 100 } ?? 1 + below(12))
        var fields: [String: JSONValue] = [
            "transactionId": .text("\(number)"), "originalTransactionId": .text("\(number)"), "productId": .text("gems_100"),
            "bundleId": .text("org.example"), "environment": .text("Production"), "purchaseDate": .integer(Int64(number)),
            "quantity": .integer(Int64(count)),
        ]
        if let refunded {
            fields["revocationDate"] = .integer(Int64(keys))
            tally.sights["refund", default: 0] += 1
            return Attempt(name: "purchase", fields: fields, expected: model.refund(refunded.gems), key: "refund:\(number)")
        }
        purchases.append((number, count * 100))
        return Attempt(name: "purchase", fields: fields, expected: model.receive(count * 100), key: "receipt:\(number)")
    }

    private mutating func clothes() -> Attempt {
        let item = menu.cosmetics[below(menu.cosmetics.count)]
        let own = item.category.rawValue
        switch below(4) {
        case 0...1:
            let answer = model.buy(item.id, energy: item.price.energy, gems: item.price.gems,
                                   inSeason: menu.isInSeason(item, on: model.today))
            return once("buy", ["cosmetic": .text(item.id)], answer)
        case 2:
            let category = below(4) == 0 ? "hat" : own
            return Attempt(name: "wear", fields: ["category": .text(category), "cosmetic": .text(item.id)],
                           expected: model.wear(item.id, as: category, of: own))
        default: return Attempt(name: "wear", fields: ["category": .text(own)], expected: model.undress(own))
        }
    }

    private mutating func recovery() -> Attempt {
        let what = ["cure", "cure", "revive", "revive", "restart"][below(5)]
        let dog = below(2) == 0
        if model.state == (what == "cure" ? "sick" : "dead"), model.wait(for: what) > 0,
           model.gems >= ["cure": 120, "revive": 400, "restart": 200][what, default: 0] { tally.limited += 1 }
        // One that has died is brought back before another comes, where that can be.
        let isRash = what == "restart" && model.isOffered("revive") && below(3) > 0
        let answer = isRash ? model.heal("revive") : model.heal(what, dog: dog)
        if answer == .done { tally.sights[isRash ? "revive" : what, default: 0] += 1 }
        return once(isRash ? "revive" : what, what == "restart" && !isRash ? ["species": .text(dog ? "dog" : "cat")] : [:], answer)
    }

    private mutating func act(_ attempt: Attempt) throws {
        let subject = "\(attempt.name) \(attempt.fields)"
        tally.actions += 1
        let effects: Effects
        do {
            effects = try run.act("unhooked." + attempt.name, attempt.fields)
        } catch {
            try expect(attempt.expected == .refused, "\(subject) is refused: \(error)")
            tally.refusals += 1
            let told = run.takeResults().told
            return try expect(told.isEmpty, "\(subject) is refused, and something is told")
        }
        try expect(attempt.expected == .done, "\(subject) is not refused")
        if let key = attempt.key {
            try expect(effects.result == .object([
                "energy": .integer(Int64(model.energy)), "gems": .integer(Int64(model.gems)), "movement": .integer(Int64(model.moves.count)),
                "condition": .text(model.condition), "fed": .flag(model.isFed),
            ]), "\(subject) is answered \(String(describing: effects.result))")
            last = (attempt, effects.result, key, model.moves.count)
        }
        try hear()
    }

    /// The same action with the same key: the same answer, and nothing moves.
    private mutating func again(_ last: (attempt: Attempt, answer: JSONValue?, key: String, movements: Int)) throws {
        let before = state
        let effects = try run.act("unhooked." + last.attempt.name, last.attempt.fields)
        try expect(effects.result == last.answer && effects.announcements.isEmpty && state == before, "\(last.attempt) counts twice")
        try expect(effects.ledger.map(\.key) == [last.key], "\(last.attempt) is answered before it is kept")
        _ = run.takeResults()
        tally.repeats += 1
    }

    // MARK: Comparing

    private mutating func compareState() throws {
        guard let state, let books = run.answer("unhooked.ledger", as: Statement.self) else { return try expect(false, "it answers") }
        func same<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
            try expect(found == expected, "\(what) is \(found), not \(expected)")
        }
        try same("condition", state.condition.rawValue, model.condition)
        try same("species", state.species.rawValue, model.isDog ? "dog" : "cat")
        try same("stage", state.stage.rawValue, model.stage)
        try same("effects", Set(state.effects), model.effects)
        try same("wallets", [state.energy, state.gems], [model.energy, model.gems])
        try same("figures", [state.pet, state.day, state.age, state.fullness, state.mood, state.unfedDays, state.fedDays, state.eaten],
                 [model.number, model.today, model.age, model.fullness, model.mood, model.hungry, model.fedDays, model.eaten])
        try same("fed", state.isFed, model.isFed)
        try same("buff", state.buff, Double(model.buff) / 1_000)
        try same("minutes", [state.limitMinutes, state.nextLimitMinutes, state.usedMinutes, state.energyDue],
                 [model.limit, model.nextLimit, model.used, model.due])
        try same("worn", [state.worn.hat, state.worn.glasses, state.worn.neck, state.worn.coat, state.worn.background],
                 ["hat", "glasses", "neck", "coat", "background"].map { model.worn[$0] })
        let speed = number % 9 == 8 ? 144.0 : 1
        for (name, shown) in [("cure", state.cure), ("revive", state.revive), ("restart", state.restart)] {
            try same(name, shown.isOffered, model.isOffered(name))
            try same("what is left of \(name)", shown.left, model.left(of: name))
            let wait = Double(model.wait(for: name)) / speed
            try expect(abs(shown.waits - wait) < 1e-6, "\(name) waits \(shown.waits) s, not \(wait)")
        }
        try same("sums", Array(books.sums.values), [0, 0])
        try same("movements", books.movements, model.moves.count)
        if model.buff == ["healthy": 250, "fragile": 150, "sick": 100][model.condition] { tally.capped += 1 }
        try expect(run.isWell, "something was left out")
    }

    /// Compares all that was told and kept.
    private mutating func hear() throws {
        let (told, ledger) = run.takeResults()
        var (turns, stages, begun): ([String], [String], Int) = ([], [], 0)
        let first = compared.nights
        for announcement in told {
            switch announcement.body {
            case let day as DayOver: try compare(day)
            case let change as HealthChange: turns.append(change.health.rawValue)
            case let grown as Grew: stages.append(grown.stage.rawValue)
            case let day as DayBegun: begun += 1 + day.daysOff
            case let recovered as Recovered where recovered.gems == 0: tally.sights["revived by the house", default: 0] += 1
            default: break
            }
        }
        try expect(compared.nights == model.nights.count, "\(model.nights.count) days are over, not \(compared.nights)")
        let nights = model.nights[first...]
        try expect(turns == nights.compactMap(\.turn) && stages == nights.compactMap(\.stage), "turns \(turns), stages \(stages): \(nights)")
        try expect(compared.mornings + begun == model.mornings, "\(begun) days have begun")
        compared.mornings = model.mornings
        try expect(tally.sights["revived by the house", default: 0] == model.revivals, "\(model.revivals) revivals by the house")
        for turn in turns { tally.sights[turn, default: 0] += 1 }
        let moves = ledger.filter { !$0.transfers.isEmpty }.map { entry in
            PetModel.Move(kind: entry.kind, transfers: entry.transfers.map { "\($0.amount) \($0.currency) \($0.from)>\($0.to)" })
        }
        try expect(moves == Array(model.moves[compared.moves...]), "the ledger has \(moves), not \(model.moves[compared.moves...])")
        compared.moves = model.moves.count
    }

    private mutating func compare(_ day: DayOver) throws {
        try expect(compared.nights < model.nights.count, "\(day) is told beyond \(model.nights.suffix(2))")
        let night = model.nights[compared.nights]
        let told = PetModel.Night(day: day.day, used: day.usedMinutes, limit: day.limitMinutes, energy: day.energy, eaten: day.eaten,
                                  buff: Int((day.buff * 1_000).rounded()), condition: day.condition.rawValue, hungry: day.unfedDays,
                                  turn: night.turn, stage: night.stage)
        try expect(told == night && day.isFed == (night.eaten >= 100), "\(night), not \(day)")
        compared.nights += 1
        tally.days += 1
    }
}
