import Fields
import Signals

/// The JSON Schema of a value.
struct Schema: Encodable, Sendable {
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

    var properties: [String: Schema] = [:]
    var required: [String] = []

    /// The schema of what the server writes, at `path` from its method or topic. `guide` says what fields hold.
    init(_ shape: Shape, at path: [String], _ guide: FieldGuide) {
        switch shape {
        case .object(let fields):
            types = ["object"]
            properties = Dictionary(uniqueKeysWithValues: fields.map { ($0, Schema($1.shape, at: path + [$0], guide)) })
            required = fields.filter(\.value.isRequired).keys.sorted()
        case .list(let element):
            types = ["array"]
            items = element.map { [Schema($0, at: path, guide)] }
        case .scalar(let type):
            types = [type]
            let meaning = guide.meaning(of: path, isText: type == "string")
            description = meaning?.about
            if case .words(let choices, _)? = meaning { `enum` = choices }
        case .word(let choices):
            types = ["string"]
            `enum` = choices
            description = guide.meaning(of: path, isText: false)?.about
        case .any: description = guide.meaning(of: path, isText: false)?.about
        }
    }

    /// The schema of what a reader reads.

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
        case .structure(let orList): types = orList ? ["object", "array"] : ["object"]
        case .either(let kinds): oneOf = kinds.map(Schema.init)
        }
    }

    private enum Key: CodingKey {
        case type, minimum, maximum, minLength, maxLength, `enum`, description, items, oneOf, properties, required
    }

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
        if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
        if !required.isEmpty { try container.encode(required, forKey: .required) }
    }
}
