/// The schemas of a document that have names: each kind of object stands once, under `components`, and is referred to everywhere else. So a
/// generator of clients makes one type of it, with a name that people understand.
struct SchemaCatalog {
    /// The schemas by their names.
    private(set) var schemas: [String: Schema] = [:]
    private var names: [Schema: String] = [:]
    /// Types that generated TypeScript is written with.
    private static let taken: Set = ["Array", "Boolean", "Date", "Error", "Map", "Number", "Object", "Promise", "Record", "Set", "String"]

    /// Returns a reference to `schema`, which is kept with all objects inside it. Its name is the last of `names`, and where another schema
    /// has that, more of them. A schema without an object stays as it is.
    mutating func reference(to schema: Schema, as names: String...) -> Schema { shared(schema, names.map(Self.capitalized)) }

    /// `path` are the names that lead to `schema`, of which the last is its own.
    private mutating func shared(_ schema: Schema, _ path: [String]) -> Schema {
        var schema = schema
        for (key, part) in schema.properties.sorted(by: { $0.key < $1.key }) {
            schema.properties[key] = shared(part, path + [Self.capitalized(key)])
        }
        schema.items = schema.items.map { $0.map { shared($0, path.dropLast() + [Self.singular(path[path.count - 1])]) } }
        guard !schema.properties.isEmpty else { return schema }
        return Schema(reference: name(of: schema, path))
    }

    /// Returns the last words of `path`: as few as tell the schema apart from others.
    private mutating func name(of schema: Schema, _ path: [String]) -> String {
        if let name = names[schema] { return name }
        let candidates = path.indices.reversed().map { path[$0...].joined() }
        let free = candidates.first { schemas[$0] == nil && !Self.taken.contains($0) }
        let name = free ?? (2...).lazy.map { "\(path.joined())\($0)" }.first { schemas[$0] == nil } ?? path.joined()
        schemas[name] = schema
        names[schema] = name
        return name
    }

    /// As types are written: `config.diff` is ConfigDiff.
    private static func capitalized(_ name: String) -> String {
        name.split { $0 == "." || $0 == "-" || $0 == "_" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The name of an element of a list.
    private static func singular(_ name: String) -> String {
        if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
        return name.hasSuffix("s") && !name.hasSuffix("ss") && !name.hasSuffix("us") ? String(name.dropLast()) : name
    }
}
