import Fields
import Signals

/// A request with its parameters read. `Command` is the type of the server's own methods.
public enum Call<Command: Sendable>: Sendable {
    /// Something happens; `at` nil is now.
    case event(EventKind, at: Moment?)
    /// The client is there. With `patience`, in milliseconds, it counts as gone when it has not been heard of for so long; 0 takes that
    /// back, nil leaves it.
    case ping(patience: Int?)
    case command(Command)

    /// Whether it releases something: a sound may end by it.
    public var releases: Bool {
        if case .event(let kind, _) = self { kind.releases } else { false }
    }
}

extension Call: Equatable where Command: Equatable {}

/// One JSON-RPC 2.0 request, read and checked.
public struct Request<Command: Sendable>: Sendable {
    /// Nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call<Command>

    public init(id: RequestID?, call: Call<Command>) {
        self.id = id
        self.call = call
    }
}

extension Request: Equatable where Command: Equatable {}
