import Calendar
import Fields
import Signals
import Units

/// The state of a piece, computed by a fold over its events. A piece's rules are called only from here: live play, replay, rendering by
/// rules and simulation all use a `Run`.
///
/// A run is a value, and deterministic. Whatever a piece returns beyond its budgets is dropped and counted, so that no piece can hold up
/// the sound.
public struct Run: Sendable {
    /// The largest number of synth commands to which the cues of one event may lead. A chime has one command for each note.
    /// `CommandBatch.capacity` is larger, because the batch of a run's first event contains further commands.
    public static let cueBudget = 56
    /// The largest number of synth commands to which a run's opening cues may lead.
    public static let openingBudget = 6
    /// The largest number of announcements for one event.
    public static let announcementBudget = 64
    /// How far ahead a piece may ask for a tick: from 1 ms to 366 days. A tick by frame for which a piece asks sooner comes after 1 ms, so
    /// that ticks cannot crowd out the sound.
    public static let waits = Seconds.milliseconds(1)...Seconds(366 * 86_400)

    public private(set) var piece: any Experience
    public private(set) var hands = Hands()
    public private(set) var theme: Theme
    public private(set) var knobs: KnobSettings
    /// When the next tick comes; nil if none is asked for.
    public private(set) var wake: Wake?
    /// The latest civil time that an event has brought, with that event's frame; nil before the first.
    private var lastTime: Now?
    public private(set) var unusedEffects = UnusedEffects()
    /// The cues with which the run begins. They lead to at most `openingBudget` commands.
    public private(set) var opening: [Cue] = []
    public let rate: SampleRate
    public let declaration: Declaration

    public init(_ type: any Experience.Type, _ opening: Opening) {
        piece = type.init(opening)
        theme = opening.theme
        knobs = opening.knobs
        rate = opening.rate
        declaration = type.declaration
        self.opening = allowed(piece.opening, of: nil, within: Self.openingBudget)
    }

    /// Returns the civil time at a frame. It is counted from the latest civil time that an event has brought.
    public func now(at time: Frame) -> Now {
        let lastTime = lastTime ?? Now(frame: .zero, civilTime: CivilTime(instant: 0, utcOffset: 0))
        let instant = lastTime.civilTime.instant + rate.seconds(in: time - lastTime.frame).rawValue
        return Now(frame: time, civilTime: CivilTime(instant: instant, utcOffset: lastTime.civilTime.utcOffset))
    }

    /// The memory for the next run, as it would be if this run ended now; nil where the piece passes nothing on to the next run.
    public var memory: JSONValue? { piece.remembered }

    /// Returns the memory for the next run if it differs from `last`; nil if it does not. A memory that no journal can hold is dropped and
    /// counted, and the result is nil.
    public mutating func memory(otherThan last: JSONValue?) -> JSONValue? {
        // A piece that learns the time by its arrival does not know before it what to remember.
        guard lastTime != nil || !declaration.tellsTime, let memory = piece.remembered, memory != last else { return nil }
        guard memory.isKeepable else {
            unusedEffects.noteValue("its memory is too long, or has a number that is not finite")
            return nil
        }
        return memory
    }

    /// Returns `event` with its body as the piece's own type. Throws why the event cannot be carried out. Nothing changes in either case.
    public func admit(_ event: Event, at time: Frame) throws(Fault) -> AdmittedEvent {
        if let fault = hands.refusal(of: event, in: theme) { throw fault }
        let event = try declaration.read(event)
        if let fault = piece.refusal(of: event, declaration, at: now(at: time)) { throw fault }
        return AdmittedEvent(event: event)
    }

    /// Carries out an event. `time` counts from the run's start, and must not be earlier than at the event before.
    public mutating func act(on admitted: AdmittedEvent, at time: Frame) -> Effects {
        let event = admitted.event
        switch event.kind {
        case .arrival(let arrival): lastTime = Now(frame: time, civilTime: arrival.civilTime)
        case .tick(let civilTime):
            lastTime = Now(frame: time, civilTime: civilTime)
            wake = nil
        default: break
        }
        let now = now(at: time)
        switch event.kind {
        // These events belong to the house: no piece sees them.
        case .mute(let on): return Effects(cues: [.mute(on)])
        case .ceiling(let level): return Effects(cues: [.ceiling(level)])
        case .volume(let level, let fade): return Effects(cues: [.volume(level, fade: fade)])
        case .touchOwner: return Effects()
        case .noise: return Effects(cues: hands.reduce(event, in: theme))
        case .theme(let theme):
            self.theme = theme
            var effects = kept(piece.take(event, usual: [], declaration, at: now), of: event.kind, at: time)
            effects.cues.insert(.theme(theme), at: 0)
            return effects
        case .knob(let change):
            if let knob = try? change.check(declaration.knobs) { knobs[knob] = change.value }
            return kept(piece.take(event, usual: [], declaration, at: now), of: event.kind, at: time)
        default:
            return kept(piece.take(event, usual: hands.reduce(event, in: theme), declaration, at: now), of: event.kind, at: time)
        }
    }

