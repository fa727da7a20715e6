import Experience
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
    /// What of its answer is told in confidence, by paths of fields.
    public let inConfidence: [String: Confidence]
    /// Whether it does in a household's name what only operators may: it would outlast the exhibition's day.
    let isOverHouseholds: Bool

    init(name: String, access: Access, summary: String, result: String, examples: [any Encodable & Sendable],
         parameters: [FieldDescription], inConfidence: [String: Confidence] = [:], isOverHouseholds: Bool = false) {
        self.name = name
        self.access = access
        self.summary = summary
        self.result = result
        self.examples = examples
        self.parameters = parameters
        self.inConfidence = inConfidence
        self.isOverHouseholds = isOverHouseholds
    }

    /// Of the answer. What is told in confidence may be left out.
    var shape: Shape {
        let shapes = examples.map { Shape(of: $0) }
        let whole = shapes.dropFirst().reduce(shapes.first ?? .any) { $0.merged($1) }
        return inConfidence.keys.reduce(whole) { $0.optional($1.split(separator: ".")[...]) }
    }
}
