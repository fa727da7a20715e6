import Calendar
import Fields
import Signals
import Units

/// One life of a piece's state, as a fold over its events: the only place in which a piece's rules are called. Live play, replay,
/// rendering by rules and simulation all use it.
///
/// Deterministic, and a value. What a piece returns beyond its budgets is left out and counted, so that no piece can hold up the sound.
public struct Run: Sendable {
    /// Synth commands that the cues of one event may come to: a chime counts a command a note. `CommandBatch.capacity` has room for what
    /// else a run's first event brings.
    public static let cueBudget = 56
    /// Cues that a run begins with, of a command each.
    public static let openingBudget = 6
    /// Announcements of one event.
    public static let announcementBudget = 64

    public private(set) var piece: any Experience
    public private(set) var hands = Hands()
    public private(set) var theme: Theme
    public private(set) var knobs: KnobSettings
    /// When the piece wants its next tick; nil when it wants none.
    public private(set) var wake: Wake?
    /// The civil time that it was told last, and at which frame; nil before it was told any.
    private var told: (civilTime: CivilTime, frame: Frame)?
    public private(set) var refusals = Refusals()
    public let rate: SampleRate
    public let declaration: Declaration

    public init(_ type: any Experience.Type, _ opening: Opening) {
        piece = type.init(opening)
        theme = opening.theme
        knobs = opening.knobs
        rate = opening.rate
        declaration = type.declaration
    }

    /// What it begins with: at most `openingBudget` of the piece's cues.
    public var opening: [Cue] { Array(piece.opening.prefix(Self.openingBudget)) }

    /// What is to be remembered if it ended now; nil for nothing.
    public var memory: JSONValue? { piece.remembered }

    /// `event` as the piece's own readers understand it. Throws why it cannot be acted on; then nothing has changed.
    public func admit(_ event: Event, at time: Frame) throws(Fault) -> AdmittedEvent {
        if let fault = hands.refusal(of: event, in: theme) { throw fault }
        let event = try declaration.read(event)
        if let fault = piece.refusal(of: event, declaration, at: time) { throw fault }
        return AdmittedEvent(event: event)
    }

    /// Acts on an event. `time` counts from the run's start and never goes back.
    public mutating func act(on admitted: AdmittedEvent, at time: Frame) -> Effects {
        let event = admitted.event
        switch event.kind {
        case .arrival(let arrival): told = (arrival.civilTime, time)
        case .tick(let civilTime):
            told = (civilTime, time)
            wake = nil
        default: break
        }
        switch event.kind {
        // The house's: no piece hears of it.
        case .mute(let on): return Effects(cues: [.mute(on)])
        case .ceiling(let level): return Effects(cues: [.ceiling(level)])
        case .volume(let level, let fade): return Effects(cues: [.volume(level, fade: fade)])
        case .theme(let theme):
            self.theme = theme
            return kept(Effects(cues: [.theme(theme)]) + piece.take(event, usual: [], declaration, at: time), at: time)
        case .knob(let change):
            if let knob = try? change.check(declaration.knobs) { knobs[knob] = change.value }
            return kept(piece.take(event, usual: [], declaration, at: time), at: time)
        default:
            return kept(piece.take(event, usual: hands.reduce(event, in: theme), declaration, at: time), at: time)
        }
    }

    /// Everything is let go of, whatever the piece makes of it: nobody knows what was held.
    public mutating func releaseAll(at time: Frame) -> Effects { act(on: AdmittedEvent(engine: .stop), at: time) }

    /// What of `effects` is within the rules for pieces; the rest is counted.
    private mutating func kept(_ effects: Effects, at time: Frame) -> Effects {
        var effects = effects
        var weight = 0
        var isWithin = true
        for cue in effects.cues {
            weight += self.weight(of: cue)
            if weight > Self.cueBudget || lacks(cue) { isWithin = false }
        }
        if !isWithin { dropCues(&effects) }
        if effects.announcements.count > Self.announcementBudget {
            refusals.announcements += effects.announcements.count - Self.announcementBudget
            effects.announcements.removeLast(effects.announcements.count - Self.announcementBudget)
        }
        if let next = effects.wake {
            if isAhead(next, of: time) { wake = next } else { refusals.wakes += 1 }
        }
        return effects
    }

    private func isAhead(_ wake: Wake, of time: Frame) -> Bool {
        switch wake {
        case .frame(let frame): return frame > time
        case .instant(let instant):
            guard let told else { return true }
            return instant > told.civilTime.instant + rate.seconds(in: time - told.frame).rawValue
        }
    }

    private mutating func dropCues(_ effects: inout Effects) {
        var weight = 0
        effects.cues = effects.cues.filter { cue in
            guard !lacks(cue) else {
                refusals.note(unknown: cue, theme)
                return false
            }
            guard weight + self.weight(of: cue) <= Self.cueBudget else {
                refusals.cues += 1
                return false
            }
            weight += self.weight(of: cue)
            return true
        }
    }

    private func weight(of cue: Cue) -> Int {
        switch cue {
        case .chime(let name): theme.chimes[name]?.notes.count ?? 0
        case .theme: 2
        default: 1
        }
    }

