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
    /// Something in the words of the piece that runs.
    case action(Action)
    case tone(ToneRequest)
    case chime(name: String)
    /// A texture of the theme, which the client holds until it lets go.
    case texture(name: String, on: Bool)
    case haptic(name: String)
    /// A haptic pattern that is not the theme's.
    case pattern(HapticPattern)
    case knob(KnobChange)
    /// The sound is taken away altogether, or given back; what is felt is not.
    case mute(Bool)
    /// No sample passes it from now on.
    case ceiling(Decibels)
    /// How far the house has the sound turned down, and how long that takes.
    case volume(Decibels, fade: Seconds)
    /// The house has another theme from now on.
    case theme(Theme)
    /// Somebody is there, though nothing was touched yet.
    case start
    /// A remark for whoever reads the journal.
    case mark(String)
    case stop
    /// A run begins, which only the engine says.
    case arrival(Arrival)
    /// The piece goes by this document from now on: at a run's beginning, and whenever another version is published.
    case configuration(PublishedDocument)
    /// The moment has come that the piece asked to be woken at. Nobody is there because of it.
    case tick(CivilTime)
    /// Somebody has come to a household's piece, or everybody has gone.
    case visit(VisitPhase)
    /// Whose touches count from now on.
    case touchOwner(TouchOwner)
    /// The client is gone: what it held is released.
    case left
}

/// One finger's change.
public struct Touch: Equatable, Sendable {
    public enum Phase: String, CaseIterable, Encodable, Sendable { case began, moved, ended }

    public var phase: Phase
    /// Tells a client's fingers apart, 0…2³¹−1.
    public var finger: Int
    /// 0 at the left edge, 1 at the right; nil when the front end does not say.
    public var x: Double?
    /// 0 at the top edge, 1 at the bottom; nil when the front end does not say.
    public var y: Double?

    public init(_ phase: Phase, finger: Int = 0, x: Double? = nil, y: Double? = nil) {
        self.phase = phase
        self.finger = finger
        self.x = x
        self.y = y
    }
}

/// A finger was flicked up or down.
public struct Swipe: Equatable, Sendable {
    public enum Direction: String, CaseIterable, Sendable { case up, down }

    public var direction: Direction
    /// Screen heights per second, 0…1,000; nil when nobody says.
    public var velocity: Double?
    /// By how much the finger was slowing down at last, in screen heights per second in a second, −100,000…100,000; nil when nobody
    /// says.
    public var deceleration: Double?

    public static let velocities = 0.0...1_000
    public static let decelerations = -100_000.0...100_000

    public init(_ direction: Direction = .up, velocity: Double? = nil, deceleration: Double? = nil) {
        self.direction = direction
        self.velocity = velocity
        self.deceleration = deceleration
    }
}

/// Whose touches count, where a page and the engine may both see the same finger.
public enum TouchOwner: String, CaseIterable, Codable, Sendable {
    /// The engine reads the touchscreen, and pages draw from that.
    case engine
    /// Pages report what happens on them.
    case page
    /// No page has asked: whoever reports a touch is heard.
    case anyone
}

public enum VisitPhase: String, CaseIterable, Sendable { case began, ended }

/// What a run is begun with that its rules cannot know by themselves.
public struct Arrival: Equatable, Sendable {
    public var civilTime: CivilTime
    /// What the piece remembers of runs before, as it wrote it; nil when it remembers nothing.
    public var memory: JSONValue?

    public init(_ civilTime: CivilTime, memory: JSONValue? = nil) {
        self.civilTime = civilTime
        self.memory = memory
    }
}

/// A short touch that went nowhere.
public struct Tap: Equatable, Sendable {
    /// As a touch's.
    public var x: Double?
    public var y: Double?

    public init(x: Double? = nil, y: Double? = nil) {
        self.x = x
        self.y = y
    }
}

/// What a front end asks of the tone directly; what is nil stays as it is.
public struct ToneRequest: Equatable, Sendable {
    public var on: Bool?
    public var frequency: Hertz?
    public var level: Decibels?
    /// How long the pitch takes to arrive; at once when nil.
    public var glide: Seconds?

    public init(on: Bool? = nil, frequency: Hertz? = nil, level: Decibels? = nil, glide: Seconds? = nil) {
        self.on = on
        self.frequency = frequency
        self.level = level
        self.glide = glide
    }
}
