import Fields
import Signals

/// Declares an action: an event of a piece's own that front ends report.
public struct ActionDeclaration: Sendable {
    /// The action's name. It has the form of a method's name: words separated by dots.
    public let name: String
    /// Describes the action for people, in a sentence.
    public let about: String
    /// Whether the action begins a visit.
    public let beginsVisit: Bool
    /// Whether only operators may report the action.
    public let isForOperators: Bool
    /// Whether a household may enter by the action. If so, its request may contain the household's secret.
    public let entersHousehold: Bool
    /// Whether the action is done in a household's name. If so, its request may contain that name, and a visitor's request must.
    public let isForHousehold: Bool
    /// The action's fields, which `read` reads.
    public let fields: [FieldDescription]
    private let names: [String]
    /// Older names of fields, which occur only in older journals.
    private let formerNames: [String]
    private let reader: @Sendable (Fields) throws -> any ActionBody

    /// Declares an action. Its reader `read` throws `Fault`. Fields that `read` does not ask for are refused. `read` may also ask for
    /// `formerNames`, which journals may contain but clients must not send.
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

    /// The reason why a journal with this action could not be read back; nil when it could. A declaration with an objection is not allowed.
    public var objection: String? {
        if EventKind.all.contains(name) { return "an action cannot be called \(name): an event of the core is" }
        return names.first { EventKind.fieldsAround.contains($0) }.map {
            "the action \(name) cannot have a field \($0): journals and requests have one beside an action's own"
        }
    }

    /// Reads the action from a journal's line. `besides` names the fields around the action that are not its own. Throws `Fault`.
    public func action(_ fields: Fields, besides: [String] = []) throws -> Action {
        try fields.refuseAll(but: names + formerNames, besides)
        return Action(try reader(fields))
    }

    /// Reads the action from a client's request, with the household it is for or the secret of the household that enters. Throws `Fault`.
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

/// Declares a query of a piece: a question whose answer changes nothing.
public struct QueryDeclaration: Sendable {
    /// The query's name. It has the form of a method's name: words separated by dots.
    public let name: String
    /// Describes the query for people, in a sentence.
    public let about: String
    /// The name of the answer's type, for the documentation.
    public let result: String
    /// Example answers, which show the answer's shape.
    public let examples: [any Encodable & Sendable]
    /// Whether the answer is mainly about a household's money. If so, only clients that may know of the money get an answer.
    public let isAboutMoney: Bool
    /// The confidential fields of the answer, by their paths: for instance `days.energy`, also where `days` is a list.
    public let inConfidence: [String: Confidence]
    public let fields: [FieldDescription]
    private let names: [String]
    private let reader: @Sendable (Fields) throws -> any QueryBody

    /// Declares a query. Its reader `read` throws `Fault`. Fields that `read` does not ask for are refused.
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

/// A query whose fields the piece has read.
public struct PieceQuery: Equatable, Sendable {
    public let name: String
    public let body: any QueryBody

    public static func == (a: PieceQuery, b: PieceQuery) -> Bool { a.name == b.name && a.body.isEqual(to: b.body) }
}

/// Declares a topic of a piece's announcements.
public struct TopicDeclaration: Sendable {
    public let name: String
    /// Describes the topic for people, in a sentence.
    public let about: String
    /// Example announcements, which show the announcements' shape.
    public let examples: [any Encodable & Sendable]
    /// The methods that can cause such an announcement: actions of the piece, and events and methods of the engine.
    public let causes: [String]
    /// Whether the announcements are mainly about a household's money. If so, only clients that may know of the money get them.
    public let isAboutMoney: Bool
    /// The confidential fields of an announcement, by their paths, as in `QueryDeclaration.inConfidence`.
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

/// Kinds of confidential information about a household. Only operators get it, and the clients that entered in the household's name.
public enum Confidence: String, CaseIterable, Encodable, Sendable {
    /// The household's name. Anybody who knows it can enter, if the household has no secret.
    case name
    /// What the household owns, earns and spends. A client that only plays from outside gets none of this.
    case money
}

/// The meaning of a field in an answer or an announcement, where the field's type does not say it.
public enum FieldMeaning: Equatable, Sendable, ExpressibleByStringLiteral {
    /// The field is a text that is one of these words.
    case words([String], about: String)
    /// The field is a text, described for people.
    case about(String)
    /// The field is a number, a flag, or one of a fixed set of words. The description for people includes the unit.
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

/// Examples of a piece's announcements. An operator can have a front end show them, without anybody having to cause the real ones.
public struct Rehearsal: Sendable {
    /// One example announcement of a rehearsal.
    public struct Scene: Sendable {
        /// The scene's name: lower-case letters, digits and hyphens. It is unique within the scene's topic.
        public let name: String
        /// The announcement. Its moments count from the time at which it is shown.
        public let announcement: Announcement

        public var topic: String { announcement.topic }

        public init(_ name: String, _ body: any AnnouncementBody) {
            self.name = name
            announcement = Announcement(body)
        }
    }

    /// The query whose answer gives the piece's real state, which front ends show again after a rehearsal. It has no parameters.
    public let query: String
    private let makeScenes: @Sendable () -> [Scene]
    private let correct: @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?

    /// Creates a rehearsal. After it, `correction` turns the answer to `query` into the announcement that makes front ends show the real
    /// state again; it returns nil for an answer of another type than that query's. `scenes` is called only when somebody rehearses, so
    /// that no other program waits for it.
    public init(query: String, correction: @escaping @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?,
                scenes: @escaping @Sendable () -> [Scene]) {
        self.query = query
        correct = correction
        makeScenes = scenes
    }

    /// The scenes in the order in which they are shown: every topic of the piece, with each kind of its announcements.
    public var scenes: [Scene] { makeScenes() }

    /// Returns the announcement that makes front ends show the piece's real state again. `answer` is the answer to `query`; nil for an
    /// answer of another type.
    public func correction(by answer: any Encodable & Sendable) -> Announcement? { correct(answer).map { Announcement($0) } }
}
