import Calendar
import Fields
import Units

/// Something that happened at the installation, and who reported it.
public struct Event: Equatable, Sendable {
    public var client: Client
    public var kind: EventKind

    public init(client: Client, _ kind: EventKind) {
        self.client = client
        self.kind = kind
    }
}

public enum EventKind: Equatable, Sendable {
    case touch(Touch)
    case tap(Tap)
    case swipe(Swipe)
    /// An event that belongs to the piece that runs.
    case action(Action)
    case tone(ToneRequest)
    case chime(name: String)
    /// A client begins (`on`) or ends a texture of the theme. The texture sounds as long as any client that began it has not ended it.
    case texture(name: String, on: Bool)
    case haptic(name: String)
    /// A client begins pink noise to check loudspeakers, or changes its level, which is its RMS in dBFS; nil ends it. The noise goes on as
    /// long as any client that began it has not ended it.
    case noise(Decibels?)
    /// A haptic pattern that the client sends along; it is not in the theme.
    case pattern(HapticPattern)
    case knob(KnobChange)
    /// Mutes all sound (true), or unmutes it (false). Vibrations go on.
    case mute(Bool)
    /// The ceiling is set: from now on, no sample exceeds this level.
    case ceiling(Decibels)
    /// The volume changes: to this gain, 0 dB or less, within the time `fade`.
    case volume(Decibels, fade: Seconds)
    /// The theme is changed: from now on, the house has this one.
    case theme(Theme)
    /// A client reports that somebody is present, though nothing was touched yet.
    case start
    /// A remark by an operator for readers of the journal.
    case mark(String)
    case stop
    /// A run begins. Only the engine reports this.
    case arrival(Arrival)
    /// A document comes into force: from now on, the piece follows it. This happens at a run's beginning, and whenever another version is
    /// published.
    case configuration(PublishedDocument)
    /// The moment has come at which the piece asked to be woken. It does not mean that anybody is present.
    case tick(CivilTime)
    /// Somebody has come to a household's piece, or everybody has left.
    case visit(VisitPhase)
    /// The source of touches changes: from now on, only the touches that this source reports count.
    case touchOwner(TouchOwner)
    /// The client has disconnected: its fingers count as lifted, and the tone and textures that only this client kept on end.
    case left
}

/// A change of one finger: it touches, moves, or is lifted.
public struct Touch: Equatable, Sendable {
    public enum Phase: String, CaseIterable, Encodable, Sendable { case began, moved, ended }

    public var phase: Phase
    /// A number that distinguishes the fingers of one client, 0…2³¹−1.
    public var finger: Int
    /// The horizontal position, 0 at the left edge, 1 at the right; nil when the front end does not say.
    public var x: Double?
    /// The vertical position, 0 at the top edge, 1 at the bottom; nil when the front end does not say.
    public var y: Double?

    public init(_ phase: Phase, finger: Int = 0, x: Double? = nil, y: Double? = nil) {
        self.phase = phase
        self.finger = finger
        self.x = x
        self.y = y
    }
}

/// A swipe: a finger was flicked up or down.
public struct Swipe: Equatable, Sendable {
    public enum Direction: String, CaseIterable, Sendable { case up, down }

    public var direction: Direction
    /// The finger's speed in screen heights per second, 0…1,000; nil when the client does not say.
    public var velocity: Double?
    /// The finger's deceleration at the end of the swipe, in screen heights/s², −100,000…100,000; nil when the client does not say.
    public var deceleration: Double?

    public static let velocities = 0.0...1_000
    public static let decelerations = -100_000.0...100_000

    public init(_ direction: Direction = .up, velocity: Double? = nil, deceleration: Double? = nil) {
        self.direction = direction
        self.velocity = velocity
        self.deceleration = deceleration
    }
}

/// Says whose touches count, because a page and the engine may both see the same finger.
public enum TouchOwner: String, CaseIterable, Codable, Sendable {
    /// The engine reads the touchscreen, and pages draw what the engine reports.
    case engine
    /// Pages report the touches that they receive.
    case page
    /// No page has asked for touches: every reported touch counts.
    case anyone
}

public enum VisitPhase: String, CaseIterable, Sendable { case began, ended }

/// The facts that a run begins with, which a piece's rules cannot find out by themselves.
public struct Arrival: Equatable, Sendable {
    public var civilTime: CivilTime
    /// The piece's memory of earlier runs, in the piece's own form; nil when it has none.
    public var memory: JSONValue?

    public init(_ civilTime: CivilTime, memory: JSONValue? = nil) {
        self.civilTime = civilTime
        self.memory = memory
    }
}

/// A short touch that did not move.
public struct Tap: Equatable, Sendable {
    /// The position, with `x` and `y` as in `Touch`; nil when the front end does not say it.
    public var x: Double?
    public var y: Double?

    public init(x: Double? = nil, y: Double? = nil) {
        self.x = x
        self.y = y
    }
}

/// A front end's request to change the tone. A field that is nil changes nothing.
public struct ToneRequest: Equatable, Sendable {
    public var on: Bool?
    public var frequency: Hertz?
    public var level: Decibels?
    /// The time that the pitch takes to reach `frequency`; nil when it jumps there.
    public var glide: Seconds?

    public init(on: Bool? = nil, frequency: Hertz? = nil, level: Decibels? = nil, glide: Seconds? = nil) {
        self.on = on
        self.frequency = frequency
        self.level = level
        self.glide = glide
    }
}

/// Who reports an event.
public enum Client: Hashable, Sendable {
    /// Thrum itself.
    case engine
    /// A touchscreen that Thrum reads, numbered from 1.
    case screen(Int)
    /// A front end's connection, numbered from 1.
    case connection(Int)

    /// Creates a client from its number on the wire and in journals.
    public init(number: Int) {
        self = number == 0 ? .engine : number > 0 ? .connection(number) : .screen(-number)
    }

    /// The client's number: 0 is the engine, 1 and up are connections, −1 and down are screens.
    public var number: Int {
        switch self {
        case .engine: 0
        case .screen(let number): -number
        case .connection(let number): number
        }
    }
}

extension Client: Comparable {
    public static func < (a: Client, b: Client) -> Bool { a.number < b.number }
}

extension Client: CustomStringConvertible {
    public var description: String { "\(number)" }
}

/// A client is written as its number.
extension Client: Codable {
    public init(from decoder: any Decoder) throws { self.init(number: try decoder.singleValueContainer().decode(Int.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension EventKind {
    /// Whether the event may end a sound: it lifts a finger, ends the tone or a texture, mutes, stops all, or says that a client left.
    public var releases: Bool {
        switch self {
        case .touch(let touch): touch.phase == .ended
        case .tone(let request): request.on == false
        case .texture(_, let on): !on
        case .noise(let level): level == nil
        case .mute(let on): on
        case .stop, .left: true
        case .tap, .swipe, .action, .chime, .haptic, .pattern, .knob, .ceiling, .volume, .theme, .start, .mark, .arrival,
             .configuration, .tick, .visit, .touchOwner: false
        }
    }
}

/// A version of a document that operators have published. The piece follows it until the next version of its kind.
public struct PublishedDocument: Equatable, Sendable {
    public static let versions = 1...Int(Int32.max)

    /// The document's kind, one of those that the piece declares.
    public var kind: String
    /// The version's number, which grows with each version of its kind, within `versions`.
    public var version: Int
    /// The document itself, a JSON object.
    public var body: JSONValue

    public init(kind: String, version: Int, body: JSONValue) {
        self.kind = kind
        self.version = version
        self.body = body
    }
}
