import Calendar
import Fields
import Signals

/// Declares everything that Thrum needs to know of a piece. Methods, OSC addresses, topics, settings, telemetry and simulated visitors
/// follow from it.
///
/// A declaration never changes, and each piece has one. It is a class, so that copying a run does not copy the declaration's parts.
public final class Declaration: Sendable {
    /// The piece's name in settings and journals, for instance `direct`.
    public let name: String
    /// The version of the rules. It grows by one whenever the same events give other cues or announcements. Journals contain it.
    public let rulesVersion: Int
    /// Describes the piece for people, in one line.
    public let about: String
    /// Whether each run begins with an arrival, which tells the piece the civil time and what was remembered.
    public let tellsTime: Bool
    public let actions: [ActionDeclaration]
    /// Examples of the piece's results in answers to events, by the names of the events. Not every event has one.
    public let answers: [String: JSONValue]
    /// Declares how the piece takes purchases; nil for one that sells nothing.
    public let purchase: PurchaseDeclaration?
    public let queries: [QueryDeclaration]
    public let topics: [TopicDeclaration]
    /// The meanings of fields in answers and announcements. A key is the name of a field or the end of its path below the method or topic,
    /// for instance `apps.name`. If several keys fit, the longest one counts.
    public let meanings: [String: FieldMeaning]
    public let knobs: [Knob]
    /// The values of knobs in a house with the setting `exhibition`, which is meant for people who walk up. A value that is set explicitly
    /// takes precedence.
    public let exhibition: KnobSettings
    /// The documents that operators publish for the piece; at most `mostConfigurations`.
    public let configurations: [ConfigurationDeclaration]
    /// Forecasts the results of documents by simulation; nil for a piece without such a simulation.
    public let forecast: Forecast?
    /// The names of the chimes that a theme must have. `textures` and `haptics` have the same for textures and haptic patterns. A theme
    /// that lacks any of these names is refused.
    public let chimes: [String]
    public let textures: [String]
    public let haptics: [String]
    public let policy: RunPolicy
    /// An example of a run's record; nil for a piece without one.
    public let record: (any AnnouncementBody)?
    /// The query whose answer is part of the answer to `subscribe`, and the field that contains it there; nil where that answer contains
    /// nothing of the piece.
    public let snapshot: Snapshot?
    /// Declares the piece's models and their inputs; nil for a piece that predicts nothing.
    public let prediction: PredictionDeclaration?
    public let telemetry: [TelemetryTable]
    /// The rows in the picture of a session, from above to below. Each row marks the moments of some announcements.
    public let highlights: [HighlightDeclaration]
    /// The type that gathers statistics of one session; nil for a piece without statistics.
    public let statistics: (any Statistics.Type)?
    /// The type that gathers statistics of many sessions of simulated visitors; nil for a piece without them.
    public let survey: (any Survey.Type)?
    public let visitors: [VisitorDeclaration]
    /// The minute that `thrum demo` shows; nil for a piece that has none.
    public let demonstration: Demonstration?
    /// The scenes that a rehearsal plays to a front end, as announcements without a visitor; nil for a piece that announces nothing.
    public let rehearsal: Rehearsal?
    /// The folder of `www` with the piece's web page; nil for a piece that has none.
    public let page: String?

    /// The largest number of kinds of documents. It is limited because a run begins with an event for each kind that has been published.
    public static let mostConfigurations = 8

    public struct Snapshot: Sendable {
        public var field: String
        /// The name of a declared query without parameters.
        public var query: String
        /// The fields of the answer that are shown where there is room for one line only.
        public var glance: [Glance]

        public init(field: String, query: String, glance: [Glance] = []) {
            self.field = field
            self.query = query
            self.glance = glance
        }
    }

    /// A field of an answer, with the label that people read.
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
                snapshot: Snapshot? = nil, prediction: PredictionDeclaration? = nil,
                telemetry: [TelemetryTable] = [], highlights: [HighlightDeclaration] = [],
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
        self.prediction = prediction
        self.telemetry = telemetry
        self.highlights = highlights
        self.statistics = statistics
        self.survey = survey
        self.visitors = visitors
        self.demonstration = demonstration
        self.rehearsal = rehearsal
        self.page = page
    }

    /// Returns the action called `name`, purchases included; nil when there is none.
    public func action(_ name: String) -> ActionDeclaration? {
        actions.first { $0.name == name } ?? purchase.flatMap { $0.action.name == name ? $0.action : nil }
    }

    /// Returns the query called `name`, asked without parameters; nil when there is no such query.
    public func query(_ name: String) -> PieceQuery? {
        queries.first { $0.name == name }.flatMap { try? JSONValue.object([:]).read($0.query) }
    }

    /// Returns the configuration of a kind. Throws `Fault` where there is none.
    public func configuration(_ kind: String) throws(Fault) -> ConfigurationDeclaration {
        if let found = configurations.first(where: { $0.kind == kind }) { return found }
        let kinds = configurations.map(\.kind).joined(separator: ", ")
        let expected = kinds.isEmpty ? "nothing, because the experience \(name) has no configuration" : "one of \(kinds)"
        throw Fault(field: "kind", expected: expected, found: "\"\(kind)\"")
    }

    /// Returns the first chime, texture or haptic pattern that `theme` lacks, in words; nil when it has all.
    public func lacking(in theme: Theme) -> String? {
        if let chime = chimes.first(where: { theme.chimes[$0] == nil }) { return "the chime \(chime)" }
        if let texture = textures.first(where: { theme.textures[$0] == nil }) { return "the texture \(texture)" }
        return haptics.first { theme.haptics[$0] == nil }.map { "the haptic pattern \($0)" }
    }
}

