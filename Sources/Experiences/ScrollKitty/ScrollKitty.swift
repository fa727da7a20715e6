import Calendar
import Experience
import Fields
import Signals
import Units

/// A cat whose health shows how much its owner uses the phone. What it does in addition to the common answers to touch (`Hands`):
///
/// | event | effects |
/// |---|---|
/// | arrival | the household's cat, brought to the present moment; `cat` |
/// | tick | whatever has fallen due: shields, the evening, midnight; the next tick |
/// | kitty.bypass | the loss of health; `lost`, `cat`, the earcons of the bands that were crossed |
/// | kitty.shield, kitty.apps, kitty.cooldown, kitty.goal, kitty.window, kitty.onboard | the new choice; `cat` |
/// | the start of a visit | the welcome, once a day |
/// | household.enter, the end of a visit | another household's cat, which greets the visitor |
/// | param.set | another length of days, or another way of counting |
public struct ScrollKitty: HouseholdPiece {
    public typealias Move = KittyMove

    /// The data of a household: its cat, the answers in the onboarding, and the messages that the cat has said.
    public struct Home: LivesByDays, Equatable, Sendable {
        var cat: Cat
        var onboarding = Onboarding()
        var messages = MessageLog()

        public var days: Days {
            get { cat.days }
            set { cat.days = newValue }
        }
    }

    public var home: Home
    public var life: Life<Memory>
    private let rate: SampleRate
    private let seed: UInt64
    private var counting: Counting
    /// Whether shields acted, that is, the focus window was open, when `looksOther` was last called.
    private var acted = true
    /// Whether somebody is there: a visit has begun and not ended, or somebody has acted.
    private var isSeen = false
    /// Whether another household is about to enter.
    private var isEntering = false
    private var purr: Purr

    var cat: Cat { home.cat }
    var onboarding: Onboarding { home.onboarding }

    public init(_ opening: Opening) {
        life = Life(opening)
        rate = opening.rate
        seed = opening.seed
        counting = Counting(perApp: opening.knobs.isOn(Self.perApp))
        purr = Purr(rate: opening.rate)
        let days = Days(Household.home, life.time, at: Moment(seconds: 0, offset: 0))
        home = Home(cat: Cat(Plan(counting: counting, apps: Plan.exhibited), days))
    }

    // MARK: Memory

    public func recall(_ memory: Memory?, _ days: Days) -> Home {
        let new = Cat(Plan(counting: counting, apps: Plan.exhibited), days)
        switch memory?.content {
        case .home(let home)?: return home
        case .lives(let lives, let most)?:
            var home = Home(cat: new)
            home.cat.health = Health(new.plan, lives: lives, of: most)
            home.cat.today.hasNightly = home.cat.health.isDead
            return home
        case nil: return Home(cat: new)
        }
    }

    public func remembered(after last: Memory?) -> Memory { Memory(.home(home), after: last) }

    public mutating func settle(isNew: Bool, at now: Moment) -> Effects {
        count()
        acted = shieldsAct(at: now)
        let greets = isEntering && isSeen
        isEntering = false
        return (greets ? welcome(at: now, says: true) : Effects()) + evening(at: now)
    }

    /// Chooses the way of counting that the knob sets. Where that could heal the cat, it applies from midnight on.
    private mutating func count() { home.cat.choose(Plan(counting: counting, apps: (cat.nextPlan ?? cat.plan).apps)) }

    // MARK: Days

    public mutating func bound(by now: Moment) { home.cat.bound(by: now) }
    public mutating func endDay(at end: Moment, now: Moment) -> Effects { effects(of: home.cat.endDay(at: end, now: now)) }
    public mutating func beginDay(at now: Moment, daysOff: Int) -> Effects { effects(of: home.cat.beginDay(at: now, daysOff: daysOff)) }
    public mutating func forgetDaysToCome() { home.cat.forgetDaysToCome() }
    public mutating func fallDue(by now: Moment) -> Effects { effects(of: home.cat.fallDue(by: now)) }
    public func nextDue(after now: Moment) -> Int? { cat.nextDue(after: now) }
    public mutating func move(by days: Int, from old: Moment, to new: Moment) { home.cat.move(by: days, from: old, to: new) }

    /// Returns the announcements, cues and ledger entries for what time has brought without an action.
    private mutating func effects(of occurrences: [Cat.Occurrence]) -> Effects {
        var effects = Effects()
        for occurrence in occurrences {
            effects += occurrence.cat.effects(of: occurrence.happening)
            if case .turned = occurrence.happening { home.messages.beginDay() }
            if let group = occurrence.cat.group(of: occurrence.happening) {
                effects += home.messages.say(group, MessageFacts(occurrence.cat, at: occurrence.moment, isWalkUp: isWalkUp), seed: seed)
            }
        }
        return effects
    }

