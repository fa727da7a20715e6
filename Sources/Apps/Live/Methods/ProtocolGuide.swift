import Experience
import Fields
import Wire

/// All methods and topics of a daemon with certain pieces.
public struct ProtocolGuide: Sendable {
    /// By their names' order.
    public let methods: [MethodDescription]
    public let topics: TopicTable
    private let parametersByMethod: [String: [FieldDescription]]
    /// How often meters are told, in Hz.
    public static let meterRates = EngineMethods.meterRates
    public static let usualMeterRate = EngineMethods.usualMeterRate

    public init(_ pieces: [Declaration]) {
        methods = MethodTable(EngineMethods.all(pieces)).descriptions
        topics = TopicTable(pieces)
        parametersByMethod = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.parameters) })
    }

    /// What the parameters of a method may be; none for a method that there is not.
    public func parameters(of method: String) -> [FieldDescription] { parametersByMethod[method] ?? [] }
}