    /// Whether nothing is meant by it in the theme.
    private func lacks(_ cue: Cue) -> Bool {
        switch cue {
        case .chime(let name): theme.chimes[name] == nil
        case .haptic(let name): theme.haptics[name] == nil
        default: false
        }
    }

    /// What the piece answers. Throws what is wrong with the query, or that the piece has none of the kind.
    public func answer(_ query: PieceQuery, at time: Frame) throws(Fault) -> any Encodable & Sendable {
        try piece.answer(query, declaration, at: time)
    }

    /// What it has come to by then; nil for a piece that counts nothing.
    public func record(at time: Frame) -> Announcement? { piece.record(at: time) }
}

/// An event that a run has admitted, with its body as the piece reads it.
public struct AdmittedEvent: Sendable {
    public let event: Event

    fileprivate init(event: Event) { self.event = event }

    /// One of the engine's own, which no piece can refuse and whose body needs no reading.
    public init(engine kind: EventKind) { event = Event(client: .engine, kind) }
}

/// What a piece returned and was not used.
public struct Refusals: Equatable, Sendable {
    /// Cues beyond the budget of their event.
    public var cues = 0
    /// Cues of names that the theme does not have.
    public var unknownCues = 0
    /// Announcements beyond the budget of their event.
    public var announcements = 0
    /// Ticks that were asked for too late to come.
    public var wakes = 0
    /// The last cue whose name the theme does not have, in words.
    public var lastUnknownCue: String?

    public var total: Int { cues + unknownCues + announcements + wakes }

    public init() {}

    fileprivate mutating func note(unknown cue: Cue, _ theme: Theme) {
        // Every theme may leave out what hands feel.
        if case .haptic(let name) = cue, name == "touch-down" || name == "touch-up" { return }
        unknownCues += 1
        lastUnknownCue = switch cue {
        case .chime(let name): "the theme \(theme.name) has no chime \(name)"
        case .haptic(let name): "the theme \(theme.name) has no haptic pattern \(name)"
        default: lastUnknownCue
        }
    }

    public static func + (a: Refusals, b: Refusals) -> Refusals {
        var sum = a
        sum.cues += b.cues
        sum.unknownCues += b.unknownCues
        sum.announcements += b.announcements
        sum.wakes += b.wakes
        sum.lastUnknownCue = b.lastUnknownCue ?? a.lastUnknownCue
        return sum
    }
}

// The piece's own types are known in here only.
extension Experience {
    fileprivate func refusal(of event: Event, _ declaration: Declaration, at time: Frame) -> Fault? {
        switch event.kind {
        case .arrival(let arrival): return Self.fault(in: arrival)
        // Letting go is never refused.
        case .stop, .left: return nil
        case .touch(let touch) where touch.phase == .ended: return nil
        default: break
        }
        guard let input = input(event, usual: [], declaration) else {
            return Fault(field: "method", expected: "an action as \(declaration.name) reads it", found: event.kind.name)
        }
        return refusal(of: input, at: time)
    }

    fileprivate mutating func take(_ event: Event, usual: [Cue], _ declaration: Declaration, at time: Frame) -> Effects {
        if case .arrival(let arrival) = event.kind { return begin(at: arrival.civilTime, try? Self.memory(arrival)) }
        guard let input = input(event, usual: usual, declaration) else { preconditionFailure("an event is admitted before it is acted on") }
        return reduce(input, at: time)
    }

    private func input(_ event: Event, usual: [Cue], _ declaration: Declaration) -> Input<Move>? {
        switch event.kind {
        case .touch(let touch): .touch(touch, usual: usual)
        case .tap(let tap): .tap(tap)
        case .swipe(let swipe): .swipe(swipe)
        case .action(let action): (action.body as? Move).map { .move($0) }
        case .tone(let request): .tone(request, usual: usual)
        case .tick(let civilTime): .tick(civilTime)
        case .knob(let change): declaration.knobs.first { $0.name == change.name }.map { .knob($0, change.value) }
        case .theme(let theme): .theme(theme)
        case .visit(let phase): .visit(phase)
        case .chime, .haptic, .pattern, .mute, .ceiling, .volume, .start, .mark, .stop, .arrival, .left: .other(usual: usual)
        }
    }

    private static func memory(_ arrival: Arrival) throws -> Memory? { try arrival.memory.map { try $0.read { try Memory($0) } } }

    private static func fault(in arrival: Arrival) -> Fault? {
        do {
            _ = try memory(arrival)
            return nil
        } catch let fault as Fault {
            return Fault(field: fault.field.isEmpty ? "memory" : "memory." + fault.field, expected: fault.expected, found: fault.found)
        } catch {
            return Fault(field: "memory", expected: "an object")
        }
    }

    fileprivate var remembered: JSONValue? { memory?.json }

    fileprivate func answer(_ query: PieceQuery, _ declaration: Declaration, at time: Frame) throws(Fault) -> any Encodable & Sendable {
        guard let own = query.body as? Query else {
            let queries = declaration.queries.map(\.name)
            let expected = queries.isEmpty ? "none" : "only " + queries.joined(separator: ", ")
            throw Fault(field: "method", expected: "\(expected) of the pieces' own, because the experience is \(declaration.name)",
                        found: query.name)
        }
        return try answer(own, at: time)
    }
}
