import Fields
import Signals

/// The state of fingers, tone and output: the content of topic `state`.
public struct StateReport: Codable, Equatable, Sendable {
    public struct Tone: Codable, Equatable, Sendable {
        public var isOpen = false
        /// The tone's frequency in Hz. During a glide it is the frequency at the glide's end.
        public var frequency = 0.0
        /// The tone's level in dBFS.
        public var level = -120.0

        public init() {}
    }

    /// Whether there is a current session.
    public var hasSession: Bool
    /// Whether a finger is down or a client holds the tone on.
    public var isHeld: Bool
    /// The number of fingers that are down.
    public var fingers: Int
    public var tone: Tone
    public var isMuted: Bool
    /// Whether a sensor says that somebody stands before the exhibit.
    public var isNoticed: Bool
    /// The level that no sample exceeds, in dBFS.
    public var ceiling: Double
    public var output: StatusReport.Output.State

    public init(hasSession: Bool, isHeld: Bool, fingers: Int, tone: Tone, isMuted: Bool, isNoticed: Bool, ceiling: Double,
                output: StatusReport.Output.State) {
        self.hasSession = hasSession
        self.isHeld = isHeld
        self.fingers = fingers
        self.tone = tone
        self.isMuted = isMuted
        self.isNoticed = isNoticed
        self.ceiling = ceiling
        self.output = output
    }
}

/// The content of topic `meters`: the levels since the notification before, in dBFS, −120 or more.
public struct MeterReport: Codable, Equatable, Sendable {
    public var peak: Double
    /// The level of the root mean square. For a sine, it is 3 dB below the peak.
    public var rms: Double

    public init(peak: Double, rms: Double) {
        self.peak = peak
        self.rms = rms
    }
}

/// Says whose touches count, and lists the touchscreens that the engine reads. It is part of the answer to `hello`, and the content of
/// topic `touch.owner`.
public struct TouchOwnerReport: Codable, Equatable, Sendable {
    public struct Screen: Codable, Equatable, Sendable {
        /// The client number that this touchscreen's events have, −1 or below.
        public var client: Int
        public var name: String
        /// The clockwise rotation of the picture against the sensor, in degrees. The positions of touches are already rotated into the
        /// picture.
        public var rotate: Int
        /// The number of positions that the sensor distinguishes across the picture; `height` is the number down the picture.
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

/// The content of topic `touches`: changes of the fingers on one touchscreen at one moment.
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

    /// The touchscreen whose fingers changed, as the client that reports its events.
    public var client: Client
    /// When the changes happened, by the kernel's time stamp: CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// The contacts that changed, in order. Each has a position.
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

/// The content of topic `fault` when the list of issues has changed.
public struct IssuesReport: Codable, Equatable, Sendable {
    /// All present issues, as in `StatusReport`.
    public var issues: [String]

    public init(issues: [String]) { self.issues = issues }
}

/// The content of topic `fault` when the engine by itself has released what a client or a touchscreen held.
public struct ReleaseReport: Codable, Equatable, Sendable {
    /// The reason for a release. `StatusReport.Released` has a counter for each.
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

/// The answer to `speech.say`.
public struct SpeechAnswer: Codable, Equatable, Sendable {
    /// The time that speaking the text takes, in seconds; 0 if it was stopped, or another text replaced it, before it had begun.
    public var seconds: Double

    public init(seconds: Double) { self.seconds = seconds }
}

/// Whether pages are explored by touch: the content of topic `explore.mode`, and the answer to `explore.regions`.
public struct ExploreMode: Codable, Equatable, Sendable {
    public var on: Bool

    public init(on: Bool) { self.on = on }
}

/// The content of topic `explore.at`: the region that the exploring finger has come upon. All fields are nil where there is no region under
/// the finger.
public struct ExploreFinding: Codable, Equatable, Sendable {
    public var id: String?
    /// The text that a screen reader speaks. Only the page itself gets it; nil for all other clients.
    public var label: String?
    public var role: Region.Role?

    public init(_ region: Region?) {
        id = region?.id
        label = region?.label
        role = region?.role
    }
}

/// The content of topic `explore.activate`: the region that is to be activated.
public struct ExploreActivation: Codable, Equatable, Sendable {
    public var id: String

    public init(id: String) { self.id = id }
}
