import Calendar
import Experience
import Fields
import Signals
import Units

/// A pet fed by restraint: staying under a limit of screen time earns Energy, which buys its food.
///
/// | event | effects |
/// |---|---|
/// | arrival | the household's pet, brought up to now; `pet` |
/// | tick | what has fallen due: the daily reset, the end of a meal's purr; the next tick |
/// | finger down, finger up | the pet purrs or pants while it is stroked |
/// | unhooked.feed, unhooked.buy, unhooked.cure, unhooked.revive, unhooked.restart | a movement of the books, what it brought; `pet` |
/// | unhooked.purchase | Gems are given, or taken back by a refund; `gems`, `pet` |
/// | unhooked.report, unhooked.limit, unhooked.adopt, unhooked.wear, unhooked.remember | what was told or chosen; `pet` |
/// | unhooked.enter, the end of a visit | another household's pet |
/// | param.set | another day's length |
/// | configuration | other prices, catalogues and limits; `shop`, `pet` |
public struct Unhooked: Experience {
    private(set) var time: PieceTime
    private(set) var configuration = Configuration.standard
    /// Whose pet is to come next.
    private var household = Household.home
    private(set) var home: Home
    private var purr = Purr()
    /// As it is now; nil before the run has begun.
    private var remembered: Memory?

    public init(_ opening: Opening) {
        time = PieceTime(dayMinutes: opening.knobs.number(PieceTime.dayMinutesKnob))
        home = Home(household: Household.home, .standard, time, at: Moment(seconds: 0, offset: 0))
    }

    public var memory: Memory? { remembered ?? Memory(home) }

    // MARK: Time

    func moment(at now: Now) -> Moment { time.moment(now.civilTime) }

    private func wake(after now: Now) -> Wake {
        let hour = time.instant(home.nextWake(after: moment(at: now)))
        return .instant(max(min(hour, purr.end ?? hour), now.civilTime.instant + 0.001))
    }

    // MARK: Events

    public mutating func begin(at time: Now, _ memory: Memory?) -> Effects {
        let now = moment(at: time)
        var effects = Effects()
        if let memory {
            home = memory.home
            let speed = PieceTime(dayMinutes: home.dayMinutes)
            let then = speed.moment(time.civilTime)
            effects = pass(until: then)
            home.follow(self.time, from: then, to: now)
        } else {
            home = Home(household: household, configuration, self.time, at: now)
            effects += welcome(at: now)
        }
        household = home.household
        effects.tell(state(at: now))
        effects.wake = wake(after: time)
        remembered = Memory(home)
        return effects
    }

    public func refusal(of input: Input<UnhookedMove>, at time: Now) -> Fault? {
        guard case .move(let move) = input else { return nil }
        let now = moment(at: time)
        var home = home
        home.advance(to: now, configuration) { _, _ in }
        return home.refusal(of: move, configuration, at: now)
    }

