import Fields
import Signals

/// The OpenRPC document (https://spec.open-rpc.org, 1.3.2) of this server: what `rpc.discover` answers. Parameters are those that the
/// server's own reader asks for.
public struct OpenRPC: Encodable, Sendable {
    private let openrpc = "1.3.2"
    private let info: Info
    private let methods: [Method]
    /// OpenRPC has no word for what a server tells unasked, and leaves names with an x to others.
    private let notifications: [Notification]

    private enum CodingKeys: String, CodingKey {
        case openrpc, info, methods
        case notifications = "x-notifications"
    }

    public init(version: String) {
        info = Info(title: "Thrum", version: version, description: "An audio and haptic signal engine. One JSON-RPC 2.0 message a line.")
        methods = MethodGuide.all.map { guide in
            Method(name: guide.name, summary: guide.summary, params: Call.parameters(of: guide.name).map(Parameter.init),
                   result: Result(name: guide.result, schema: Schema(guide.shape)), errors: Fault.all)
        }
        notifications = TopicGuide.all.map { Notification(name: $0.topic.rawValue, summary: $0.summary, schema: Schema($0.shape)) }
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

        enum CodingKeys: CodingKey { case name, summary, paramStructure, params, result, errors }
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
