import Calendar
import Experience
import Fields
import Signals
import Units

/// A cat whose health is somebody's day. Beside what hands do (`Hands`):
///
/// | event | effects |
/// |---|---|
/// | arrival | the household's cat, brought up to now; `cat` |
/// | tick | what has fallen due: shields, the evening, midnight; the next tick |
/// | kitty.bypass | what it costs; `lost`, `cat`, the earcons of what was crossed |
/// | kitty.shield, kitty.apps, kitty.cooldown, kitty.goal, kitty.window, kitty.onboard | what was chosen; `cat` |
/// | household.enter, the end of a visit | another household's cat |
/// | param.set | another day's length or way of counting |
public struct ScrollKitty: Experience {
    let rate: SampleRate
    private var tuning: Tuning
    /// Whose cat is to come next.
    private var household = Cat.shared
    private(set) var cat: Cat
    private(set) var onboarding = Onboarding()
    private(set) var messages = MessageLog()
    private let seed: UInt64
    /// Whether shields acted when it was last looked.
    private var acted = true
    private var purr: Purr
    /// As it is now; nil before the run has begun.
    private var remembered: Memory?

    public init(_ opening: Opening) {
        rate = opening.rate
        purr = Purr(rate: opening.rate)
        seed = opening.seed
        tuning = Tuning(opening.knobs)
        let plan = Plan(counting: tuning.counting, apps: Plan.exhibited)
        cat = Cat(household: Cat.shared, plan, tuning.time, at: Moment(seconds: 0, offset: 0))
    }

    public var memory: Memory? { remembered ?? Memory(.cat(cat, onboarding, messages)) }

    // MARK: Time

    func moment(at now: Now) -> Moment { tuning.time.moment(now.civilTime) }

    var time: PieceTime { tuning.time }

    private func wake(after now: Now) -> Wake {
        let instant = max(tuning.time.instant(cat.nextWake(after: moment(at: now))), now.civilTime.instant + 0.001)
        guard let mew = purr.nextMew(after: now.frame) else { return .instant(instant) }
        return rate.seconds(in: mew - now.frame).rawValue < instant - now.civilTime.instant ? .frame(mew) : .instant(instant)
    }

    // MARK: Events

    public mutating func begin(at time: Now, _ memory: Memory?) -> Effects {
        let now = moment(at: time)
        let plan = Plan(counting: tuning.counting, apps: Plan.exhibited)
        (onboarding, messages) = (Onboarding(), MessageLog())
        switch memory?.content {
        case .cat(let remembered, let answers, let log)?:
            cat = remembered
            onboarding = answers
            messages = log
        case .lives(let lives, let most)?:
            cat = Cat(household: household, plan, tuning.time, at: now)
            cat.health = Health(plan, lives: lives, of: most)
            cat.today.hasNightly = cat.health.isDead
        case nil: cat = Cat(household: household, plan, tuning.time, at: now)
        }
        household = cat.household
        let speed = PieceTime(dayMinutes: cat.dayMinutes)
        let then = speed.moment(time.civilTime)
        var effects = pass(until: then)
        cat.follow(tuning.time, from: then, to: now)
        cat.choose(Plan(counting: tuning.counting, apps: (cat.nextPlan ?? cat.plan).apps))
        acted = cat.window.acts(on: now.dayNumber, at: now.secondOfDay)
        effects.tell(state(at: now))
        effects.wake = wake(after: time)
        remembered = Memory(.cat(cat, onboarding, messages))
        return effects
    }

    public func refusal(of input: Input<KittyMove>, at time: Now) -> Fault? {
        guard case .move(let move) = input else { return nil }
        let now = moment(at: time)
        var cat = cat
        cat.advance(to: now) { _, _, _ in }
        return cat.refusal(of: move, at: now) ?? {
            guard case .onboard(let given) = move, let answer = given.answer else { return nil }
            return onboarding.refusal(of: answer)
        }()
    }

    public mutating func reduce(_ input: Input<KittyMove>, at time: Now) -> Effects {
        switch input {
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return stroked(usual, at: time)
        case .tap, .swipe, .theme, .configuration: return Effects()
        case .tick: return live(at: time) { kitty, _ in Effects(cues: kitty.purr.mew(at: time.frame)) }
        case .move(let move): return live(at: time) { kitty, now in kitty.act(on: move, at: now) }
        case .knob(let knob, let value):
            return live(at: time) { kitty, now in
                kitty.tuning.turn(knob, to: value)
                let new = kitty.moment(at: time)
                kitty.cat.follow(kitty.tuning.time, from: now, to: new)
                kitty.cat.choose(Plan(counting: kitty.tuning.counting, apps: (kitty.cat.nextPlan ?? kitty.cat.plan).apps))
                return Effects()
            }
        case .visit(.began): return live(at: time) { kitty, now in kitty.welcome(at: now) }
        case .visit(.ended):
            return live(at: time) { kitty, _ in kitty.cat.household == Cat.shared ? Effects() : kitty.enter(Cat.shared) }
        }
    }

    /// Comes to `time`, then does `step`, and tells how the cat is if that has changed.
    private mutating func live(at time: Now, _ step: (inout ScrollKitty, Moment) -> Effects) -> Effects {
        let now = moment(at: time)
        let before = (cat, onboarding)
        var effects = pass(until: now)
        effects += step(&self, now)
        if cat.health.isDead, !before.0.health.isDead { effects.cues += die() }
        let after = moment(at: time)
        let acts = cat.window.acts(on: after.dayNumber, at: after.secondOfDay)
        if acts != acted || !effects.announcements.isEmpty || before.0.hasChanged(to: cat) || before.1 != onboarding {
            effects.tell(state(at: after))
        }
        acted = acts
        effects.wake = wake(after: time)
        if before != (cat, onboarding) { remembered = Memory(.cat(cat, onboarding, messages), after: remembered) }
        return effects
    }

