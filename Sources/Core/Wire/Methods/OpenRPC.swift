import Fields
import Signals

/// The OpenRPC document (https://spec.open-rpc.org, 1.3.2) of a server: what `rpc.discover` answers. Parameters are those that the server's
/// own readers ask for.
public struct OpenRPC: Encodable, Sendable {
    private let openrpc = "1.3.2"
    private let info: Info
    private let methods: [Method]
    /// OpenRPC has no notifications of the server; names that begin with x are free for extensions.
    private let notifications: [Notification]

    private enum CodingKeys: String, CodingKey {
        case openrpc, info, methods
        case notifications = "x-notifications"
    }

    public init(version: String, _ methods: [MethodDescription], _ topics: TopicTable) {
        info = Info(title: "Thrum", version: version, description: "An audio and haptic signal engine. One JSON-RPC 2.0 message a line.")
        self.methods = methods.map { method in
            Method(name: method.name, summary: method.summary, params: method.parameters.map(Parameter.init),
                   result: Result(name: method.result, schema: Schema(method.shape)), errors: Fault.all,
                   roles: Role.allCases.filter { $0.admits(method.access) }.map(\.rawValue))
        }
        notifications = topics.topics.map { Notification(name: $0.topic.name, summary: $0.summary, schema: Schema($0.shape)) }
    }

    /// `name` is its method; `schema` is that of its parameters.
    private struct Notification: Encodable {
        var name: String
        var summary: String
        var schema: Schema
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
        var errors: [Fault]
        /// That may call it.
        var roles: [String]

        enum CodingKeys: String, CodingKey {
            case name, summary, paramStructure, params, result, errors
            case roles = "x-roles"
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

    private struct Fault: Encodable {
        var code: Int
        var message: String

        static let all = [Fault(code: ErrorReply.Code.invalidParams.rawValue, message: "Invalid params"),
                          Fault(code: ErrorReply.Code.refused.rawValue, message: "Refused for now")]
    }
}