    public mutating func reduce(_ input: Input<UnhookedMove>, at time: Now) -> Effects {
        switch input {
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: purr.stroke(usual, home.pet))
        case .tap, .swipe, .theme, .visit(.began): return Effects()
        case .tick: return live(at: time) { piece, _ in Effects(cues: piece.purr.digest(until: time.civilTime.instant)) }
        case .move(let move): return live(at: time) { piece, now in piece.act(on: move, at: now, time) }
        case .knob(_, .number(let minutes)):
            return live(at: time) { piece, now in
                piece.time = PieceTime(dayMinutes: minutes)
                piece.home.follow(piece.time, from: now, to: piece.moment(at: time))
                return Effects()
            }
        case .knob: return Effects()
        case .configuration(let document, let version): return go(by: document, version, at: time)
        case .visit(.ended): return live(at: time) { piece, _ in
            piece.home.household == Household.home ? Effects() : piece.enter(Household.home)
        }
        }
    }

    private mutating func go(by document: any PieceDocument, _ version: Int, at time: Now) -> Effects {
        guard let document = document as? Configuration else { return Effects() }
        guard remembered != nil else {
            // Nobody lives here before the arrival.
            configuration = document
            return Effects()
        }
        return live(at: time) { piece, _ in
            piece.configuration = document
            var effects = Effects()
            effects.tell(ShopChanged(version: version))
            return effects
        }
    }

    /// Comes to `time`, then does `step`, and tells how the pet is if that has changed.
    private mutating func live(at time: Now, _ step: (inout Unhooked, Moment) -> Effects) -> Effects {
        let now = moment(at: time)
        let before = home
        var effects = pass(until: now)
        effects += step(&self, now)
        if !effects.announcements.isEmpty || before.hasChanged(to: home) { effects.tell(state(at: moment(at: time))) }
        effects.wake = wake(after: time)
        if before != home { remembered = Memory(home) }
        return effects
    }

    /// What has fallen due by `now`.
    private mutating func pass(until now: Moment) -> Effects {
        var effects = Effects()
        let time = PieceTime(dayMinutes: home.dayMinutes)
        home.advance(to: now, configuration) { happening, home in effects += home.effects(of: happening, time) }
        if home.pet.health == .dead { effects.cues += purr.stop() }
        return effects
    }

    private mutating func welcome(at now: Moment) -> Effects {
        guard configuration.energy.welcome > 0 else { return Effects() }
        return .entered(home.books.enter(.welcome, .awarded(configuration.energy.welcome), key: .rules("welcome"), at: now.seconds))
    }

    // MARK: Actions

    private mutating func act(on move: UnhookedMove, at now: Moment, _ time: Now) -> Effects {
        if case .enter(let name) = move { return enter(name ?? Household.home) }
        if let key = move.idempotencyKey, let answered = home.books.answered(key) {
            // Whoever asks again is not answered before it is kept.
            return Effects(result: answered.answer, ledger: [answered.movement.entry])
        }
        let before = home
        guard let movement = home.act(on: move, configuration, at: now) else {
            var effects = Effects()
            if case .remember(let number) = move { effects += remember(number) }
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
        case .report, .limit, .adopt, .wear, .remember, .enter: break
        }
        effects.result = home.books.recent.last?.answer
        return effects
    }

    public func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault)
        -> (memory: Memory, entry: LedgerEntry) {
        let now = PieceTime(dayMinutes: memory.home.dayMinutes).moment(civilTime)
        var home = memory.home
        if let fault = home.refusal(of: .purchase(purchase), configuration, at: now) { throw fault }
        guard let movement = home.act(on: .purchase(purchase), configuration, at: now) else {
            throw Fault(field: "receipt", expected: "a refund that has not counted")
        }
        return (Memory(home), movement.entry)
    }

    /// The pet and the days stay; Energy, Gems and cosmetics of both are in one house.
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

    /// So that an answer waits until what was chosen is on the disk. The time tells it from those of a life whose count was lost.
    private mutating func choice(_ move: UnhookedMove, at now: Moment) -> LedgerEntry {
        home.choices += 1
        return LedgerEntry(key: "choice \(now.seconds) \(home.choices)", kind: "choice", note: .object(["action": .text(move.name)]))
    }

    private mutating func enter(_ name: String) -> Effects {
        var effects = Effects(result: .object(["household": .text(name)]))
        guard name != home.household else { return effects }
        household = name
        effects.household = name
        effects.cues = purr.stop()
        return effects
    }
}

extension UnhookedMove {
    /// Whether it changes what is kept without a movement. A report does too, but it comes often, and the next one says the same.
    fileprivate var lasts: Bool {
        switch self {
        case .limit, .adopt, .wear: true
        case .report, .feed, .buy, .cure, .revive, .restart, .remember, .enter, .purchase: false
        }
    }
}

extension Effects {
    /// Heard and felt.
    static func earcon(_ name: String) -> Effects { Effects(cues: [.chime(name), .haptic(name)]) }

    /// A movement is told, and kept.
    static func entered(_ movement: Movement) -> Effects {
        var effects = Effects(ledger: [movement.entry])
        effects.tell(Moved(movement))
        return effects
    }
}

extension Home {
    /// Whether anything is different that is shown; when the offset alone is, nothing is.
    fileprivate func hasChanged(to other: Home) -> Bool {
        var same = self
        same.offset = other.offset
        return same != other
    }

    /// What is told, heard and kept of what has happened by itself.
    fileprivate func effects(of happening: Happening, _ time: PieceTime) -> Effects {
        switch happening {
        case .ended(let record, let award, let changes):
            var effects = award.map { .entered($0) + .earcon("award") } ?? Effects()
            effects.tell(DayOver(record, time))
            for change in changes {
                switch change {
                case .died: effects += .earcon("death")
                case .grew(let stage):
                    effects += .earcon("growth")
                    effects.tell(Grew(stage: stage, fedDays: pet.fedDays))
                case .fellSick, .recovered: break
                }
                if let told = HealthChange(change, pet, day: record.day) { effects.tell(told) }
            }
            return effects
        case .turned(let daysOff):
            var effects = Effects()
            effects.tell(DayBegun(day: day, date: time.date(of: day), daysOff: daysOff))
            return effects
        }
    }
}
