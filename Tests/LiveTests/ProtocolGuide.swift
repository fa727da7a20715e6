import Experience
import Fields
import Wire

@testable import Live

/// All methods and topics of a daemon with certain pieces.
struct ProtocolGuide {
    /// In alphabetical order.
    let methods: [MethodDescription]
    let topics: TopicTable

    init(_ pieces: [Declaration]) {
        methods = MethodTable(EngineMethods.all(pieces)).descriptions
        topics = TopicTable(pieces)
    }

    /// The parameters of a method; none for a method that there is not.
    func parameters(of method: String) -> [FieldDescription] { methods.first { $0.name == method }?.parameters ?? [] }
}
