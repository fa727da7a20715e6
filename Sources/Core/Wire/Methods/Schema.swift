import Fields
import Signals

/// The JSON Schema of a value.
struct Schema: Hashable, Encodable, Sendable {
    /// The name of a schema under `components`, if this value is only a reference to it; nil for a schema of its own.
    var reference: String?
    var type: String?
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

    /// Creates a reference to the schema called `reference` under `components`.
    init(reference: String) { self.reference = reference }

    private init(type: String) { self.type = type }

    /// Creates the schema of a value that the server writes. `path` leads to the value, and begins with the name of its method or topic.
    /// `guide` has the meanings of fields.
    init(_ shape: Shape, at path: [String], _ guide: FieldGuide) {
        switch shape {
        case .object(let fields):
            type = "object"
            properties = Dictionary(uniqueKeysWithValues: fields.map { ($0, Schema($1.shape, at: path + [$0], guide)) })
            required = fields.filter(\.value.isRequired).keys.sorted()
        case .list(let element):
            type = "array"
            items = element.map { [Schema($0, at: path, guide)] }
        case .scalar(let type):
            self.type = type
            let meaning = guide.meaning(of: path, isText: type == "string")
            description = meaning?.about
            if case .words(let choices, _)? = meaning { `enum` = choices }
        case .word(let choices):
            type = "string"
            `enum` = choices
            description = guide.meaning(of: path, isText: false)?.about
        case .any: description = guide.meaning(of: path, isText: false)?.about
        }
    }

    /// Creates the schema of a value that a reader reads.
    init(_ kind: FieldDescription.Kind) {
        switch kind {
        case .number(let range, let unit):
            type = "number"
            (minimum, maximum, description) = (range.lowerBound, range.upperBound, unit)
        case .integer(let range, let unit):
            type = "integer"
            (minimum, maximum, description) = (Double(range.lowerBound), Double(range.upperBound), unit)
        case .flag: type = "boolean"
        case .text(let limit):
            type = "string"
            (minLength, maxLength) = (1, limit)
        case .choice(let choices):
            type = "string"
            `enum` = choices
        case .choices(let choices):
            type = "array"
            items = [Schema(.choice(choices))]
        case .structure(orList: false): type = "object"
        case .structure(orList: true): oneOf = [Schema(type: "object"), Schema(type: "array")]
        case .either(let kinds): oneOf = kinds.map(Schema.init)
        }
    }

    private enum Key: String, CodingKey {
        case reference = "$ref"
        case type, minimum, maximum, minLength, maxLength, `enum`, description, items, oneOf, properties, required
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(reference.map { "#/components/schemas/\($0)" }, forKey: .reference)
        try container.encodeIfPresent(type, forKey: .type)
        try container.encodeIfPresent(minimum, forKey: .minimum)
        try container.encodeIfPresent(maximum, forKey: .maximum)
        try container.encodeIfPresent(minLength, forKey: .minLength)
        try container.encodeIfPresent(maxLength, forKey: .maxLength)
        try container.encodeIfPresent(`enum`, forKey: .enum)
        try container.encodeIfPresent(description, forKey: .description)
        // `items` is a list of at most one schema, because a Swift struct cannot contain itself.
        try container.encodeIfPresent(items?.first, forKey: .items)
        try container.encodeIfPresent(oneOf, forKey: .oneOf)
        if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
        if !required.isEmpty { try container.encode(required, forKey: .required) }
    }
}

/// The named schemas of a document. Each kind of object is written once, under `components`, and referred to everywhere else. So a
/// generator of clients makes one type of it, with a name that people understand.
struct SchemaCatalog {
    /// The schemas, by their names.
    private(set) var schemas: [String: Schema] = [:]
    private var names: [Schema: String] = [:]
    /// Names that generated TypeScript code needs for its own types.
    private static let taken: Set = ["Array", "Boolean", "Date", "Error", "Map", "Number", "Object", "Promise", "Record", "Set", "String"]

    /// Adds `schema` and all objects inside it, and returns a reference to `schema`. Its name is the last of `names`, preceded by further
    /// ones where another schema has that name. A schema that is no object is returned itself, with references in place of the objects
    /// inside it.
    mutating func reference(to schema: Schema, as names: String...) -> Schema { shared(schema, names.map(Self.capitalized)) }

    /// Replaces the objects inside `schema` by references. `path` has the names that lead to `schema`; the last one is its own.
    private mutating func shared(_ schema: Schema, _ path: [String]) -> Schema {
        var schema = schema
        for (key, part) in schema.properties.sorted(by: { $0.key < $1.key }) {
            schema.properties[key] = shared(part, path + [Self.capitalized(key)])
        }
        schema.items = schema.items.map { $0.map { shared($0, path.dropLast() + [Self.singular(path[path.count - 1])]) } }
        guard !schema.properties.isEmpty else { return schema }
        return Schema(reference: name(of: schema, path))
    }

    /// Returns the name of `schema`. A new schema is added; its name is the shortest end of `path` that no other schema has.
    private mutating func name(of schema: Schema, _ path: [String]) -> String {
        if let name = names[schema] { return name }
        let candidates = path.indices.reversed().map { path[$0...].joined() }
        let free = candidates.first { schemas[$0] == nil && !Self.taken.contains($0) }
        let name = free ?? (2...).lazy.map { "\(path.joined())\($0)" }.first { schemas[$0] == nil } ?? path.joined()
        schemas[name] = schema
        names[schema] = name
        return name
    }

    /// Writes a name in the form of a type's name: `config.diff` becomes ConfigDiff.
    private static func capitalized(_ name: String) -> String {
        name.split { $0 == "." || $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns a name for an element of the list called `name`.
    private static func singular(_ name: String) -> String {
        if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
        return name.hasSuffix("s") && !name.hasSuffix("ss") && !name.hasSuffix("us") ? String(name.dropLast()) : name
    }
}
