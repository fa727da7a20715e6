import Experience
import Fields
import Signals

/// The OpenRPC document of a server (https://spec.open-rpc.org, 1.3.2), which answers `rpc.discover`. The parameters in it are found out by
/// running the server's own readers.
public struct OpenRPC: Encodable, Sendable {
    private let openrpc = "1.3.2"
    private let info: Info
    private let methods: [Method]
    private let components: Components
    /// What the server sends by itself. OpenRPC has no place for this, but leaves names that begin with x to extensions.
    private let notifications: [Notification]

    private enum CodingKeys: String, CodingKey {
        case openrpc, info, methods, components
        case notifications = "x-notifications"
    }

    /// Describes a server by its methods and topics. `pieces` are the pieces to which some of these belong.
    public init(version: String, _ methods: [MethodDescription], _ topics: TopicTable, of pieces: [Declaration]) {
        let guide = FieldGuide(pieces)
        var catalog = SchemaCatalog()
        _ = catalog.reference(to: Schema(ErrorReply.shapeOfData, at: ["error"], guide), as: "ErrorData")
        info = Info(title: "Thrum", version: version, description: "An audio and haptic signal engine. One JSON-RPC 2.0 message a line.")
        let described = methods.map { method in
            let answer = catalog.reference(to: Schema(method.shape, at: [method.name], guide), as: method.name, method.result)
            return Method(name: method.name, summary: method.summary, params: method.parameters.map(Parameter.init),
                          result: Result(name: method.result, schema: answer), errors: Problem.all,
                          roles: Role.allCases.filter { $0.admits(method.access) }.map(\.rawValue),
                          reasons: method.reasons,
                          announcements: topics.notifications.filter { $0.causes.contains(method.name) }.map(\.topic.name),
                          inConfidence: method.inConfidence.isEmpty ? nil : method.inConfidence)
        }
        // Some generators make a class of each namespace. In a Python class, a method called `list` would hide the type `list` from the
        // methods after it, so it comes last.
        let lists = described.filter { $0.name.hasSuffix(".list") }
        self.methods = described.filter { !$0.name.hasSuffix(".list") } + lists
        notifications = topics.notifications.map { entry in
            let schema = Schema(entry.shape, at: [entry.topic.name], guide)
            return Notification(name: entry.topic.name, summary: entry.summary,
                                schema: catalog.reference(to: schema, as: entry.topic.name + ".announcement"),
                                inConfidence: entry.inConfidence.isEmpty ? nil : entry.inConfidence,
                                isAboutMoney: entry.isAboutMoney ? true : nil)
        }
        components = Components(schemas: catalog.schemas)
    }

    /// An announcement in OpenRPC's terms. `name` is the method name under which the announcement is sent; `schema` describes its
    /// parameters.
    private struct Notification: Encodable {
        var name: String
        var summary: String
        var schema: Schema
        /// The fields that contain a household's name or money; nil where there are none. Only operators get them, and clients that entered
        /// in the household's name.
        var inConfidence: [String: Confidence]?
        /// True where the whole announcement is about a household's money; otherwise nil, so that the member is left out.
        var isAboutMoney: Bool?

        enum CodingKeys: String, CodingKey {
            case name, summary, schema
            case inConfidence = "x-confidence"
            case isAboutMoney = "x-money"
        }
    }

    private struct Info: Encodable {
        var title: String
        var version: String
        var description: String
    }

    private struct Method: Encodable {
        var name: String
        var summary: String
        let paramStructure = "either"
        var params: [Parameter]
        var result: Result
        var errors: [Problem]
        /// The names of the roles that may call the method.
        var roles: [String]
        /// The reasons for which a call may be refused, except those that every request can have.
        var reasons: [ErrorReply.Reason]
        /// The topics of announcements that a call can cause, except those that every event can cause.
        var announcements: [String]
        /// The confidential fields of the answer, as in `Notification.inConfidence`; nil where there are none.
        var inConfidence: [String: Confidence]?

        enum CodingKeys: String, CodingKey {
            case name, summary, paramStructure, params, result, errors
            case roles = "x-roles"
            case reasons = "x-reasons"
            case announcements = "x-announcements"
            case inConfidence = "x-confidence"
        }
    }

    private struct Parameter: Encodable {
        var name: String
        var description: String?
        var required: Bool
        var schema: Schema

        init(_ field: FieldDescription) {
            name = field.name
            description = field.about.isEmpty ? nil : field.about
            required = field.isRequired
            schema = Schema(field.kind)
        }
    }

    private struct Result: Encodable {
        var name: String
        var schema: Schema
    }

    private struct Problem: Encodable {
        var code: Int
        var message: String

        static let all = [Problem(code: ErrorReply.Code.invalidParams.number, message: "Invalid params"),
                          Problem(code: ErrorReply.Code.refusedNumber, message: "Refused for now")]
    }

    /// The schemas that methods and notifications refer to. Nothing refers to `ErrorData`, the schema of an error's `data`: OpenRPC has no
    /// place for such a reference.
    private struct Components: Encodable {
        var schemas: [String: Schema]
    }
}
