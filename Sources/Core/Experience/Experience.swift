import Calendar
import Fields
import Signals
import Units

/// The rules of one piece: a function from events to effects. It is deterministic and has no clock: the same opening and the same events at
/// the same frames give the same effects.
///
/// A piece is a value: changing it leaves its copies as they are.
public protocol Experience: Sendable {
    /// The type of the actions that the piece declares.
    associatedtype Move: ActionBody = NoMove
    /// The type of the piece's queries.
    associatedtype Query: QueryBody = NoQuery
    /// The type of the memory that a run passes on to the next.
    associatedtype Memory: PieceMemory = NoMemory

    static var declaration: Declaration { get }
    /// What the piece adds to the command line; nil when it adds nothing. It stands beside the declaration, because every start of `thrum`
    /// asks for it and the declaration takes longer to make.
    static var command: CommandDeclaration? { get }

    /// Creates the piece for a new run, before the run's first event.
    init(_ opening: Opening)
    /// The cues with which a run begins.
    var opening: [Cue] { get }
    /// Returns the reason why `input` cannot be acted on; nil when it can. It changes nothing, so a refused event leaves no trace. `Run`
    /// calls it only for inputs that people make, and not for releases. The decisions of the house, ticks and visits cannot be refused.
    func refusal(of input: Input<Move>, at now: Now) -> Fault?
    /// Acts on an input that was not refused.
    mutating func reduce(_ input: Input<Move>, at now: Now) -> Effects
    /// Begins with `memory`, which is that of the run before, or of the household that enters; nil if there is none. It is called at an
    /// arrival: after the documents at the start of a run whose piece is told the time, and when another household enters.
    mutating func begin(at now: Now, _ memory: Memory?) -> Effects
    /// Computes the refund of a household's own purchase while another household is present. Returns the household's memory afterwards and
    /// the ledger entry of the refund. The household is not brought to the present for this. Throws the reason if nothing is taken back.
    /// Only for pieces that sell something.
    func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault) -> (memory: Memory, entry: LedgerEntry)
    /// Returns the memory of a household after the household `other` has been merged into it. In the ledger, the household gets the
    /// balances of `other`, too. Nothing else of `other` is stored any more. Throws the reason if the two cannot be merged.
    static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory
    /// Returns the answer to `query`. Throws what is wrong with the query.
    func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable
    /// Returns the run's record (its result) at `now`; nil for a piece without records.
    func record(at now: Now) -> Announcement?
    /// The memory for the next run, as it would be if this run ended now; nil where the piece passes nothing on to the next run.
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
    /// The model by which the piece predicts; nil for the piece's standard model, and for a piece that predicts nothing.
    public var model: PredictionModel?

    public init(theme: Theme, seed: UInt64, rate: SampleRate, knobs: KnobSettings = .standard, model: PredictionModel? = nil) {
        self.theme = theme
        self.seed = seed
        self.rate = rate
        self.knobs = knobs
        self.model = model
    }
}

/// An event in the form in which a piece gets it. Mute, ceiling and volume belong to the house, and no piece gets them.
public enum Input<Move: ActionBody>: Sendable {
    /// A touch. `usual` has the cues that most pieces give for a touch (`Hands`). The other cases with `usual` have in it the cues for
    /// their events.
    case touch(Touch, usual: [Cue])
    case tap(Tap)
    case swipe(Swipe)
    case move(Move)
    case tone(ToneRequest, usual: [Cue])
    /// The tick that the piece asked for.
    case tick
    /// A knob has been turned to this value.
    case knob(Knob, KnobValue)
    /// The new theme, which the outputs already have.
    case theme(Theme)
    /// A document of a type that the piece declares. The piece follows it from now on. It comes before a run's arrival, and whenever
    /// another version is published.
    case configuration(any PieceDocument, version: Int)
    /// Somebody has come, or everybody has gone. Only a household's piece gets this.
    case visit(VisitPhase)
    /// A client comes or goes, marks the journal, stops everything, or plays a chime or a pattern directly.
    case other(usual: [Cue])
}

/// The moment of an event or of a query. A piece gets it with each call, and has no other clock.
public struct Now: Equatable, Sendable {
    /// The frame, counted from the run's start. It never goes back.
    public var frame: Frame
    /// The time of the house's clock, as far as the run knows it: the time that the latest arrival or tick brought, plus the frames since
    /// then. A run that has been told no time counts from 1970.
    public var civilTime: CivilTime

    public init(frame: Frame, civilTime: CivilTime) {
        self.frame = frame
        self.civilTime = civilTime
    }
}

/// All that a piece returns for one event.
public struct Effects: Sendable {
    /// The cues, which are due with the event. They may lead to at most `Run.cueBudget` synth commands. A piece must not give mute,
    /// ceiling, volume or theme, which belong to the house.
    public var cues: [Cue]
    /// The announcements, at most `Run.announcementBudget`.
    public var announcements: [Announcement]
    /// The piece's part of the answer to the client that reported the event; nil where the piece answers nothing.
    public var result: JSONValue?
    /// The time at which the piece wants its next tick; nil leaves an earlier wish as it is.
    public var wake: Wake?
    /// The ledger entries that must be on the disk before the event is answered.
    public var ledger: [LedgerEntry]
    /// The name of another household that enters: its arrival is the next event of the run. nil if the household stays the same. Only a
    /// household's piece may set it.
    public var household: String?
    /// The log-odds that the run's model gave at the event; nil where the piece predicted nothing. Journals contain it, so
    /// that a replay shows whether the model still predicts the same.
    public var logOdds: Double?

    public init(cues: [Cue] = [], announcements: [Announcement] = [], result: JSONValue? = nil, wake: Wake? = nil,
                ledger: [LedgerEntry] = [], household: String? = nil) {
        self.cues = cues
        self.announcements = announcements
        self.result = result
        self.wake = wake
        self.ledger = ledger
        self.household = household
    }

    /// Returns the effects of `a` followed by those of `b`.
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
        a.logOdds = b.logOdds ?? a.logOdds
    }

    public mutating func tell(_ body: any AnnouncementBody) { announcements.append(Announcement(body)) }
}

/// The time at which a piece wants a tick. It must be within `Run.waits` of the event.
public enum Wake: Equatable, Sendable {
    /// The tick comes at exactly this frame of the run, but at the earliest 1 ms after the event.
    case frame(Frame)
    /// The tick comes as soon as the wall clock shows this instant or a later one, in seconds since 1970-01-01 in UTC. This holds also if
    /// the machine has slept or its clock was set. Only for pieces that are told the time.
    case instant(Double)
}

/// The type of actions of a piece that declares none.
public enum NoMove: ActionBody {
    public var name: String { switch self {} }
    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
}

/// The type of queries of a piece that declares none.
public enum NoQuery: QueryBody {}

/// The memory that a run passes on to the next run, as a JSON object.
public protocol PieceMemory: Equatable, Sendable {
    /// Reads what `json` has written, by these rules or by an older version of them. Throws `Fault`.
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
    /// Who may see the counter, as a kind of confidential information; nil if everybody may.
    public var confidence: Confidence?

    public init(_ name: String, _ value: Double?, unit: String? = nil, confidence: Confidence? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.confidence = confidence
    }
}
