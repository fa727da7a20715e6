import Fields

extension Unhooked.Configuration {
    /// What a house has of its own beside the rules: switches that its pages ask for, and events that they report.
    public struct Additions: Codable, Equatable, Sendable {
        public var features: [Feature]
        /// Names of events.
        public var events: [String]

        /// A switch, for instance `feature.new_system`.
        public struct Feature: Codable, Equatable, Sendable {
            public var id: String
            public var isOn: Bool
        }

        /// The most features, and the most events, that there may be.
        static let most = 32
        /// Events that a household counts in a day.
        static let mostEvents = 1_000
    }
}

extension Unhooked.Configuration.Additions: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["features", "events"])
        let features = try fields.nested([Feature].self, "features", expected: "a list of at most \(Self.most) objects")
        let events = try fields.nested([String].self, "events", expected: "a list of at most \(Self.most) names")
        for (name, count) in [("features", features.count), ("events", events.count)] where count > Self.most {
            throw fields.fault(name, "a list of at most \(Self.most)", found: "\(count)")
        }
        for (index, event) in events.enumerated() where !Self.isName(event) {
            throw fields.fault("events[\(index)]", Self.names, found: "\"\(event)\"")
        }
        self.init(features: features, events: events)
    }

    fileprivate static let names = "1 to 40 lower-case letters, digits, dots, - and _"

    fileprivate static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[a-z0-9._-]{1,40}/) != nil }
}

extension Unhooked.Configuration.Additions.Feature: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "isOn"])
        let id = try fields.text("id", limit: 40)
        guard Unhooked.Configuration.Additions.isName(id) else {
            throw fields.fault("id", Unhooked.Configuration.Additions.names, found: "\"\(id)\"")
        }
        self.init(id: id, isOn: try fields.flag("isOn"))
    }
}

/// What a house has added, as pages ask for it.
struct AdditionsList: Encodable, Sendable {
    struct Event: Encodable, Sendable {
        var id: String
        /// Reported for this household so far.
        var count: Int
    }

    var features: [Unhooked.Configuration.Additions.Feature]
    var events: [Event]

    init(_ home: Home, _ configuration: Unhooked.Configuration) {
        features = configuration.additions?.features ?? []
        events = (configuration.additions?.events ?? []).map { Event(id: $0, count: home.events?[$0] ?? 0) }
    }
}
