import Calendar
import Fields
import Signals

/// Everything that Thrum knows of a piece. Methods, OSC addresses, topics, settings, telemetry and simulated visitors follow from it.
///
/// It never changes, and each piece has one: a class, so that a run that has it is copied without all its parts.
public final class Declaration: Sendable {
    /// Its name in settings and journals, for instance `direct`.
    public let name: String
    /// Grows by one whenever the same events give other cues or announcements. Journals carry it.
    public let rulesVersion: Int
    /// For people, in one line.
    public let about: String
    /// Whether a run begins with an arrival, by which the piece knows the civil time and what it remembers.
    public let tellsTime: Bool
    public let actions: [ActionDeclaration]
    /// What it answers to an event, by the event's name, as it might be: what is then `result` in the answer. It need not answer always.
    public let answers: [String: JSONValue]
    /// How it takes purchases; nil for a piece that sells nothing.
    public let purchase: PurchaseDeclaration?
    public let queries: [QueryDeclaration]
    public let topics: [TopicDeclaration]
    /// What fields of its answers and announcements hold: by their name, or by the end of the path to it from the method or topic,
    /// for instance `apps.name`. The longest that fits counts.
    public let meanings: [String: FieldMeaning]
    public let knobs: [Knob]
    /// Is how its knobs stand, where nobody says otherwise, in a house with the setting `exhibition`: the form for people who walk up.
    public let exhibition: KnobSettings
    /// The documents that operators publish for it; at most `mostConfigurations`.
    public let configurations: [ConfigurationDeclaration]
    /// What documents would lead to; nil for a piece that cannot tell.
    public let forecast: Forecast?
    /// Of a theme, by name: a theme that lacks one of them is refused.
    public let chimes: [String]
    public let textures: [String]
    public let haptics: [String]
    public let policy: RunPolicy
    /// An example of a run's record; nil for a piece without one.
    public let record: (any AnnouncementBody)?
    /// The query whose answer `subscribe` includes, and the field it is in.
    public let snapshot: Snapshot?
    public let telemetry: [TelemetryTable]
    /// What is worth a row in the picture of a session, from above to below.
    public let highlights: [HighlightDeclaration]
    /// What is said of a session, and drawn; nil for a piece that says nothing of it.
    public let statistics: (any Statistics.Type)?
    /// What there is to say of many visits; nil when there is nothing.
    public let survey: (any Survey.Type)?
    public let visitors: [VisitorDeclaration]
    /// What `thrum demo` shows of it; nil for a piece that has no such minute.
    public let demonstration: Demonstration?
    /// What whoever draws may be shown of it; nil for a piece that announces nothing.
    public let rehearsal: Rehearsal?
    /// The folder of `www` with its web page; nil for a piece that has none.
    public let page: String?

    /// A run begins with an event of each kind that has been published.
    public static let mostConfigurations = 8

    public struct Snapshot: Sendable {
        public var field: String
        /// Of a declared query without parameters.
        public var query: String
        /// What of it is worth a look from afar, a few fields in a line.
        public var glance: [Glance]

        public init(field: String, query: String, glance: [Glance] = []) {
            self.field = field
            self.query = query
            self.glance = glance
        }
    }

    /// A field of an answer, and what people call it.
    public struct Glance: Sendable {
        public var label: String
        public var field: String

        public init(_ label: String, _ field: String) {
            self.label = label
            self.field = field
        }
    }

    public init(name: String, rulesVersion: Int, about: String, tellsTime: Bool = true,
                actions: [ActionDeclaration] = [], answers: [String: JSONValue] = [:], purchase: PurchaseDeclaration? = nil,
                queries: [QueryDeclaration] = [], topics: [TopicDeclaration] = [], meanings: [String: FieldMeaning] = [:],
                knobs: [Knob] = [], exhibition: KnobSettings = .standard, configurations: [ConfigurationDeclaration] = [],
                forecast: Forecast? = nil, chimes: [String] = [],
                textures: [String] = [], haptics: [String] = [], policy: RunPolicy = .visit, record: (any AnnouncementBody)? = nil,
                snapshot: Snapshot? = nil, telemetry: [TelemetryTable] = [], highlights: [HighlightDeclaration] = [],
                statistics: (any Statistics.Type)? = nil, survey: (any Survey.Type)? = nil, visitors: [VisitorDeclaration] = [],
                demonstration: Demonstration? = nil, rehearsal: Rehearsal? = nil, page: String? = nil) {
        let all = actions + (purchase.map { [$0.action] } ?? [])
        if let objection = all.lazy.compactMap(\.objection).first { preconditionFailure("the experience \(name): \(objection)") }
        precondition((try? exhibition.check(knobs)) != nil, "the experience \(name) has an exhibition of knobs that it has not")
        precondition(configurations.count <= Self.mostConfigurations, "the experience \(name) has too many kinds of documents")
        self.name = name
        self.rulesVersion = rulesVersion
        self.about = about
        self.tellsTime = tellsTime
        self.actions = actions
        self.answers = answers
        self.purchase = purchase
        self.queries = queries
        self.topics = topics
        self.meanings = meanings
        self.knobs = knobs
        self.exhibition = exhibition
        self.configurations = configurations
        self.forecast = forecast
        self.chimes = chimes
        self.textures = textures
        self.haptics = haptics
        self.policy = policy
        self.record = record
        self.snapshot = snapshot
        self.telemetry = telemetry
        self.highlights = highlights
        self.statistics = statistics
        self.survey = survey
        self.visitors = visitors
        self.demonstration = demonstration
        self.rehearsal = rehearsal
        self.page = page
    }