    // MARK: Events

    public func refusal(of move: KittyMove, at now: Moment) -> Fault? {
        cat.refusal(of: move, at: now) ?? {
            guard case .onboard(let given) = move, let answer = given.answer else { return nil }
            return onboarding.refusal(of: answer)
        }()
    }

    public mutating func greet(at now: Moment) -> Effects {
        isSeen = true
        return (isOwn == false ? rest(at: now) : Effects()) + welcome(at: now) + evening(at: now)
    }

    public mutating func farewell(at now: Moment) -> Effects {
        isSeen = false
        return goodNight(at: now)
    }

    /// Lets a visitor's own cat say its evening's message, so that nobody leaves a walk-up without it.
    private mutating func goodNight(at now: Moment) -> Effects {
        isOwn == true ? effects(of: home.cat.sayGoodNight(at: now)) : Effects()
    }

    /// Closes all apps and raises the health of the house's cat, so that another visitor finds it rested.
    private mutating func rest(at now: Moment) -> Effects {
        let (returned, gained) = home.cat.rest(at: now)
        var effects = cat.effects(of: .returned(returned))
        if gained > 0 { effects.ledger = [deed("rest", .null, at: now, [Transfer(gained, of: "health", from: "apps", to: "cat")])] }
        return effects
    }

    /// Has the cat say its welcome at the day's first event of a visitor. If `says` is true, the cat also greets the visitor with words on
    /// how it is, whether or not the event is the first.
    private mutating func welcome(at now: Moment, says: Bool = false) -> Effects {
        let isFirst = !cat.today.isWelcomed
        home.cat.today.isWelcomed = true
        var effects = isFirst || says ? .earcon("welcome") : Effects()
        if isFirst { effects += say(.welcome, at: now) }
        if says { effects.tell(KittySays(greeting: cat)) }
        return effects
    }

    /// Lets the cat say its evening's message if the time for it has come.
    private mutating func evening(at now: Moment) -> Effects { effects(of: home.cat.turnToEvening(at: now, isSeen: isSeen)) }

    public mutating func tick(at time: Now) -> Effects { Effects(cues: purr.mew(at: time.frame)) + evening(at: moment(at: time)) }

    public mutating func turn(_ knob: Knob, to value: KnobValue) -> Effects {
        if knob == Self.perApp, case .flag(let on) = value { counting = Counting(perApp: on) }
        count()
        return Effects()
    }

    /// Replaces the tone among the cues that touch usually gives by the cat's purr and voice. The purr lasts as long as any finger is down.
    /// It depends on the cat's condition when the first finger came.
    public mutating func feel(_ usual: [Cue], at time: Now) -> Effects {
        let before = purr
        var effects = Effects()
        for cue in usual {
            switch cue {
            case .toneGate(open: true): effects.cues += purr.begin(Condition(cat.health.total), at: time.frame)
            case .toneGate(open: false): effects.cues += purr.end()
            case .stop:
                _ = purr.end()
                effects.cues.append(cue)
            default: effects.cues.append(cue)
            }
        }
        if purr != before { effects.wake = wake(after: time) }
        return effects
    }

    /// Returns the cues that end the purr, because the hand is about to lie on another household's cat. That cat purrs when it is stroked
    /// anew.
    public mutating func leave() -> [Cue] {
        isEntering = true
        return purr.end()
    }

    public func shown(at now: Moment) -> (any AnnouncementBody)? { state(at: now) }

    /// Returns true if the focus window has opened or closed since the last call, because the cat then looks different although nobody
    /// acted.
    public mutating func looksOther(at now: Moment) -> Bool {
        let acts = shieldsAct(at: now)
        defer { acted = acts }
        return acts != acted
    }

    private func shieldsAct(at now: Moment) -> Bool { cat.window.acts(on: now.dayNumber, at: now.secondOfDay) }

    /// Returns when the piece wants its next tick: at `instant`, or at the next mew if that comes first.
    public func wake(by instant: Double, at time: Now) -> Wake {
        guard let mew = purr.nextMew(after: time.frame) else { return .instant(instant) }
        return rate.seconds(in: mew - time.frame).rawValue < instant - time.civilTime.instant ? .frame(mew) : .instant(instant)
    }

