import Calendar
import Fields
import Signals
import Units

/// The rules of one piece: events in, effects out. Deterministic, and without a clock: the same opening and the same events at the same
/// frames give the same effects.
///
/// A value: a copy keeps the piece as it was.
public protocol Experience: Sendable {
    /// The piece's own events.
    associatedtype Move: ActionBody = NoMove
    /// Its queries.
    associatedtype Query: QueryBody = NoQuery
    /// What a run passes on to the next.
    associatedtype Memory: PieceMemory = NoMemory

    static var declaration: Declaration { get }
    /// What it adds to the command line; nil for a piece that adds nothing. Apart from the declaration, which takes longer to make: every
    /// start of `thrum` asks for it.
    static var command: CommandDeclaration? { get }

    /// As new.
    init(_ opening: Opening)
    /// The cues that a run begins with.
    var opening: [Cue] { get }
    /// Why `input` cannot be acted on; nil when it can. Nothing changes by it, so a refused event leaves no trace. Asked of what people do,
    /// but not where something is let go of; what the house decides, ticks and visits cannot be refused.
    func refusal(of input: Input<Move>, at now: Now) -> Fault?
    /// Acts on what is not refused.
    mutating func reduce(_ input: Input<Move>, at now: Now) -> Effects
    /// Begins with the memory of the runs before, if there is any. It is the first event of a run whose piece tells time.
    mutating func begin(at now: Now, _ memory: Memory?) -> Effects
    /// What a household that is not here is left with when its own purchase is refunded, and the entry that says so. No time goes by for
    /// it. Throws why nothing is taken. Only for pieces that sell something.
    func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault) -> (memory: Memory, entry: LedgerEntry)
    /// What a household is left with when another one is merged into it, whose balances it gets in the ledger. Nothing else of the other is
    /// kept. Throws why they do not go together.
    static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory
    /// Throws what is wrong with the query.
    func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable
    /// The run's record by then; nil for a piece without one.
    func record(at now: Now) -> Announcement?
    /// The memory for the next run if this one ended now; nil for none.
    var memory: Memory? { get }
    /// Counters, which are listed beside the knobs.
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

/// What a piece is made of at the start of a run.
public struct Opening: Sendable {
    public var theme: Theme
    public var seed: UInt64
    /// The rate of its frames.
    public var rate: SampleRate
    public var knobs: KnobSettings

    public init(theme: Theme, seed: UInt64, rate: SampleRate, knobs: KnobSettings = .standard) {
        self.theme = theme
        self.seed = seed
        self.rate = rate
        self.knobs = knobs
    }
}

/// An event as a piece gets it. Mute, ceiling and volume are the house's, and are never among them.
public enum Input<Move: ActionBody>: Sendable {
    /// `usual` are the cues that most pieces give for it; see `Hands`.
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
    /// The piece goes by this document from now on, which is of a type that it declares. Before a run's arrival, and whenever another
    /// version is published.
    case configuration(any PieceDocument, version: Int)
    /// Somebody has come, or everybody has gone; only for pieces of households.
    case visit(VisitPhase)
    /// A client comes or goes, marks the journal, stops everything, or plays a chime or a pattern directly.
    case other(usual: [Cue])
}

/// For a piece without events of its own.
public enum NoMove: ActionBody {
    public var name: String { switch self {} }
    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
}

/// For a piece without queries.
public enum NoQuery: QueryBody {}

/// What a run passes on to the next, as a JSON object.
public protocol PieceMemory: Equatable, Sendable {
    /// Reads what `json` wrote, by these rules or by others before them. Throws `Fault`.
    init(_ fields: Fields) throws
    var json: JSONValue { get }
}

/// For a piece that remembers nothing.
public struct NoMemory: PieceMemory {
    public init(_ fields: Fields) throws { try fields.refuseAll(but: []) }
    public var json: JSONValue { .object([:]) }
}

/// A number that is listed beside the knobs, and cannot be set.
public struct Counter: Equatable, Sendable {
    public var name: String
    /// Nil when there is nothing to count yet.
    public var value: Double?
    public var unit: String?
    /// What it tells of a household in confidence; nil where everybody may be told.
    public var confidence: Confidence?

    public init(_ name: String, _ value: Double?, unit: String? = nil, confidence: Confidence? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.confidence = confidence
    }
}
