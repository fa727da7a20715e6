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
    case feedUpdate(FeedUpdate)
    case feedSwipe(FeedSwipe)
    case feedScroll(FeedScroll)
    case tap(Tap)
    case tone(ToneRequest)
    case chime(name: String)
    case haptic(name: String)
    /// A haptic pattern that is not the theme's.
    case pattern(HapticPattern)
    case parameter(ParameterChange)
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
    /// A session begins, which only the engine says.
    case arrival(Arrival)
    /// The client is gone: what it held is released.
    case left
}

/// One finger's change.
public struct Touch: Equatable, Sendable {
    public enum Phase: String, CaseIterable, Sendable { case began, moved, ended }

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

/// How far the visitor has come.
public struct FeedUpdate: Equatable, Sendable {
    /// Cards seen since the session's start, 0…1,000,000.
    public var blocksViewed: Int

    public init(blocksViewed: Int) { self.blocksViewed = blocksViewed }
}

/// The visitor threw the feed on.
public struct FeedSwipe: Equatable, Sendable {
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

/// Another card of the feed is shown.
public struct FeedScroll: Equatable, Sendable {
    /// Of the card, 0 and up.
    public var index: Int
    /// As a swipe's.
    public var velocity: Double?

    public static let indices = 0...1_000_000_000

    public init(to index: Int, velocity: Double? = nil) {
        self.index = index
        self.velocity = velocity
    }
}

/// What a session is begun with that no experience can know by itself.
public struct Arrival: Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC, without leap seconds.
    public var time: Double
    /// Of the local time, in seconds east of UTC.
    public var utcOffset: Int
    /// Cards viewed in the session before; nil when nobody knows.
    public var lastScore: Int?

    /// Years 1970 to 9999.
    public static let times = 0.0...253_402_300_799
    /// ISO 8601 has offsets of less than a day.
    public static let utcOffsets = -86_399...86_399

    public init(time: Double, utcOffset: Int, lastScore: Int? = nil) {
        self.time = time
        self.utcOffset = utcOffset
        self.lastScore = lastScore
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
