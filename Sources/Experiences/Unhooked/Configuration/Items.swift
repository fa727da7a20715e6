import Calendar
import Experience
import Fields

/// Something for a pet to wear. It changes only how the pet looks.
public struct Cosmetic: Codable, Equatable, Sendable {
    /// The id, of lower-case letters, digits, `-` and `_`.
    public var id: String
    public var category: Category
    public var title: Words
    public var price: Price
    /// The id of the season in which the cosmetic can be bought; nil where it can always be bought. Its owner may wear it at any time.
    public var season: String?
    /// Whether the cosmetic can be bought. One that is not sold any more stays in the list, because households may own it.
    public var isForSale: Bool

    /// The categories of cosmetics. A pet wears at most one cosmetic of each category.
    public enum Category: String, CaseIterable, Codable, Sendable { case hat, glasses, neck, coat, background }

    public struct Price: Codable, Equatable, Sendable {
        /// The price in Energy and the price in Gems; 0 in a currency that need not be paid.
        public var energy: Int
        public var gems: Int
    }
}

/// A range of days in each year, by the piece's calendar.
public struct Season: Codable, Equatable, Sendable {
    public var id: String
    public var title: Words
    /// The first day, as `MM-DD`.
    public var from: String
    /// The last day, as `MM-DD`. If it comes before `from`, it is in the next year.
    public var until: String

    /// Whether the day `day` is in the season. Days are counted from 1970-01-01.
    public func includes(_ day: Int) -> Bool {
        let date = PieceTime.monthAndDay(of: day)
        return from <= until ? from <= date && date <= until : date >= from || date <= until
    }
}

/// Something for a pet to eat. It costs only Energy.
public struct Food: Codable, Equatable, Sendable {
    /// The id, of lower-case letters, digits, `-` and `_`.
    public var id: String
    public var species: Diet
    public var title: Words
    /// The price in Energy.
    public var energy: Int
    public var effect: Effect
    /// The values of `effect` that are different for cats; nil where none is. `dog` has those that are different for dogs.
    public var cat: Override?
    public var dog: Override?

    /// The effect of a food on the pet that eats it.
    public struct Effect: Codable, Equatable, Sendable {
        /// The points, of 100, that the meal adds to fullness.
        public var fullness: Int
        /// The points, of 100, that the meal adds to mood.
        public var mood: Int
        /// What the meal adds to the day's buff (bonus for growth), 0…1; a multiple of 0.001.
        public var buff: Double
        /// The name of the animation to draw.
        public var animation: String

        /// The buff in thousandths.
        public var thousandths: Int { Int((buff * 1_000).rounded()) }
    }

    public struct Override: Codable, Equatable, Sendable {
        public var fullness: Int?
        public var mood: Int?
        public var buff: Double?
        public var animation: String?
    }

    public func effect(on species: Species) -> Effect {
        guard let override = species == .cat ? cat : dog else { return effect }
        return Effect(fullness: override.fullness ?? effect.fullness, mood: override.mood ?? effect.mood,
                      buff: override.buff ?? effect.buff, animation: override.animation ?? effect.animation)
    }
}

// The items of the shops are read strictly (`DocumentPart`).

extension Food: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "species", "title", "energy", "effect", "cat", "dog"])
        func override(_ name: String) throws -> Override? {
            fields.contains(name) ? try fields.nested(Override.self, name, expected: "an object") : nil
        }
        self.init(id: try fields.itemID("id"), species: try fields.choice("species"), title: try fields.title(),
                  energy: try fields.integer("energy", in: Unhooked.Configuration.prices, unit: "Energy"),
                  effect: try fields.nested(Effect.self, "effect", expected: "an object"),
                  cat: try override("cat"), dog: try override("dog"))
    }
}

private let points = 0...100
private let buffs = 0.0...1

extension Food.Effect: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["fullness", "mood", "buff", "animation"])
        self.init(fullness: try fields.integer("fullness", in: points), mood: try fields.integer("mood", in: points),
                  buff: try fields.number("buff", in: buffs), animation: try fields.itemID("animation"))
    }
}

extension Food.Override: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["fullness", "mood", "buff", "animation"])
        self.init(fullness: try fields.integerIfPresent("fullness", in: points), mood: try fields.integerIfPresent("mood", in: points),
                  buff: try fields.numberIfPresent("buff", in: buffs),
                  animation: fields.contains("animation") ? try fields.itemID("animation") : nil)
    }
}

extension Cosmetic: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "category", "title", "price", "season", "isForSale"])
        self.init(id: try fields.itemID("id"), category: try fields.choice("category"), title: try fields.title(),
                  price: try fields.nested(Price.self, "price", expected: "an object"),
                  season: fields.contains("season") ? try fields.itemID("season") : nil, isForSale: try fields.flag("isForSale"))
    }
}

extension Cosmetic.Price: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["energy", "gems"])
        let most = 0...Unhooked.Configuration.prices.upperBound
        self.init(energy: try fields.integer("energy", in: most, unit: "Energy"), gems: try fields.integer("gems", in: most, unit: "Gems"))
        guard energy > 0 || gems > 0 else { throw fields.fault("gems", "1 or more, because it costs no Energy", found: "0") }
    }
}

extension Season: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "title", "from", "until"])
        func date(_ name: String) throws -> String {
            let text = try fields.text(name, limit: 5)
            let isDate = text.wholeMatch(of: /02-(?:0[1-9]|[12]\d)|(?:0[13-9]|1[0-2])-(?:0[1-9]|[12]\d|30)|(?:0[13578]|1[02])-31/)
            guard isDate != nil else { throw fields.fault(name, "a day of the year, as in 12-24", found: "\"\(text)\"") }
            return text
        }
        self.init(id: try fields.itemID("id"), title: try fields.title(), from: try date("from"), until: try date("until"))
    }
}

extension Fields {
    fileprivate func title() throws -> Words { try nested(Title.self, "title", expected: "an object with en and de").words }
}

/// The title of an item: both languages, one line each.
private struct Title: DocumentPart {
    var words: Words

    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["en", "de"])
        func text(_ name: String) throws -> String {
            let text = try fields.text(name, limit: 60)
            return try Fields.plainName(text, in: fields.path(of: name))
        }
        words = Words(en: try text("en"), de: try text("de"))
    }
}

extension Unhooked.Configuration {
    /// What a house adds to the rules: switches that its pages read, and events that its pages report.
    public struct Additions: Codable, Equatable, Sendable {
        public var features: [Feature]
        /// The names of the events.
        public var events: [String]

        /// A switch, for instance `feature.new_system`.
        public struct Feature: Codable, Equatable, Sendable {
            public var id: String
            public var isOn: Bool
        }

        /// The largest number of features that a house can add, and the largest number of events.
        static let most = 32
        /// The largest number of events that a household counts in a day.
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

/// What a house has added, as its pages receive it.
struct AdditionsList: Encodable, Sendable {
    struct Event: Encodable, Sendable {
        var id: String
        /// How many times the event was reported for this household.
        var count: Int
    }

    var features: [Unhooked.Configuration.Additions.Feature]
    var events: [Event]

    init(_ home: Home, _ configuration: Unhooked.Configuration) {
        features = configuration.additions?.features ?? []
        events = (configuration.additions?.events ?? []).map { Event(id: $0, count: home.events?[$0] ?? 0) }
    }
}
