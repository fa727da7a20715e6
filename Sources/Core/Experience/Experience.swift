import Calendar
import Fields
import Signals
import Units

/// The rules of one piece: events in, effects out. They are deterministic and have no clock: the same opening and the same events at the
/// same frames give the same effects.
///
/// A piece is a value: a copy keeps it as it was.
public protocol Experience: Sendable {
    /// The piece's own events.
    associatedtype Move: ActionBody = NoMove
    /// The piece's queries.
    associatedtype Query: QueryBody = NoQuery
    /// The memory that a run passes on to the next.
    associatedtype Memory: PieceMemory = NoMemory

    static var declaration: Declaration { get }
    /// What the piece adds to the command line; nil for nothing. It stands beside the declaration, because every start of `thrum` asks for
    /// it and the declaration takes longer to make.
    static var command: CommandDeclaration? { get }

    /// Creates the piece as new.
    init(_ opening: Opening)
    /// The cues that a run begins with.
    var opening: [Cue] { get }
    /// Returns why `input` cannot be acted on; nil when it can. Nothing changes by it, so a refused event leaves no trace. It is asked of
    /// what people do, except where something is let go of. What the house decides, ticks and visits cannot be refused.
    func refusal(of input: Input<Move>, at now: Now) -> Fault?
    /// Acts on what is not refused.
    mutating func reduce(_ input: Input<Move>, at now: Now) -> Effects
    /// Begins with the memory of the runs before; nil for none. It is the first event of a run whose piece is told the time.
    mutating func begin(at now: Now, _ memory: Memory?) -> Effects
    /// Returns what a household that is not here is left with when its own purchase is refunded, and the entry that says so. No time goes
    /// by for the household. Throws why nothing is taken. Only for pieces that sell something.
    func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault) -> (memory: Memory, entry: LedgerEntry)
    /// Returns what a household remembers when another one is merged into it. It gets the other's balances in the ledger; nothing else of
    /// the other is kept. Throws why they do not go together.
    static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory
    /// Returns the answer to `query`. Throws what is wrong with the query.
    func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable
    /// Returns the run's record by `now`; nil for a piece without one.
    func record(at now: Now) -> Announcement?
    /// The memory for the next run, if this one ended now; nil for none.
    var memory: Memory? { get }
    /// Returns the counters, which are listed beside the knobs.
    func counters(at now: Now) -> [Counter]
}

extension Experience {
    public static var command: CommandDeclaration? { nil }
    public var opening: [Cue] { [] }
    public func refusal(of input: Input<Move>, at now: Now) -> Fault? { nil }
    public mutating func begin(at now: Now, _ memory: Memory?) -> Effects { Effects() }
    public func record(at now: Now) -> Announcement? { nil }
    public var memory: Memory? { nil }
    public func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault)
        -> (memory: Memory, entry: LedgerEntry) {
        throw Fault(field: "receipt", expected: "none, because the experience \(Self.declaration.name) sells nothing")
    }
    public static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory { memory }
    public func counters(at now: Now) -> [Counter] { [] }
}

extension Experience where Query == NoQuery {
    public func answer(_ query: NoQuery, at now: Now) throws(Fault) -> any Encodable & Sendable {}
}

/// The values from which a piece is made at the start of a run.
public struct Opening: Sendable {
    public var theme: Theme
    public var seed: UInt64
    /// The rate of the run's frames.
    public var rate: SampleRate
    public var knobs: KnobSettings
    /// The model by which the piece predicts; nil for its standard, and for a piece that predicts nothing.
    public var model: PredictionModel?

    public init(theme: Theme, seed: UInt64, rate: SampleRate, knobs: KnobSettings = .standard, model: PredictionModel? = nil) {
        self.theme = theme
        self.seed = seed
        self.rate = rate
        self.knobs = knobs
        self.model = model
    }
}

/// An event as a piece gets it. Mute, ceiling and volume are the house's, and no piece gets them.
public enum Input<Move: ActionBody>: Sendable {
    /// A touch. `usual` are the cues that most pieces give for an event; see `Hands`.
    case touch(Touch, usual: [Cue])
    case tap(Tap)
    case swipe(Swipe)
    case move(Move)
    case tone(ToneRequest, usual: [Cue])
    /// The tick that the piece asked for.
    case tick
    /// A knob is turned.
    case knob(Knob, KnobValue)
    /// The new theme, which the outputs already have.
    case theme(Theme)
    /// A document, of a type that the piece declares, by which the piece goes from now on. It comes before a run's arrival, and whenever
    /// another version is published.
    case configuration(any PieceDocument, version: Int)
    /// Somebody has come, or everybody has gone; only for pieces of households.
    case visit(VisitPhase)
    /// A client comes or goes, marks the journal, stops everything, or plays a chime or a pattern directly.
    case other(usual: [Cue])
}