    /// Releases everything that is held. Used when it is not known what is held.
    public mutating func releaseAll(at time: Frame) -> Effects { act(on: AdmittedEvent(engine: .stop), at: time) }

    /// Returns the part of `effects` that is within the budgets of pieces, and counts the rest.
    private mutating func kept(_ effects: Effects, of event: EventKind, at time: Frame) -> Effects {
        var effects = effects
        // The house adds a cue of three commands when the theme changes.
        let budget = if case .theme = event { Self.cueBudget - 3 } else { Self.cueBudget }
        effects.cues = allowed(effects.cues, of: event, within: budget)
        if effects.announcements.count > Self.announcementBudget {
            unusedEffects.announcements += effects.announcements.count - Self.announcementBudget
            effects.announcements.removeLast(effects.announcements.count - Self.announcementBudget)
        }
        if let next = effects.wake {
            if let next = reachable(next, at: time) { wake = next } else { unusedEffects.wakes += 1 }
        }
        if effects.ledger.contains(where: { $0.note?.isKeepable == false }) {
            for index in effects.ledger.indices where effects.ledger[index].note?.isKeepable == false { effects.ledger[index].note = nil }
            unusedEffects.noteValue("a note of its ledger is too long, or has a number that is not finite")
        }
        if effects.logOdds?.isFinite == false {
            effects.logOdds = nil
            unusedEffects.noteValue("its model gave a margin that is not finite")
        }
        if case .action(let action) = event, let key = action.body.key { effects.record(key, of: action.name) }
        return effects
    }

    /// Returns when the run will give the tick for which the piece asks by `wake`; nil if the run cannot give such a tick.
    private func reachable(_ wake: Wake, at time: Frame) -> Wake? {
        switch wake {
        case .frame(let frame):
            // A frame that is not ahead is excluded first, because the difference could overflow.
            guard frame > time, frame - time <= rate.frames(in: Self.waits.upperBound) else { return nil }
            return .frame(max(frame, time + rate.frames(in: Self.waits.lowerBound)))
        case .instant(let instant):
            // A piece that does not know the civil time cannot be woken by it.
            guard lastTime != nil else { return nil }
            let now = now(at: time).civilTime.instant
            return instant > now && instant <= now + Self.waits.upperBound.rawValue ? wake : nil
        }
    }

    /// Returns those cues that a piece may give and whose commands are within `budget`, and counts the rest.
    private mutating func allowed(_ cues: [Cue], of event: EventKind?, within budget: Int) -> [Cue] {
        var weight = 0
        var isAllowed = true
        for cue in cues {
            weight += self.weight(of: cue)
            if weight > budget || cue.objection(in: theme, of: event) != nil { isAllowed = false }
        }
        guard !isAllowed else { return cues }
        weight = 0
        return cues.filter { cue in
            if let objection = cue.objection(in: theme, of: event) {
                unusedEffects.note(cue, because: objection)
                return false
            }
            guard weight + self.weight(of: cue) <= budget else {
                unusedEffects.cues += 1
                return false
            }
            weight += self.weight(of: cue)
            return true
        }
    }

    private func weight(of cue: Cue) -> Int {
        if case .chime(let name) = cue { theme.chimes[name]?.notes.count ?? 0 } else { 1 }
    }

    /// Returns the piece's answer. Throws what is wrong with the query, or that the piece has no such query.
    public func answer(_ query: PieceQuery, at time: Frame) throws(Fault) -> any Encodable & Sendable {
        try piece.answer(query, declaration, at: now(at: time))
    }

    /// Returns the piece's counters, which clients see together with the knobs.
    public func counters(at time: Frame) -> [Counter] { piece.counters(at: now(at: time)) }

    /// Computes the refund of a purchase for a household that is not present: returns its memory afterwards, and the entry for its ledger.
    /// The run does not change. Throws why nothing is taken back.
    public func refund(_ purchase: Purchase, of memory: JSONValue, at civilTime: CivilTime) throws(Fault)
        -> (memory: JSONValue, entry: LedgerEntry) {
        try piece.refund(purchase, remembered: memory, at: civilTime)
    }

    /// Returns the run's record (its result) at `time`; nil for a piece without records.
    public func record(at time: Frame) -> Announcement? { piece.record(at: now(at: time)) }
}

/// An event that a run has admitted: its body has the piece's own type, and the piece did not refuse it.
public struct AdmittedEvent: Sendable {
    public let event: Event

