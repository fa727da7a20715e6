import Calendar
import Fields
import Signals
import Units

/// One life of a piece's state, as a fold over its events: the only place in which a piece's rules are called. Live play, replay,
/// rendering by rules and simulation all use it.
///
/// A run is a value, and deterministic. What a piece returns beyond its budgets is left out and counted, so that no piece can hold up the
/// sound.
public struct Run: Sendable {
    /// The most synth commands of one event's cues: a chime has one for each note. `CommandBatch.capacity` has room for what else a run's
    /// first event brings.
    public static let cueBudget = 56
    /// The largest number of synth commands that the cues of a run's opening may lead to.
    public static let openingBudget = 6
    /// The most announcements of one event.
    public static let announcementBudget = 64
    /// The range of how far ahead a tick may be: a year at most. The least holds for ticks by frames, so that they cannot crowd out the
    /// sound; one that is asked for sooner comes then.
    public static let waits = Seconds.milliseconds(1)...Seconds(366 * 86_400)

    public private(set) var piece: any Experience
    public private(set) var hands = Hands()
    public private(set) var theme: Theme
    public private(set) var knobs: KnobSettings
    /// When the next tick comes; nil for none.
    public private(set) var wake: Wake?
    /// The civil time that the run was told last, and the frame of that; nil before it was told any.
    private var told: Now?
    public private(set) var unusedEffects = UnusedEffects()
    /// The cues that the run begins with, of at most `openingBudget` commands.
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

    /// Returns the moment of a frame, by the civil time that the run was told last.
    public func now(at time: Frame) -> Now {
        let told = told ?? Now(frame: .zero, civilTime: CivilTime(instant: 0, utcOffset: 0))
        let instant = told.civilTime.instant + rate.seconds(in: time - told.frame).rawValue
        return Now(frame: time, civilTime: CivilTime(instant: instant, utcOffset: told.civilTime.utcOffset))
    }

    /// The memory for the next run, if this one ended now; nil for nothing.
    public var memory: JSONValue? { piece.remembered }

    /// Returns the memory if it is not `last`. One that no journal can hold is left out, and counted.
    public mutating func memory(otherThan last: JSONValue?) -> JSONValue? {
        // Before its arrival a piece does not know what it remembers.
        guard told != nil || !declaration.tellsTime, let memory = piece.remembered, memory != last else { return nil }
        guard memory.isKeepable else {
            unusedEffects.noteValue("its memory is too long, or has a number that is not finite")
            return nil
        }
        return memory
    }

    /// Returns `event` as the piece's own readers understand it. Throws why it cannot be acted on; then nothing has changed.
    public func admit(_ event: Event, at time: Frame) throws(Fault) -> AdmittedEvent {
        if let fault = hands.refusal(of: event, in: theme) { throw fault }
        let event = try declaration.read(event)
        if let fault = piece.refusal(of: event, declaration, at: now(at: time)) { throw fault }
        return AdmittedEvent(event: event)
    }

    /// Acts on an event. `time` counts from the run's start and never goes back.
    public mutating func act(on admitted: AdmittedEvent, at time: Frame) -> Effects {
        let event = admitted.event
        switch event.kind {
        case .arrival(let arrival): told = Now(frame: time, civilTime: arrival.civilTime)
        case .tick(let civilTime):
            told = Now(frame: time, civilTime: civilTime)
            wake = nil
        default: break
        }
        let now = now(at: time)
        switch event.kind {
        // These are the house's: no piece hears of them.
        case .mute(let on): return Effects(cues: [.mute(on)])
        case .ceiling(let level): return Effects(cues: [.ceiling(level)])
        case .volume(let level, let fade): return Effects(cues: [.volume(level, fade: fade)])
        case .touchOwner: return Effects()
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

    /// Releases everything, for when it is unknown what is held.
    public mutating func releaseAll(at time: Frame) -> Effects { act(on: AdmittedEvent(engine: .stop), at: time) }

    /// Returns what of `effects` is within the limits for pieces, and counts the rest.
    private mutating func kept(_ effects: Effects, of event: EventKind, at time: Frame) -> Effects {
        var effects = effects
        // The house's own cue of a theme has three commands.
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
        if case .action(let action) = event, let key = action.body.key { effects.record(key, of: action.name) }
        return effects
    }

    /// Returns the tick as it will come; nil where it cannot.
    private func reachable(_ wake: Wake, at time: Frame) -> Wake? {
        switch wake {
        case .frame(let frame):
            // Where the frame is not ahead, the difference may overflow.
            guard frame > time, frame - time <= rate.frames(in: Self.waits.upperBound) else { return nil }
            return .frame(max(frame, time + rate.frames(in: Self.waits.lowerBound)))
        case .instant(let instant):
            // A piece that does not know the time is not woken by it.
            guard told != nil else { return nil }
            let now = now(at: time).civilTime.instant
            return instant > now && instant <= now + Self.waits.upperBound.rawValue ? wake : nil
        }
    }

    /// Returns those of a piece's cues that it may return, as far as their commands are within `budget`, and counts the rest.
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

    /// Returns the piece's answer. Throws what is wrong with the query, or that the piece has none of the kind.
    public func answer(_ query: PieceQuery, at time: Frame) throws(Fault) -> any Encodable & Sendable {
        try piece.answer(query, declaration, at: now(at: time))
    }

    /// Returns the piece's counters, which are listed beside the knobs.
    public func counters(at time: Frame) -> [Counter] { piece.counters(at: now(at: time)) }

    /// Returns what a household that is not here is left with when its own purchase is refunded. Nothing of the run changes. Throws why
    /// nothing is taken.
    public func refund(_ purchase: Purchase, of memory: JSONValue, at civilTime: CivilTime) throws(Fault)
        -> (memory: JSONValue, entry: LedgerEntry) {
        try piece.refund(purchase, remembered: memory, at: civilTime)
    }

    /// Returns the run's record by `time`; nil for a piece without one.
    public func record(at time: Frame) -> Announcement? { piece.record(at: now(at: time)) }
}

/// An event that a run has admitted, with its body as the piece reads it.
public struct AdmittedEvent: Sendable {
    public let event: Event

    fileprivate init(event: Event) { self.event = event }

    /// Admits an event of the engine's own, which no piece can refuse and whose body needs no reading.
    public init(engine kind: EventKind) { event = Event(client: .engine, kind) }
}

extension EventKind {
    /// Whether a piece may refuse the event: not a release, not what the house decides, and not what the piece is only told.
    fileprivate var isRefusable: Bool {
        switch self {
        case .touch, .tap, .swipe, .action, .tone, .chime, .texture, .haptic, .pattern, .knob, .start: !releases
        case .mute, .ceiling, .volume, .theme, .mark, .stop, .arrival, .configuration, .tick, .visit, .touchOwner,
             .left: false
        }
    }
}

// The piece's own types are known in here only.
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
        case .chime, .texture, .haptic, .pattern, .mute, .ceiling, .volume, .start, .mark, .stop, .arrival, .left, .touchOwner:
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
        // The key counts once, as that of a refund that the household sees.
        var entry = left.entry
        entry.action = ActionRecord(scope: purchase.key.scope, answer: nil)
        return (left.memory.json, entry)
    }

    /// Returns what a household remembers when another one is merged into it, each as it was kept. Throws why they do not go together.
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
