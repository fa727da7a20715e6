import Calendar
import Experience
import Fields
import Signals

/// A pet fed by restraint: staying under a limit of screen time earns Energy, which buys its food.
///
/// | event | effects |
/// |---|---|
/// | arrival | the household's pet, brought to the present moment; `pet` |
/// | tick | whatever has fallen due: the daily reset, the end of a meal's purr; the next tick |
/// | finger down, finger up | the pet purrs or pants while it is stroked |
/// | unhooked.feed, unhooked.buy, unhooked.cure, unhooked.revive, unhooked.restart | a movement of the books, and its result; `pet` |
/// | unhooked.purchase | Gems are given, or taken back by a refund; `gems`, `pet` |
/// | unhooked.report, unhooked.limit, unhooked.adopt, unhooked.wear, unhooked.remember | what was reported or chosen; `pet` |
/// | unhooked.track | an event that the house has added is counted; `tracked` |
/// | unhooked.reset, unhooked.gift | operators let the household begin anew, or give Energy and Gems; `pet` |
/// | unhooked.enter, the end of a visit | another household's pet |
/// | param.set | another length of days |
/// | configuration | other prices, catalogues and limits; `shop`, `pet` |
public struct Unhooked: HouseholdPiece {
    public typealias Move = UnhookedMove

    private(set) var configuration = Configuration.standard
    public var home: Home
    public var life: Life<Memory>
    private var purr = Purr()
    private var away = Away()
    /// The households that have been active during the present visit. One that goes and comes back within a visit goes on with what was
    /// left of staying away.
    private var visitors: Set<String> = []
    /// What visitors have left for the house, and the house's own household has not received yet.
    private var farewells: [Farewell] = []
    /// The pets on the house's wall, as of when the house's own household was last active. It is used while another household is active.
    private var wall: [HungPet] = []

    public init(_ opening: Opening) {
        life = Life(opening)
        home = Home(Days(Household.home, life.time, at: Moment(seconds: 0, offset: 0)), .standard)
    }

    // MARK: Memory

    public func recall(_ memory: Memory?, _ days: Days) -> Home { memory?.home ?? Home(days, configuration) }
    public func remembered(after last: Memory?) -> Memory { Memory(home) }

    public func anew(_ last: Home, _ days: Days) -> Home { last.forNextGuest(days, configuration) }

    public mutating func settle(isNew: Bool, at now: Moment) -> Effects {
        let given = isNew ? home.giveBack(at: now.seconds) : nil
        var effects = (given.map { .entered($0) } ?? Effects()) + (isNew ? welcome(at: now) : Effects())
        guard home.isHouse else {
            if visitors.insert(home.household).inserted, isWalkUp { home.today.breaks = nil }
            return effects
        }
        effects += revive() + receive(farewells, at: now)
        farewells = []
        wall = home.wall ?? []
        return effects
    }

    /// The visitors' own pets that hang on the house's wall.
    var hung: [HungPet] { home.isHouse ? home.wall ?? [] : wall }

    private mutating func welcome(at now: Moment) -> Effects {
        guard configuration.energy.welcome > 0 else { return Effects() }
        return .entered(home.books.enter(.welcome, .awarded(configuration.energy.welcome), key: .rules("welcome"), at: now.seconds))
    }

    // MARK: Days

    public mutating func bound(by now: Moment) { home.recoveries.bound(by: now.seconds) }

    public mutating func endDay(at end: Moment, now: Moment) -> Effects {
        let breaks = home.today.breaks
        let over = home.endDay(at: end.seconds + 1, configuration, pace: growthPace)
        // A visit is longer than a visitor's day.
        if isWalkUp { home.today.breaks = breaks }
        if isWalkUp, !home.isHouse, over.record.eaten >= Pet.meal { home.goodDays = (home.goodDays ?? 0) + 1 }
        let effects = home.effects(of: over)
        // `livesAway` is false, so no reset of the days between follows, and the day before today was not reported.
        if !livesAway, now.dayNumber > home.day + 1 { home.yesterday = nil }
        return effects
    }

    /// Whether days on which the machine was off count. They do not count for a dead pet, which no longer changes, nor in an exhibition,
    /// which may have been closed on these days.
    public var livesAway: Bool { home.pet.health != .dead && !isWalkUp }

    public mutating func beginDay(at now: Moment, daysOff: Int) -> Effects {
        var effects = Effects()
        effects.tell(DayBegun(day: home.day, date: home.days.time.date(of: home.day), daysOff: daysOff))
        return effects + revive()
    }

    public mutating func fallDue(by now: Moment) -> Effects { Effects(cues: home.pet.health == .dead ? purr.stop() : []) }

