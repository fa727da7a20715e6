import Experience
import Fields
import Signals

/// The OpenRPC document (https://spec.open-rpc.org, 1.3.2) of a server: what `rpc.discover` answers. Parameters are those that the server's
/// own readers ask for.
public struct OpenRPC: Encodable, Sendable {
    private let openrpc = "1.3.2"
    private let info: Info
    private let methods: [Method]
    private let components: Components
    /// OpenRPC has no notifications of the server; names that begin with x are free for extensions.
    private let notifications: [Notification]

    private enum CodingKeys: String, CodingKey {
        case openrpc, info, methods, components
        case notifications = "x-notifications"
    }

    /// Describes a server. `pieces` are the pieces whose methods and topics are among those given.
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
        // Generators make a class of a namespace. In Python its method `list` would hide the type of that name from those below it.
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

    /// An announcement as OpenRPC describes it. `name` is the method name under which it is sent; `schema` is that of its parameters.
    private struct Notification: Encodable {
        var name: String
        var summary: String
        var schema: Schema
        /// The fields that tell a household's name or its money. They are told to operators, and to clients that came in the household's
        /// name.
        var inConfidence: [String: Confidence]?
        /// Whether all of it is about a household's money.
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
        /// The names of the roles that may call it.
        var roles: [String]
        /// The reasons for which a call may be refused, beside those of every request.
        var reasons: [ErrorReply.Reason]
        /// The topics that a call is told under, beside those of every event.
        var announcements: [String]
        /// The fields of the answer that are told in confidence, as for a notification.
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

    /// The schemas that methods and notifications refer to. Nothing refers to `ErrorData`, the schema of an error's `data`, because
    /// OpenRPC's errors cannot.
    private struct Components: Encodable {
        var schemas: [String: Schema]
    }
}
