import Calendar
import Fields
import Signals
import Units

/// The rules of one piece: what happens in, effects out. Deterministic, and without a clock: the same events at the same frames after the
/// same opening give the same effects.
///
/// A value: whoever has a copy has the piece as it was.
public protocol Experience: Sendable {
    /// The piece's own events.
    associatedtype Move: ActionBody = NoMove
    /// What may be asked of it.
    associatedtype Query: QueryBody = NoQuery
    /// What of a run outlives it.
    associatedtype Memory: PieceMemory = NoMemory

    static var declaration: Declaration { get }

    /// As new.
    init(_ opening: Opening)
    /// What a run begins with.
    var opening: [Cue] { get }
    /// Why `input` cannot be acted on; nil when it can. Nothing changes by it, so a refused event leaves no trace. Asked of what people do,
    /// but not where something is let go of; what the house decides, ticks and visits cannot be refused.
    func refusal(of input: Input<Move>, at time: Frame) -> Fault?
    /// Acts on what is not refused. `time` counts from the run's start and never goes back.
    mutating func reduce(_ input: Input<Move>, at time: Frame) -> Effects
    /// Begins with what is remembered of the runs before, if anything is. The first event of a run that has a civil time.
    mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects
    /// Throws what is wrong with the query.
    func answer(_ query: Query, at time: Frame) throws(Fault) -> any Encodable & Sendable
    /// What the run has come to by then; nil for a piece that counts nothing.
    func record(at time: Frame) -> Announcement?
    /// What is to be remembered if the run ended now; nil for nothing.
    var memory: Memory? { get }
    /// What only shows beside the knobs.
    func counters(at time: Frame) -> [Counter]
}

extension Experience {
    public var opening: [Cue] { [] }
    public func refusal(of input: Input<Move>, at time: Frame) -> Fault? { nil }
    public mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects { Effects() }
    public func record(at time: Frame) -> Announcement? { nil }
    public var memory: Memory? { nil }
    public func counters(at time: Frame) -> [Counter] { [] }
}

extension Experience where Query == NoQuery {
    public func answer(_ query: NoQuery, at time: Frame) throws(Fault) -> any Encodable & Sendable {}
}

/// What a piece begins with, whatever happens then.
public struct Opening: Sendable {
    public var theme: Theme
    public var seed: UInt64
    /// Of the frames it is told the time in.
    public var rate: SampleRate
    public var knobs: KnobSettings

    public init(theme: Theme, seed: UInt64, rate: SampleRate, knobs: KnobSettings = .standard) {
        self.theme = theme
        self.seed = seed
        self.rate = rate
        self.knobs = knobs
    }
}

/// What a piece is told. Mute, ceiling and volume are the house's, and never get here.
public enum Input<Move: ActionBody>: Sendable {
    /// What hands do leads to `usual` in most pieces; see `Hands`.
    case touch(Touch, usual: [Cue])
    case tap(Tap)
    case swipe(Swipe)
    case move(Move)
    case tone(ToneRequest, usual: [Cue])
    /// It was woken.
    case tick(CivilTime)
    /// A knob is turned.
    case knob(Knob, KnobValue)
    /// From now on names mean what they do in this one, which has been told to the outputs already.
    case theme(Theme)
    /// Somebody has come, or everybody has gone; told to the pieces of households.
    case visit(VisitPhase)
    /// A client comes or goes, says something, stops everything, or asks for a chime or a pattern outright.
    case other(usual: [Cue])
}

/// For a piece without events of its own.
public enum NoMove: ActionBody {
    public var name: String { switch self {} }
    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
}

/// For a piece of which nothing may be asked.
public enum NoQuery: QueryBody {}

/// What of a run outlives it, as a JSON object.
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

/// A number that shows beside the knobs, and cannot be set.
public struct Counter: Equatable, Sendable {
    public var name: String
    /// Nil when there is nothing to count yet.
    public var value: Double?
    public var unit: String?

    public init(_ name: String, _ value: Double?, unit: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
