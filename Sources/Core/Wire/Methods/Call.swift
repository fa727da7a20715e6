import Fields
import Signals

/// What a method of the server's own asks for. The server that makes the methods knows its type; nobody on the way does, so that nobody on
/// the way is generic: looking up the types of generic code took a quarter of the time of an event.
public protocol Command: Sendable {}

/// A request with its parameters read.
public enum Call: Sendable {
    /// Something happens; `at` nil is now.
    case event(EventKind, at: Moment?)
    /// The client is there. With `patience`, in milliseconds, it counts as gone when it has not been heard of for so long; 0 takes that
    /// back, nil leaves it.
    case ping(patience: Int?)
    case command(any Command)

    /// Whether it releases something: a sound may end by it.
    public var releases: Bool {
        if case .event(let kind, _) = self { kind.releases } else { false }
    }
}

/// One JSON-RPC 2.0 request, read and checked.
public struct Request: Sendable {
    /// Nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}
