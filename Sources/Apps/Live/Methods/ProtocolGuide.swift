import Experience
import Fields
import Registry
import Wire

/// What may be asked of the daemon, for whoever asks: every method and every topic, with what all pieces declare.
public enum ProtocolGuide {
    /// By their names' order.
    public static let methods = MethodTable(EngineMethods.all(declarations)).descriptions
    public static let topics = TopicTable(declarations)
    /// How often meters are told, in Hz.
    public static let meterRates = EngineMethods.meterRates
    public static let usualMeterRate = EngineMethods.usualMeterRate

    private static let declarations = Registry.pieces.declarations
    private static let parametersByMethod = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.parameters) })

    /// What the parameters of a method may be; none for a method that there is not.
    public static func parameters(of method: String) -> [FieldDescription] { parametersByMethod[method] ?? [] }
}
