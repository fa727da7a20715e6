import Fields
import Signals

/// A JSON-RPC error, with the field at fault where there is one.
public struct ErrorReply: Error, Equatable, Sendable {
    /// The codes of the JSON-RPC 2.0 specification, section 5.1, and one of our own.
    public enum Code: Int, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        /// Understood, and refused for now because of a limit or the state.
        case refused = -32000
    }

    public var code: Code
    public var message: String
    public var fault: Fault?
    /// Nil when the request was a notification, which gets no answer.
    public var id: RequestID?

    public init(_ code: Code, _ message: String, fault: Fault? = nil, id: RequestID? = .null) {
        self.code = code
        self.message = message
        self.fault = fault
        self.id = id
    }

    public init(_ code: Code, fault: Fault, id: RequestID? = .null) {
        self.init(code, fault.description, fault: fault, id: id)
    }

    public func answering(_ id: RequestID?) -> ErrorReply {
        ErrorReply(code, message, fault: fault, id: id)
    }
}

extension ErrorReply: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(code.rawValue, forKey: .init("code"))
        try container.encode(message, forKey: .init("message"))
        guard let fault else { return }
        var data = container.nestedContainer(keyedBy: Fields.Key.self, forKey: .init("data"))
        if !fault.field.isEmpty { try data.encode(fault.field, forKey: .init("field")) }
        try data.encode(fault.expected, forKey: .init("expected"))
        try data.encodeIfPresent(fault.found, forKey: .init("found"))
    }
}