    fileprivate init(event: Event) { self.event = event }

    /// Admits an event of the engine's own. No piece can refuse it, and its body needs no reading.
    public init(engine kind: EventKind) { event = Event(client: .engine, kind) }
}

extension EventKind {
    /// Whether a piece may refuse the event. It may not refuse releases, the house's decisions, and what it is only informed of.
    fileprivate var isRefusable: Bool {
        switch self {
        case .touch, .tap, .swipe, .action, .tone, .chime, .texture, .haptic, .pattern, .knob, .start: !releases
        case .noise, .mute, .ceiling, .volume, .theme, .mark, .stop, .arrival, .configuration, .tick, .visit, .touchOwner,
             .left: false
        }
    }
}

// Only this extension knows the piece's own types.
extension Experience {
    fileprivate func refusal(of event: Event, _ declaration: Declaration, at now: Now) -> Fault? {
        switch event.kind {
        case .arrival(let arrival): return Self.fault(in: arrival)
        case let kind where !kind.isRefusable: return nil
        default: break
        }
        guard let input = input(event, usual: [], declaration) else {
            return Fault(field: "method", expected: "an action as \(declaration.name) reads it", found: event.kind.name)
        }
        return refusal(of: input, at: now)
    }

    fileprivate mutating func take(_ event: Event, usual: [Cue], _ declaration: Declaration, at now: Now) -> Effects {
        if case .arrival(let arrival) = event.kind { return begin(at: now, arrival.memory.flatMap { try? Self.memory($0) }) }
        guard let input = input(event, usual: usual, declaration) else { preconditionFailure("an event is admitted before it is acted on") }
        return reduce(input, at: now)
    }

    private func input(_ event: Event, usual: [Cue], _ declaration: Declaration) -> Input<Move>? {
        switch event.kind {
        case .touch(let touch): .touch(touch, usual: usual)
        case .tap(let tap): .tap(tap)
        case .swipe(let swipe): .swipe(swipe)
        case .action(let action): (action.body as? Move).map { .move($0) }
        case .tone(let request): .tone(request, usual: usual)
        case .tick: .tick
        case .knob(let change): declaration.knobs.first { $0.name == change.name }.map { .knob($0, change.value) }
        case .theme(let theme): .theme(theme)
        case .visit(let phase): .visit(phase)
        case .configuration(let document):
            (try? declaration.read(document)).map { .configuration($0, version: document.version) }
        case .chime, .texture, .noise, .haptic, .pattern, .mute, .ceiling, .volume, .start, .mark, .stop, .arrival, .left, .touchOwner:
            .other(usual: usual)
        }
    }

    private static func fault(in arrival: Arrival) -> Fault? {
        guard let kept = arrival.memory else { return nil }
        do throws(Fault) {
            _ = try memory(kept)
            return nil
        } catch {
            return error
        }
    }

    private static func memory(_ kept: JSONValue) throws(Fault) -> Memory {
        do {
            return try kept.read { try Memory($0) }
        } catch let fault as Fault {
            throw Fault(field: fault.field.isEmpty ? "memory" : "memory." + fault.field, expected: fault.expected, found: fault.found)
        } catch {
            throw Fault(field: "memory", expected: "an object")
        }
    }

    fileprivate func refund(_ purchase: Purchase, remembered kept: JSONValue, at civilTime: CivilTime) throws(Fault)
        -> (memory: JSONValue, entry: LedgerEntry) {
        let left = try refund(purchase, of: Self.memory(kept), at: civilTime)
        // Recorded as an action that counts once, as the refund is for a household that is present.
        var entry = left.entry
        entry.action = ActionRecord(scope: purchase.key.scope, answer: nil)
        return (left.memory.json, entry)
    }

    /// Returns the memory of a household after another one has been merged into it. Both come as they were stored. Throws why they cannot
    /// be merged.
    public static func merge(_ other: JSONValue, into memory: JSONValue) throws(Fault) -> JSONValue {
        let (other, memory) = (try Self.memory(other), try Self.memory(memory))
        return try merged(other, into: memory).json
    }

    fileprivate var remembered: JSONValue? { memory?.json }

    fileprivate func answer(_ query: PieceQuery, _ declaration: Declaration, at now: Now) throws(Fault) -> any Encodable & Sendable {
        guard let own = query.body as? Query else {
            let queries = declaration.queries.map(\.name)
            let expected = queries.isEmpty ? "none" : "only " + queries.joined(separator: ", ")
            throw Fault(field: "method", expected: "\(expected) of the pieces' own, because the experience is \(declaration.name)",
                        found: query.name)
        }
        return try answer(own, at: now)
    }
}
