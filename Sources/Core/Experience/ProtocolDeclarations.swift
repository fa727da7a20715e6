import Fields
import Signals

/// Declares an event of a piece's own that front ends report.
public struct ActionDeclaration: Sendable {
    /// The name as a method's, with dots.
    public let name: String
    /// Describes the action for people, in a sentence.
    public let about: String
    /// Whether the action begins a visit.
    public let beginsVisit: Bool
    /// Whether only operators may do it.
    public let isForOperators: Bool
    /// Whether another household may enter by the action. Its request may then have the household's secret.
    public let entersHousehold: Bool
    /// Whether the action is done in a household's name. Its request may then have the name, and a visitor's must.
    public let isForHousehold: Bool
    /// The action's fields, as `read` reads them.
    public let fields: [FieldDescription]
    private let names: [String]
    /// Older names of fields, which only older journals have.
    private let formerNames: [String]
    private let reader: @Sendable (Fields) throws -> any ActionBody

    /// Declares an action whose reader `read` throws `Fault`. Fields that it does not ask for are refused. It may look for `formerNames`,
    /// which journals may have and clients may not send.
    public init(_ name: String, about: String, beginsVisit: Bool = true, isForOperators: Bool = false, entersHousehold: Bool = false,
                isForHousehold: Bool = false, formerNames: [String] = [], read: @escaping @Sendable (Fields) throws -> any ActionBody) {
        self.name = name
        self.about = about
        self.beginsVisit = beginsVisit
        self.isForOperators = isForOperators
        self.entersHousehold = entersHousehold
        self.isForHousehold = isForHousehold
        reader = read
        fields = Fields.described { _ = try read($0) }
        names = fields.map(\.name)
        self.formerNames = formerNames
    }

    /// The reason, in words, why a journal with such an action could not be read again; nil when it could. No declaration may have one.
    public var objection: String? {
        if EventKind.all.contains(name) { return "an action cannot be called \(name): an event of the core is" }
        return names.first { EventKind.fieldsAround.contains($0) }.map {
            "the action \(name) cannot have a field \($0): journals and requests have one beside an action's own"
        }
    }

    /// Reads the action as a journal has it. `besides` are fields of the surrounding object that are not the action's. Throws `Fault`.
    public func action(_ fields: Fields, besides: [String] = []) throws -> Action {
        try fields.refuseAll(but: names + formerNames, besides)
        return Action(try reader(fields))
    }

    /// Reads the action as a client sends it: with the household that it is for, or the secret of the one that enters. Throws `Fault`.
    public func request(_ fields: Fields, besides: [String] = []) throws -> Action {
        let around = (entersHousehold ? [HouseholdSecret.field] : isForHousehold ? ["household"] : []) + besides
        if !formerNames.isEmpty { try fields.refuseAll(but: names, around) }
        var request = try action(fields, besides: around)
        if entersHousehold {
            request.secret = try HouseholdSecret.read(fields, about: "the household's, where it has one; a new one has it from now on")
        }
        guard isForHousehold else { return request }
        request.household = try fields.textIfPresent("household", limit: 64, about: "whose it is, and who must be there; visitors say it")
        return request
    }
}

/// Declares a query of a piece. It changes nothing.
public struct QueryDeclaration: Sendable {
    /// The name as a method's, with dots.
    public let name: String
    /// Describes the query for people, in a sentence.
    public let about: String
    /// The name of the answer.
    public let result: String
    /// Example answers, for their shape.
    public let examples: [any Encodable & Sendable]
    /// Whether the answer tells of a household's money and of little else. Then only clients that may know it are answered.
    public let isAboutMoney: Bool
    /// The fields of the answer that are told in confidence, by their paths: for instance `days.energy`, also where `days` is a list.
    public let inConfidence: [String: Confidence]
    public let fields: [FieldDescription]
    private let names: [String]
    private let reader: @Sendable (Fields) throws -> any QueryBody

    /// Declares a query whose reader `read` throws `Fault`. Fields that it does not ask for are refused.
    public init(_ name: String, about: String, result: String, examples: [any Encodable & Sendable], isAboutMoney: Bool = false,
                inConfidence: [String: Confidence] = [:], read: @escaping @Sendable (Fields) throws -> any QueryBody) {
        self.name = name
        self.about = about
        self.result = result
        self.examples = examples
        self.isAboutMoney = isAboutMoney
        self.inConfidence = inConfidence
        reader = read
        fields = Fields.described { _ = try read($0) }
        names = fields.map(\.name)
    }