    private mutating func say(_ group: MessageGroup, at now: Moment) -> Effects {
        home.messages.say(group, MessageFacts(cat, at: now, isWalkUp: isWalkUp), seed: seed)
    }

    // MARK: Actions

    public mutating func act(on move: KittyMove, at now: Moment, _ time: Now) -> Effects {
        isSeen = true
        var effects = welcome(at: now)
        let before = home
        switch move {
        case .bypass(let app): effects += bypass(app, at: now)
        case .shield(let app):
            let named = cat.plan.counting == .global ? nil : app.flatMap { cat.plan.index(of: $0) }
            let apps = named.map { [$0] } ?? cat.openings.map(\.app)
            let closed = home.cat.close(apps, at: now)
            effects += cat.effects(of: .returned(closed))
        case .apps(let apps):
            home.cat.choose(Plan(counting: counting, apps: apps))
            home.onboarding.finish(.apps)
        case .cooldown(let minutes):
            home.cat.cooldown = minutes
            home.onboarding.finish(.cooldown)
        case .goal(let minutes):
            home.cat.goal = minutes
            home.onboarding.finish(.goal)
        case .window(let days, let hours):
            home.cat.window.set(hours?.hours, on: Weekdays(words: days) ?? [])
            home.onboarding.finish(.days)
            home.onboarding.finish(.times)
        case .onboard(let given): if let answer = given.answer { home.onboarding.answer(answer) }
        case .enter: if move.entering != cat.household { effects += goodNight(at: now) }
        }
        if effects.ledger.isEmpty, move.lasts, before != home {
            effects.ledger = [deed("choice", .object(["action": .text(move.name)]), at: now)]
        }
        // A visitor who enters another household hears the evening's message of that household's cat.
        return move.entering == nil ? effects + evening(at: now) : effects
    }

    private mutating func bypass(_ name: String, at now: Moment) -> Effects {
        guard let app = cat.plan.index(of: name) else { return Effects() }
        guard cat.shield(of: app, at: now) == .shielded else {
            return Effects(result: .object(["app": .text(name), "lost": .integer(0), "shield": .text(Shield.free.rawValue)]))
        }
        let loss = home.cat.bypass(app, for: secondsOpen, at: now)
        let report = Lost(loss, cat, time)
        var effects = Effects.earcon("bypass")
        if cat.health.isDead {
            effects += .earcon("terminal")
        } else if !loss.bands.isEmpty {
            effects += .earcon("band-drop")
        }
        effects.tell(report)
        for group in loss.bands.compactMap({ MessageGroup($0) }) { effects += say(group, at: now) }
        if cat.health.isDead {
            effects += say(.terminal, at: now)
            // The purr fades before the mew sounds.
            effects.cues += purr.end() + [.chime(Condition.dead.mew)]
        }
        effects.result = .object(["app": .text(name), "lost": .number(report.lost), "hp": .number(report.total),
                                  "shield": .text(cat.shield(of: app, at: now).rawValue)])
        let lost = loss.lost > 0 ? [Transfer(loss.lost, of: "health", from: "cat", to: "apps")] : []
        effects.ledger = [deed("bypass", .object(["app": .text(name)]), at: now, lost)]
        return effects
    }

    /// Returns an action's ledger entry, which delays the answer to the action until the entry is on the disk. Its key contains the time,
    /// because a household whose memory was lost counts its entries from 0 again.
    private mutating func deed(_ kind: String, _ note: JSONValue, at now: Moment, _ transfers: [Transfer] = []) -> LedgerEntry {
        home.cat.deeds += 1
        return LedgerEntry(key: "\(kind)-\(now.seconds)-\(cat.deeds)", kind: kind, transfers: transfers, note: note)
    }
}

extension KittyMove {
    /// Whether the action changes settings of the household, which are stored and so last.
    fileprivate var lasts: Bool {
        switch self {
        case .bypass, .enter: false
        case .shield, .apps, .cooldown, .goal, .window, .onboard: true
        }
    }
}

extension Effects {
    /// Returns the cues of an earcon, which is both heard and felt.
    static func earcon(_ name: String) -> Effects { Effects(cues: [.chime(name), .haptic(name)]) }
}

extension MessageLog {
    fileprivate mutating func say(_ group: MessageGroup, _ facts: MessageFacts, seed: UInt64) -> Effects {
        var effects = Effects()
        if let message = choose(group, facts, seed: seed, from: .shipped) {
            effects.tell(KittySays(id: message.id, group: group.rawValue, text: message.text))
        }
        return effects
    }
}