/// The moment of an event or of a question. A piece is told it with each call, and has no other clock.
public struct Now: Equatable, Sendable {
    /// The frame, counted from the run's start. It never goes back.
    public var frame: Frame
    /// The time of the house's clock, as far as the run has been told it: by its arrival and its ticks, and counted in frames from there.
    /// It begins in 1970 where the run has been told nothing.
    public var civilTime: CivilTime

    public init(frame: Frame, civilTime: CivilTime) {
        self.frame = frame
        self.civilTime = civilTime
    }
}

/// All that a piece returns for one event.
public struct Effects: Sendable {
    /// The cues, due with the event: at most `Run.cueBudget` synth commands. Mute, ceiling, volume and theme are the house's.
    public var cues: [Cue]
    /// The announcements, at most `Run.announcementBudget`.
    public var announcements: [Announcement]
    /// The piece's part of the answer to the client that reported the event; nil for none.
    public var result: JSONValue?
    /// When the piece wants its next tick; nil leaves that as it is.
    public var wake: Wake?
    /// The ledger entries that must be on the disk before the event is answered.
    public var ledger: [LedgerEntry]
    /// The name of another household whose memory the piece goes on with, and whose arrival is the next event; nil for the same. Only for
    /// pieces whose runs are households'.
    public var household: String?
    /// The margin that the run's model gave because of the event, in log-odds; nil for none. Journals keep it, so that a replay is seen to
    /// predict the same.
    public var margin: Double?

    public init(cues: [Cue] = [], announcements: [Announcement] = [], result: JSONValue? = nil, wake: Wake? = nil,
                ledger: [LedgerEntry] = [], household: String? = nil) {
        self.cues = cues
        self.announcements = announcements
        self.result = result
        self.wake = wake
        self.ledger = ledger
        self.household = household
    }

    /// Joins the effects of `a` and then `b`.
    public static func + (a: Effects, b: Effects) -> Effects {
        var sum = a
        sum += b
        return sum
    }

    public static func += (a: inout Effects, b: Effects) {
        a.cues += b.cues
        a.announcements += b.announcements
        a.result = b.result ?? a.result
        a.wake = b.wake ?? a.wake
        a.ledger += b.ledger
        a.household = b.household ?? a.household
        a.margin = b.margin ?? a.margin
    }

    public mutating func tell(_ body: any AnnouncementBody) { announcements.append(Announcement(body)) }
}

/// The time at which a piece wants a tick, within `Run.waits` of the event.
public enum Wake: Equatable, Sendable {
    /// Exactly this frame of the run, or a thousandth of a second ahead if that is later.
    case frame(Frame)
    /// When the wall clock has reached this instant, in seconds since 1970-01-01 in UTC, also after the machine was asleep or its clock was
    /// set. Only for pieces that are told the time.
    case instant(Double)
}

/// The move of a piece without events of its own.
public enum NoMove: ActionBody {
    public var name: String { switch self {} }
    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
}

/// The query of a piece without queries.
public enum NoQuery: QueryBody {}

/// The memory that a run passes on to the next, as a JSON object.
public protocol PieceMemory: Equatable, Sendable {
    /// Reads what `json` wrote, by these rules or by older ones. Throws `Fault`.
    init(_ fields: Fields) throws
    var json: JSONValue { get }
}

/// The memory of a piece that remembers nothing.
public struct NoMemory: PieceMemory {
    public init(_ fields: Fields) throws { try fields.refuseAll(but: []) }
    public var json: JSONValue { .object([:]) }
}

/// A number that is listed beside the knobs and cannot be set.
public struct Counter: Equatable, Sendable {
    public var name: String
    /// The value; nil when there is nothing to count yet.
    public var value: Double?
    public var unit: String?
    /// The confidence in which the counter is told; nil where everybody may be told.
    public var confidence: Confidence?

    public init(_ name: String, _ value: Double?, unit: String? = nil, confidence: Confidence? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.confidence = confidence
    }
}