    public mutating func move(by days: Int, from old: Moment, to new: Moment) { home.move(by: days, from: old, to: new) }

    // MARK: Events

    public func refusal(of move: UnhookedMove, at now: Moment) -> Fault? {
        refusalOfWalkUp(move) ?? home.refusal(of: move, configuration, at: now)
    }

    public mutating func greet(at now: Moment) -> Effects {
        visitors = [home.household]
        guard isWalkUp, let movement = home.beginVisit(at: now.seconds) else { return Effects() }
        return .entered(movement)
    }

    public mutating func farewell(at now: Moment) -> Effects {
        away.stop()
        return Effects()
    }

    public mutating func feel(_ usual: [Cue], at time: Now) -> Effects {
        var effects = Effects(cues: purr.stroke(usual, home.pet))
        guard gemsForAway > 0, !usual.isEmpty else { return effects }
        away.feel(usual, at: time.civilTime.instant)
        effects.wake = wake(after: time)
        return effects
    }

    public mutating func tick(at time: Now) -> Effects {
        let effects = Effects(cues: purr.digest(until: time.civilTime.instant))
        guard gemsForAway > 0, away.isOver(at: time.civilTime.instant) else { return effects }
        return effects + stayAway(at: moment(at: time))
    }

    public mutating func go(by document: any PieceDocument, _ version: Int) -> Effects {
        guard let document = document as? Configuration else { return Effects() }
        configuration = document
        var effects = Effects()
        effects.tell(ShopChanged(version: version))
        return effects
    }

    public mutating func leave() -> [Cue] {
        if isWalkUp, let farewell = home.part() { farewells = (farewells + [farewell]).suffix(Home.mostOnWall) }
        return purr.stop()
    }

    public func shown(at now: Moment) -> (any AnnouncementBody)? { state(at: now) }

    /// Returns when the piece wants its next tick: at `instant`, or earlier if the texture of a meal ends, or if no hand has been on the
    /// screen for long enough.
    public func wake(by instant: Double, at time: Now) -> Wake {
        let due = gemsForAway > 0 && home.breaksLeft > 0 ? away.due ?? instant : instant
        return .instant(max(min(instant, purr.end ?? instant, due), time.civilTime.instant + 0.001))
    }

    // MARK: Actions

    public mutating func act(on move: UnhookedMove, at now: Moment, _ time: Now) -> Effects {
        if let key = move.idempotencyKey, let answered = home.books.answered(key) {
            // A repeated action gets its former answer. Like the first time, it waits until the movement is on the disk.
            return Effects(result: answered.answer, ledger: [answered.movement.entry])
        }
        switch move {
        case .reset:
            let effects = reset(at: now)
            return effects + Effects(ledger: [choice(move, at: now)])
        case .gift, .track: break
        case .report(let minutes) where isWalkUp:
            away.note(at: time.civilTime.instant)
            return earn(by: minutes, at: now)
        default: away.note(at: time.civilTime.instant)
        }
        let before = home
        guard let movement = home.act(on: move, configuration, at: now) else {
            var effects = Effects()
            if case .remember(let number) = move { effects += remember(number) }
            if case .track(let name, let value) = move {
                effects.tell(Tracked(day: home.day, name: name, value: value, count: home.events?[name] ?? 0))
            }
            if case .adopt = move, isWalkUp { effects += .earcon("growth") }
            if move.lasts, before != home { effects.ledger = [choice(move, at: now)] }
            return effects
        }
        var effects = Effects.entered(movement)
        switch move {
        case .feed(let id, _):
            effects += .earcon("eating")
            if let food = configuration.food(id) { effects.tell(Meal(food, home)) }
            effects.cues += purr.eat(home.pet, until: time.civilTime.instant + Purr.meal)
        case .buy(let id, _):
            effects += .earcon("purchase")
            if let cosmetic = configuration.cosmetic(id) { effects.tell(Bought(cosmetic, day: home.day)) }
        case .cure: effects += healed(.cure, before.pet)
        case .revive: effects += healed(.revive, before.pet)
        case .restart:
            effects += healed(.restart, before.pet)
            if let grave = home.memorial.last { effects.tell(Remembered(grave, self.time)) }
        case .purchase(let purchase):
            if !purchase.isRefund { effects += .earcon("purchase") }
            if let product = configuration.product(purchase.productId) { effects.tell(GemsBought(purchase, of: product, day: home.day)) }
        case .report, .limit, .adopt, .wear, .remember, .enter, .track, .reset, .gift: break
        }
        effects.result = home.books.recent.last?.answer
        return effects
    }