/// Says who owns the state of a run.
public enum RunPolicy: Equatable, Sendable {
    /// The run belongs to one visitor: it begins and ends with the visit.
    case visit
    /// The run belongs to a household and outlasts visits. Daily at the local time `rollOver`, another run goes on from its memory.
    case household(rollOver: LocalTime)
}

extension Declaration {
    /// Returns `event` with its action as the type that the piece's own reader makes. Throws a `Fault` for everything that is wrong with
    /// the event whatever the piece's state: an action that is not declared, a field that its reader refuses, a knob's value that is out of
    /// range, or a document of a kind that is not declared.
    public func read(_ event: Event) throws(Fault) -> Event {
        switch event.kind {
        case .action(let action): return Event(client: event.client, .action(try read(action)))
        case .knob(let change): try change.check(knobs)
        case .configuration(let document): _ = try read(document)
        default: break
        }
        return event
    }

    /// Returns `document` as the piece's own type. Throws `Fault`. Its field is `kind` where the piece does not declare the document's
    /// kind, and begins with the name of that kind where the body is wrong.
    public func read(_ document: PublishedDocument) throws(Fault) -> any PieceDocument {
        try configuration(document.kind).read(document.body)
    }

    private func read(_ action: Action) throws(Fault) -> Action {
        guard let own = self.action(action.name) else {
            let names = actions.map(\.name)
            let expected = names.isEmpty ? "none" : "only " + names.joined(separator: ", ")
            throw Fault(field: "method", expected: "\(expected) of the pieces' own, because the experience is \(name)", found: action.name)
        }
        guard let unchecked = action.body as? UncheckedAction else { return action }
        do {
            return try JSONValue.object(unchecked.fields).read { try own.action($0) }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "the fields of \(action.name)")
        }
    }
}

extension [any Experience.Type] {
    // No key path: the compiler crashes on one through an existential metatype (Swift 6.3.1).
    public var declarations: [Declaration] { map { $0.declaration } }

    /// Returns the piece called `name`; nil when there is none.
    public func named(_ name: String) -> (any Experience.Type)? { first { $0.declaration.name == name } }
}

/// Declares what a piece adds to the command line: `thrum NAME check` and `thrum NAME show`.
public struct CommandDeclaration: Sendable {
    public let name: String
    /// Describes the command for people, in a sentence.
    public let about: String
    public let check: FileCheck
    public let drawing: AnswerDrawing

    public init(_ name: String, about: String, check: FileCheck, drawing: AnswerDrawing) {
        self.name = name
        self.about = about
        self.check = check
        self.drawing = drawing
    }
}

/// Checks a kind of file that a piece has of its own.
public struct FileCheck: Sendable {
    public struct File: Sendable {
        public let path: String
        public let bytes: [UInt8]

        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Describes the check for people, in a sentence.
    public let about: String
    /// The extension of such files' names.
    public let fileExtension: String
    /// An example of a path, for people.
    public let example: String
    /// Throws if any file is wrong: the error's description has one line for each fault.
    public let check: @Sendable ([File]) throws -> Void

    public init(about: String, fileExtension: String, example: String, check: @escaping @Sendable ([File]) throws -> Void) {
        self.about = about
        self.fileExtension = fileExtension
        self.example = example
        self.check = check
    }
}

/// Draws a piece's answers in lines of text.
public struct AnswerDrawing: Sendable {
    /// Describes the drawing for people, in a sentence.
    public let about: String
    /// The names of the piece's queries whose answers are drawn. These queries have no parameters.
    public let queries: [String]
    /// Returns the lines. `answers` are the queries' results, by the queries' names. `isColored` allows the use of the terminal's colours.
    /// Throws for an answer whose form this version does not know.
    public let lines: @Sendable (_ answers: [String: JSONValue], _ isColored: Bool) throws -> [String]

    public init(about: String, queries: [String],
                lines: @escaping @Sendable (_ answers: [String: JSONValue], _ isColored: Bool) throws -> [String]) {
        self.about = about
        self.queries = queries
        self.lines = lines
    }
}