    /// The action called so, purchases included; nil when there is none.
    public func action(_ name: String) -> ActionDeclaration? {
        actions.first { $0.name == name } ?? purchase.flatMap { $0.action.name == name ? $0.action : nil }
    }

    /// The query called so, without parameters; nil when there is none.
    public func query(_ name: String) -> PieceQuery? {
        queries.first { $0.name == name }.flatMap { try? JSONValue.object([:]).read($0.query) }
    }

    /// The configuration of that kind. Throws where there is none.
    public func configuration(_ kind: String) throws(Fault) -> ConfigurationDeclaration {
        if let found = configurations.first(where: { $0.kind == kind }) { return found }
        let kinds = configurations.map(\.kind).joined(separator: ", ")
        let expected = kinds.isEmpty ? "nothing, because the experience \(name) has no configuration" : "one of \(kinds)"
        throw Fault(field: "kind", expected: expected, found: "\"\(kind)\"")
    }

    /// The first chime, texture or haptic pattern that `theme` lacks, in words; nil when it has all.
    public func lacking(in theme: Theme) -> String? {
        if let chime = chimes.first(where: { theme.chimes[$0] == nil }) { return "the chime \(chime)" }
        if let texture = textures.first(where: { theme.textures[$0] == nil }) { return "the texture \(texture)" }
        return haptics.first { theme.haptics[$0] == nil }.map { "the haptic pattern \($0)" }
    }
}

/// Whose state a run is.
public enum RunPolicy: Equatable, Sendable {
    /// A visitor's: it begins and ends with the visit.
    case visit
    /// A household's: it lives on. Each day at this local time another run goes on from its memory.
    case household(rollOver: LocalTime)
}

/// An event of a piece's own that front ends report.
public struct ActionDeclaration: Sendable {
    /// A method's, with dots.
    public let name: String
    /// For people, in a sentence.
    public let about: String
    /// Whether it begins a visit.
    public let beginsVisit: Bool
    /// Whether visitors may not do it.
    public let isForOperators: Bool
    /// Whether another household may enter by it: then who asks may say the household's secret.
    public let entersHousehold: Bool
    /// Whether it is done in a household's name: who asks for it may say in whose, and visitors must.
    public let isForHousehold: Bool
    /// Its fields, as `read` reads them.
    public let fields: [FieldDescription]
    private let names: [String]
    /// Fields that only journals have which were written before they had other names.
    private let formerNames: [String]
    private let reader: @Sendable (Fields) throws -> any ActionBody

    /// `read` throws `Fault`. Fields that it does not ask for are refused. It may look for `formerNames`, which are older names of fields:
    /// journals may have them, and clients may not send them.
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

    /// Why a journal that has such actions could not be read again, in words; nil when it can. No piece may declare one that has any.
    public var objection: String? {
        if EventKind.all.contains(name) { return "an action cannot be called \(name): an event of the core is" }
        return names.first { EventKind.fieldsAround.contains($0) }.map {
            "the action \(name) cannot have a field \($0): journals and requests have one beside an action's own"
        }
    }

    /// As a journal has it. `besides` are fields of the surrounding object that are not the action's. Throws `Fault`.
    public func action(_ fields: Fields, besides: [String] = []) throws -> Action {
        try fields.refuseAll(but: names + formerNames, besides)
        return Action(try reader(fields))
    }

    /// As a client asks for it: with the household that it is for, or the secret of the one that enters. Throws `Fault`.
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

/// A query of a piece. It changes nothing.
public struct QueryDeclaration: Sendable {
    /// A method's, with dots.
    public let name: String
    /// For people, in a sentence.
    public let about: String
    /// What its answer is called.
    public let result: String
    /// Example answers, for their shape.
    public let examples: [any Encodable & Sendable]
    /// Whether it tells of a household's money and of little else: then only those are answered who may know it.
    public let isAboutMoney: Bool
    /// What of the answer is told in confidence: paths of fields, for instance `days.energy`, also where `days` is a list.
    public let inConfidence: [String: Confidence]
    public let fields: [FieldDescription]
    private let names: [String]
    private let reader: @Sendable (Fields) throws -> any QueryBody

    /// `read` throws `Fault`. Fields that it does not ask for are refused.
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

    /// Throws `Fault`.
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

/// A topic of a piece's announcements.
public struct TopicDeclaration: Sendable {
    public let name: String
    /// For people, in a sentence.
    public let about: String
    /// Example announcements, for their shape.
    public let examples: [any Encodable & Sendable]
    /// Whether it tells of a household's money and of little else: then only those are told who may know it.
    public let isAboutMoney: Bool
    /// What of an announcement is told in confidence, by paths as a query's.
    public let inConfidence: [String: Confidence]

    public init(_ name: String, about: String, examples: [any Encodable & Sendable], isAboutMoney: Bool = false,
                inConfidence: [String: Confidence] = [:]) {
        self.name = name
        self.about = about
        self.examples = examples
        self.isAboutMoney = isAboutMoney
        self.inConfidence = inConfidence
    }
}
