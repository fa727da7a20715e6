import Fields
import Signals

/// The state of fingers, tone and output: the parameters of topic `state`.
public struct StateReport: Codable, Equatable, Sendable {
    public struct Tone: Codable, Equatable, Sendable {
        public var isOpen = false
        /// The tone's frequency, Hz; its target while it glides.
        public var frequency = 0.0
        /// The tone's level, dBFS.
        public var level = -120.0

        public init() {}
    }

    /// Whether a session is under way.
    public var hasSession: Bool
    /// Whether a finger is down or a client holds the tone on.
    public var isHeld: Bool
    /// The number of fingers that are down.
    public var fingers: Int
    public var tone: Tone
    public var isMuted: Bool
    /// The level that no sample exceeds, dBFS.
    public var ceiling: Double
    public var output: StatusReport.Output.State

    public init(hasSession: Bool, isHeld: Bool, fingers: Int, tone: Tone, isMuted: Bool, ceiling: Double,
                output: StatusReport.Output.State) {
        self.hasSession = hasSession
        self.isHeld = isHeld
        self.fingers = fingers
        self.tone = tone
        self.isMuted = isMuted
        self.ceiling = ceiling
        self.output = output
    }
}

/// The parameters of topic `meters`: the levels since its last notification, in dBFS, −120 and up.
public struct MeterReport: Codable, Equatable, Sendable {
    public var peak: Double
    /// Root mean square; that of a sine is 3 dB below its peak.
    public var rms: Double

    public init(peak: Double, rms: Double) {
        self.peak = peak
        self.rms = rms
    }
}

/// Says whose touches count, and lists the touchscreens that the engine reads. In the answer to `hello`, and in the topic `touch.owner`.
public struct TouchOwnerReport: Codable, Equatable, Sendable {
    public struct Screen: Codable, Equatable, Sendable {
        /// The client number of the touchscreen's events, −1 and below.
        public var client: Int
        public var name: String
        /// The clockwise rotation of the picture against the sensor, in degrees. Positions are the picture's already.
        public var rotate: Int
        /// The number of positions that the sensor tells apart across and down the picture.
        public var width: Int
        public var height: Int

        public init(client: Int, name: String, rotate: Int, width: Int, height: Int) {
            self.client = client
            self.name = name
            self.rotate = rotate
            self.width = width
            self.height = height
        }
    }

    public var owner: TouchOwner
    public var screens: [Screen]

    public init(owner: TouchOwner, screens: [Screen]) {
        self.owner = owner
        self.screens = screens
    }
}

/// The parameters of topic `touches`: changes of the fingers on one touchscreen, at one moment.
public struct TouchesReport: Encodable, Equatable, Sendable {
    private struct Contact: Encodable {
        let touch: Touch

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode(touch.phase, forKey: .init("phase"))
            try container.encode(touch.finger, forKey: .init("id"))
            try container.encodeIfPresent(touch.x, forKey: .init("x"))
            try container.encodeIfPresent(touch.y, forKey: .init("y"))
        }
    }

    /// The touchscreen.
    public var client: Client
    /// When the kernel stamped the changes, CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// The changed contacts in their order. Each has a position.
    public var contacts: [Touch]

    public init(client: Client, moment: Int64, contacts: [Touch]) {
        self.client = client
        self.moment = moment
        self.contacts = contacts
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(moment, forKey: .init("at"))
        try container.encode(client.number, forKey: .init("client"))
        try container.encode(contacts.map { Contact(touch: $0) }, forKey: .init("contacts"))
    }
}

/// The parameters of topic `fault` when the list of issues has changed.
public struct IssuesReport: Codable, Equatable, Sendable {
    /// The issues as they are now, as in `StatusReport`.
    public var issues: [String]

    public init(issues: [String]) { self.issues = issues }
}

/// The parameters of topic `fault` when the engine has released a client, or a touchscreen, by itself.
public struct ReleaseReport: Codable, Equatable, Sendable {
    /// The reason for a release, as `StatusReport.Released` counts them.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        case held, silent, unread
    }

    public var client: Int
    public var released: Reason

    public init(client: Int, released: Reason) {
        self.client = client
        self.released = released
    }
}