    /// Reads the query. Throws `Fault`.
    public func query(_ fields: Fields) throws -> PieceQuery {
        try fields.refuseAll(but: names)
        return PieceQuery(name: name, body: try reader(fields))
    }
}

/// The body of a query, of the piece's own type.
public protocol QueryBody: Equatable, Sendable {}

extension QueryBody {
    fileprivate func isEqual(to other: any QueryBody) -> Bool { other as? Self == self }
}

/// A query that its piece's own reader has read.
public struct PieceQuery: Equatable, Sendable {
    public let name: String
    public let body: any QueryBody

    public init(name: String, body: any QueryBody) {
        self.name = name
        self.body = body
    }

    public static func == (a: PieceQuery, b: PieceQuery) -> Bool { a.name == b.name && a.body.isEqual(to: b.body) }
}

/// Declares a topic of a piece's announcements.
public struct TopicDeclaration: Sendable {
    public let name: String
    /// Describes the topic for people, in a sentence.
    public let about: String
    /// Example announcements, for their shape.
    public let examples: [any Encodable & Sendable]
    /// The methods that cause an announcement: actions of the piece, and events and methods of the engine.
    public let causes: [String]
    /// Whether the topic tells of a household's money and of little else. Then only clients that may know it are told.
    public let isAboutMoney: Bool
    /// The fields of an announcement that are told in confidence, by their paths, as a query's.
    public let inConfidence: [String: Confidence]

    public init(_ name: String, about: String, examples: [any Encodable & Sendable], causes: [String] = [], isAboutMoney: Bool = false,
                inConfidence: [String: Confidence] = [:]) {
        self.name = name
        self.about = about
        self.examples = examples
        self.causes = causes
        self.isAboutMoney = isAboutMoney
        self.inConfidence = inConfidence
    }
}

/// What of a household is told in confidence: only to operators, and to the clients that came in the household's name.
public enum Confidence: String, CaseIterable, Encodable, Sendable {
    /// The household's name. Where the household has no secret, whoever knows the name may enter by it.
    case name
    /// What the household has, earns and spends. A client that only plays from outside is told none of it.
    case money
}

/// The meaning of a field of an answer or an announcement, where its type does not say it.
public enum FieldMeaning: Equatable, Sendable, ExpressibleByStringLiteral {
    /// A text that is one of some words.
    case words([String], about: String)
    /// A text, described for people.
    case about(String)
    /// A number, true or false, or a word of a fixed set, described for people with the unit.
    case value(String)

    public init(stringLiteral value: String) { self = .about(value) }

    /// Describes the field for people.
    public var about: String {
        switch self {
        case .words(_, let about), .about(let about), .value(let about): about
        }
    }

    /// Whether the field holds a text.
    public var isOfText: Bool {
        switch self {
        case .words, .about: true
        case .value: false
        }
    }
}

/// Announcements of a piece as they might be, which a front end may be shown without anybody living through them.
public struct Rehearsal: Sendable {
    /// One of the piece's announcements, with a content that can be drawn.
    public struct Scene: Sendable {
        /// Lower-case letters, digits and hyphens; no two scenes of a topic have the same.
        public let name: String
        /// The announcement, whose moments count from when it is shown.
        public let announcement: Announcement

        public var topic: String { announcement.topic }

        public init(_ name: String, _ body: any AnnouncementBody) {
            self.name = name
            announcement = Announcement(body)
        }
    }

    /// The query without parameters whose answer says how the piece really is.
    public let query: String
    private let makeScenes: @Sendable () -> [Scene]
    private let correct: @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?

    /// Creates a rehearsal. `correction` returns, from the answer to `query`, what is announced after it to put right what was shown; nil
    /// for no answer of that kind. `scenes` are made when they are wanted, because programs that rehearse nothing would wait for them.
    public init(query: String, correction: @escaping @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?,
                scenes: @escaping @Sendable () -> [Scene]) {
        self.query = query
        correct = correction
        makeScenes = scenes
    }

    /// The scenes in the order in which they are shown. They have every topic of the piece, each in all its kinds.
    public var scenes: [Scene] { makeScenes() }

    /// Returns what puts right what was shown; nil for no answer of that kind.
    public func correction(by answer: any Encodable & Sendable) -> Announcement? { correct(answer).map { Announcement($0) } }
}
