import Signals

/// The OpenRPC document (https://spec.open-rpc.org, 1.3.2) of this server: what `rpc.discover` answers. Parameters are those that the
/// server's own reader asks for.
public struct OpenRPC: Encodable, Sendable {
    private let openrpc = "1.3.2"
    private let info: Info
    private let methods: [Method]

    public init(version: String) {
        info = Info(title: "Thrum", version: version, description: "An audio and haptic signal engine. One JSON-RPC 2.0 message a line.")
        methods = MethodGuide.all.map { guide in
            Method(name: guide.name, summary: guide.summary, params: Call.parameters(of: guide.name).map(Parameter.init),
                   result: Result(name: guide.result, schema: Schema(type: "object")), errors: Fault.all)
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

/// What JSON Schema says of a value.
private struct Schema: Encodable, Sendable {
    /// One of them.
    var types: [String] = []
    var minimum: Double?
    var maximum: Double?
    var minLength: Int?
    var maxLength: Int?
    var `enum`: [String]?
    var description: String?
    var items: [Schema]?
    var oneOf: [Schema]?

    init(type: String) { types = [type] }

    init(_ kind: FieldDescription.Kind) {
        switch kind {
        case .number(let range, let unit):
            types = ["number"]
            (minimum, maximum, description) = (range.lowerBound, range.upperBound, unit)
        case .integer(let range, let unit):
            types = ["integer"]
            (minimum, maximum, description) = (Double(range.lowerBound), Double(range.upperBound), unit)
        case .flag: types = ["boolean"]
        case .text(let limit):
            types = ["string"]
            (minLength, maxLength) = (1, limit)
        case .choice(let choices):
            types = ["string"]
            `enum` = choices
        case .choices(let choices):
            types = ["array"]
            items = [Schema(.choice(choices))]
        case .object: types = ["object", "array"]
        case .either(let kinds): oneOf = kinds.map(Schema.init)
        }
    }

    private enum Key: CodingKey { case type, minimum, maximum, minLength, maxLength, `enum`, description, items, oneOf }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if types.count == 1 { try container.encode(types[0], forKey: .type) }
        if types.count > 1 { try container.encode(types, forKey: .type) }
        try container.encodeIfPresent(minimum, forKey: .minimum)
        try container.encodeIfPresent(maximum, forKey: .maximum)
        try container.encodeIfPresent(minLength, forKey: .minLength)
        try container.encodeIfPresent(maxLength, forKey: .maxLength)
        try container.encodeIfPresent(`enum`, forKey: .enum)
        try container.encodeIfPresent(description, forKey: .description)
        // Swift has no struct that holds itself; a list of one does.
        try container.encodeIfPresent(items?.first, forKey: .items)
        try container.encodeIfPresent(oneOf, forKey: .oneOf)
    }
}