    public func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault)
        -> (memory: Memory, entry: LedgerEntry) {
        let now = memory.home.days.time.moment(civilTime)
        var home = memory.home
        if let fault = home.refusal(of: .purchase(purchase), configuration, at: now) { throw fault }
        guard let movement = home.act(on: .purchase(purchase), configuration, at: now) else {
            throw Fault(field: "receipt", expected: "a refund that has not counted")
        }
        return (Memory(home), movement.entry)
    }

    /// Returns `memory` with the Energy, Gems and cosmetics of `other` added. Its pet and its days stay those of `memory`.
    public static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory {
        var home = memory.home
        home.books.add(other.home.books)
        guard home.books.isWell else { throw Fault(field: "household", expected: "one with which the balances stay below 10¹²") }
        let own = home.wardrobe
        home.wardrobe = own + other.home.wardrobe.filter { !own.contains($0) }
        return Memory(home)
    }

    private func healed(_ recovery: Recovery, _ before: Pet) -> Effects {
        var effects = Effects.earcon(recovery.rawValue)
        effects.tell(Recovered(recovery, gems: recovery.rule(configuration).gems, before, day: home.day))
        return effects
    }

    private func remember(_ number: Int) -> Effects {
        var effects = Effects.earcon("memorial")
        if let grave = home.memorial.first(where: { $0.pet.number == number }) { effects.tell(Remembered(grave, time)) }
        return effects
    }

    /// Returns the ledger entry of a choice, which delays the answer until the choice is on the disk. Its key contains the time, because a
    /// household whose memory was lost counts its choices from 0 again.
    private mutating func choice(_ move: UnhookedMove, at now: Moment) -> LedgerEntry {
        home.choices += 1
        return LedgerEntry(key: "choice \(now.seconds) \(home.choices)", kind: "choice", note: .object(["action": .text(move.name)]))
    }
}

extension UnhookedMove {
    /// Whether the action changes stored settings without moving Energy or Gems, so that it needs a ledger entry of its own. A report also
    /// changes what is stored, but it comes often, and the next one repeats it.
    fileprivate var lasts: Bool {
        switch self {
        case .limit, .adopt, .wear: true
        case .report, .feed, .buy, .cure, .revive, .restart, .remember, .enter, .purchase, .track, .reset, .gift: false
        }
    }
}

extension Effects {
    /// Returns the cues of an earcon, which is both heard and felt.
    static func earcon(_ name: String) -> Effects { Effects(cues: [.chime(name), .haptic(name)]) }

    /// Returns the announcement of a movement that was entered into the books, and its entry in the ledger.
    static func entered(_ movement: Movement) -> Effects {
        var effects = Effects(ledger: [movement.entry])
        effects.tell(Moved(movement))
        return effects
    }
}

extension Home {
    /// Returns the announcements, cues and ledger entries for a day that is over.
    fileprivate func effects(of over: EndedDay) -> Effects {
        var effects = over.award.map { .entered($0) + .earcon("award") } ?? Effects()
        effects.tell(DayOver(over.record, days.time))
        for change in over.changes {
            switch change {
            case .died: effects += .earcon("death")
            case .grew(let stage):
                effects += .earcon("growth")
                effects.tell(Grew(stage: stage, fedDays: pet.fedDays))
            case .fellSick, .recovered: break
            }
            if let healthChange = HealthChange(change, pet, day: over.record.day) { effects.tell(healthChange) }
        }
        return effects
    }
}

extension Unhooked {
    public enum Query: QueryBody { case state, shop, wardrobe, memorial, wall, additions, ledger, history }

    public func answer(_ query: Query, at time: Now) throws(Fault) -> any Encodable & Sendable {
        switch query {
        case .state: state(at: moment(at: time))
        case .shop: Shop(home, configuration)
        case .wardrobe: Wardrobe(home, configuration)
        case .memorial: MemorialList(home, configuration, self.time)
        case .wall: Wall(hung)
        case .additions: AdditionsList(home, configuration)
        case .ledger: Statement(home.books)
        case .history: PetHistory(home, self.time)
        }
    }

    public func counters(at time: Now) -> [Counter] {
        [
            Counter("energy", Double(home.books.wallet(.energy)), unit: "Energy", confidence: .money),
            Counter("gems", Double(home.books.wallet(.gems)), unit: "Gems", confidence: .money),
            Counter("unfed-days", Double(home.pet.unfedDays), unit: "days"), Counter("fullness", Double(home.pet.fullness)),
            Counter("mood", Double(home.pet.mood)), Counter("movements", Double(home.books.count), confidence: .money),
        ]
    }
}
