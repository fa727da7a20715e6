import Experience
import Fields
import JSON

/// One entry of a table of methods: its name, who may call it, and how its parameters are read.
public final class Method: Sendable {
    public let name: String
    public let access: Access
    public let description: MethodDescription
    /// The names of its parameters, in the order in which they may be given without names.
    let parameterNames: [String]
    private let reader: @Sendable (Fields) throws -> Call

    /// `read` throws `Fault`. Fields that it does not read are refused.
    public convenience init(_ name: String, _ access: Access, _ summary: String, result: String, examples: [any Encodable & Sendable],
                            inConfidence: [String: Confidence] = [:], read: @escaping @Sendable (Fields) throws -> Call) {
        let parameters = Fields.described { _ = try read($0) }
        let names = parameters.map(\.name)
        self.init(MethodDescription(name: name, access: access, summary: summary, result: result, examples: examples,
                                    parameters: parameters, inConfidence: inConfidence)) { fields in
            try fields.refuseAll(but: names)
            return try read(fields)
        }
    }

    /// `reader` refuses fields that it does not know.
    init(_ description: MethodDescription, reader: @escaping @Sendable (Fields) throws -> Call) {
        name = description.name
        access = description.access
        self.description = description
        parameterNames = description.parameters.map(\.name)
        self.reader = reader
    }

    /// Throws `Fault`.
    func read(_ fields: Fields) throws -> Call { try reader(fields) }

    /// Reads parameters without names: they have those of the method, in their order, and null leaves one out. Throws `Fault`.
    func read(_ text: JSONText, list: Int, _ work: inout ReadingWork) throws -> Call {
        let count = Int(text.nodes[list].count)
        guard count <= parameterNames.count else { throw tooMany(count) }
        let reading = JSONReading(text, root: list, names: parameterNames)
        defer { work += reading.work }
        return try reader(try Fields(reading.decoder))
    }

    func tooMany(_ count: Int) -> Fault {
        let names = parameterNames
        let expected = names.isEmpty ? "none" : "at most \(names.count) without a name (\(names.joined(separator: ", ")))"
        return Fault(field: "params", expected: expected, found: "\(count)")
    }
}
