import Fields
import Signals

/// What a server understands: methods, each with its parameters.
public protocol Callable: Sendable {
    /// Nil when there is no such method. Throws `Fault` for a parameter that is wrong.
    init?(method: String, _ parameters: Fields) throws
    /// Every method there is.
    static var methods: [String] { get }
    /// The names of a method's parameters, in the order in which they may be given without names.
    static func parameterNames(of method: String) -> [String]
}

/// One JSON-RPC 2.0 request, understood.
public struct Request<Call: Callable>: Sendable {
    /// Nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}

extension Request: Equatable where Call: Equatable {}
