import Fields
import Signals

/// Whose touches count, and the touchscreens that the engine reads. In the answer to `hello`, and in the topic `touch.owner`.
public struct TouchOwnerReport: Codable, Equatable, Sendable {
    public struct Screen: Codable, Equatable, Sendable {
        /// Whose events are its own, −1 and below.
        public var client: Int
        public var name: String
        /// By how much the picture is turned clockwise against the sensor, in degrees. Positions are the picture's already.
        public var rotate: Int
        /// Places that the sensor tells apart across and down the picture.
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

/// Changes of the fingers on one touchscreen, of one moment: the topic `touches`.
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
    /// As the kernel stamped it, CLOCK_MONOTONIC in nanoseconds.
    public var moment: Int64
    /// In their order. Each has a position.
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