    /// What hands give, with the cat's purr and voice in the tone's place: as long as any finger is down, and as the cat was when the first
    /// came.
    private mutating func stroked(_ usual: [Cue], at time: Now) -> Effects {
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

    /// The purr fades first.
    private mutating func die() -> [Cue] { purr.end() + [.chime(Condition.dead.mew)] }

    /// What has fallen due by `now`.
    private mutating func pass(until now: Moment) -> Effects {
        var effects = Effects()
        let time = PieceTime(dayMinutes: cat.dayMinutes)
        var messages = messages
        cat.advance(to: now) { happening, cat, moment in
            effects += cat.effects(of: happening, time)
            if case .turned = happening { messages.beginDay() }
            if let group = cat.group(of: happening) { effects += messages.say(group, of: cat, at: moment, seed: seed) }
        }
        self.messages = messages
        return effects
    }

    private mutating func say(_ group: MessageGroup, at now: Moment) -> Effects { messages.say(group, of: cat, at: now, seed: seed) }

    // MARK: Actions

    private mutating func act(on move: KittyMove, at now: Moment) -> Effects {
        var effects = welcome(at: now)
        let before = (cat, onboarding)
        switch move {
        case .bypass(let app): effects += bypass(app, at: now)
        case .shield(let app):
            let named = cat.plan.counting == .global ? nil : app.flatMap { cat.plan.index(of: $0) }
            let apps = named.map { [$0] } ?? cat.openings.map(\.app)
            effects += cat.effects(of: .returned(cat.close(apps, at: now)), time)
        case .apps(let apps):
            cat.choose(Plan(counting: tuning.counting, apps: apps))
            onboarding.finish(.apps)
        case .cooldown(let minutes):
            cat.cooldown = minutes
            onboarding.finish(.cooldown)
        case .goal(let minutes):
            cat.goal = minutes
            onboarding.finish(.goal)
        case .window(let days, let hours):
            cat.window.set(hours?.hours, on: Weekdays(words: days) ?? [])
            onboarding.finish(.days)
            onboarding.finish(.times)
        case .onboard(let given): if let answer = given.answer { onboarding.answer(answer) }
        case .enter(let name): effects += enter(name ?? Cat.shared)
        }
        if effects.ledger.isEmpty, move.lasts, before != (cat, onboarding) {
            effects.ledger = [deed("choice", .object(["action": .text(move.name)]), at: now)]
        }
        return effects
    }

    private mutating func bypass(_ name: String, at now: Moment) -> Effects {
        guard let app = cat.plan.index(of: name) else { return Effects() }
        guard cat.shield(of: app, at: now) == .shielded else {
            return Effects(result: .object(["app": .text(name), "lost": .integer(0), "shield": .text(Shield.free.rawValue)]))
        }
        let loss = cat.bypass(app, at: now)
        let report = Lost(loss, cat, time)
        var effects = Effects.earcon("bypass")
        if cat.health.isDead {
            effects += .earcon("terminal")
        } else if !loss.bands.isEmpty {
            effects += .earcon("band-drop")
        }
        effects.tell(report)
        for group in loss.bands.compactMap({ MessageGroup($0) }) { effects += say(group, at: now) }
        if cat.health.isDead { effects += say(.terminal, at: now) }
        effects.result = .object(["app": .text(name), "lost": .number(report.lost), "hp": .number(report.total),
                                  "shield": .text(cat.shield(of: app, at: now).rawValue)])
        let lost = Transfer(loss.lost, of: "health", from: "cat", to: "apps")
        effects.ledger = [deed("bypass", .object(["app": .text(name)]), at: now, [lost])]
        return effects
    }

    private mutating func enter(_ name: String) -> Effects {
        var effects = Effects(result: .object(["household": .text(name)]))
        guard name != cat.household else { return effects }
        household = name
        effects.household = name
        // It is another cat that the hand is on now; it purrs when it is stroked anew.
        effects.cues += purr.end()
        return effects
    }

    /// The first event of a day.
    private mutating func welcome(at now: Moment) -> Effects {
        guard !cat.today.isWelcomed else { return Effects() }
        cat.today.isWelcomed = true
        return .earcon("welcome") + say(.welcome, at: now)
    }

    /// An entry of the ledger: an answer waits until it is on the disk. Its key has the time, because the count is lost with a lost memory.
    private mutating func deed(_ kind: String, _ note: JSONValue, at now: Moment, _ transfers: [Transfer] = []) -> LedgerEntry {
        cat.deeds += 1
        return LedgerEntry(key: "\(kind)-\(now.seconds)-\(cat.deeds)", kind: kind, transfers: transfers, note: note)
    }
}

extension KittyMove {
    /// Whether it changes what is kept.
    fileprivate var lasts: Bool {
        switch self {
        case .bypass, .enter: false
        case .shield, .apps, .cooldown, .goal, .window, .onboard: true
        }
    }
}

extension Effects {
    /// Heard and felt.
    static func earcon(_ name: String) -> Effects { Effects(cues: [.chime(name), .haptic(name)]) }
}

extension MessageLog {
    fileprivate mutating func say(_ group: MessageGroup, of cat: Cat, at now: Moment, seed: UInt64) -> Effects {
        var effects = Effects()
        if let message = choose(group, MessageFacts(cat, at: now), seed: seed, from: .shipped) {
            effects.tell(KittySays(id: message.id, group: group.rawValue, text: message.text))
        }
        return effects
    }
}

extension Cat {
    /// Whether anything is different that is shown; when the offset alone is, nothing is.
    fileprivate func hasChanged(to other: Cat) -> Bool {
        var same = self
        same.offset = other.offset
        return same != other
    }
}
