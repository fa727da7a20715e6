import Fields

/// The description of a method. Its parameters are described by their own reader.
public struct MethodDescription: Sendable {
    public let name: String
    public let access: Access
    /// For people, in a sentence.
    public let summary: String
    /// What its answer is called.
    public let result: String
    /// Example answers, for their shape; a field that some of them lack is optional.
    public let examples: [any Encodable & Sendable]
    /// Its parameters, in the order in which they may be given without names.
    public let parameters: [FieldDescription]

    /// Of the answer.
    var shape: Shape {
        let shapes = examples.map { Shape(of: $0) }
        return shapes.dropFirst().reduce(shapes.first ?? .any) { $0.merged($1) }
    }
}
