import NIOCore
import Wire

/// The engine's side of the server, which carries out what clients ask. Thread: the server's event loop, always.
public protocol ControlService: Sendable {
    /// The methods that clients may call. The server refuses any other before it asks the service.
    var methods: MethodTable { get }
    /// Tells the service that the client of this number has connected. The server refuses requests that `role` does not admit before it
    /// asks the service. `push` sends the client a line without a request; where the client does not read, it sends nothing and returns
    /// false. `isLocal` is whether the client is on this machine, `identity` who it is.
    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool)
    /// Carries out a request. A line that is passed to `reply`, now or later, goes back to the client.
    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void)
    /// Tells the service that the server has refused a request that wants no answer. The client does not learn of it otherwise.
    func refused(_ error: ErrorReply, to client: Int)
    /// Tells the service that the client has left, or counts as gone, and will send no more requests. It may still read its answers.
    func disconnected(_ client: Int, because departure: Departure)
    /// Tells the service that the connection is closed, so that nobody reads answers any more. It is the last call for the client.
    func closed(_ client: Int)
}

extension ControlService {
    public func refused(_ error: ErrorReply, to client: Int) {}

    public func closed(_ client: Int) {}

    func disconnected(_ client: Int) { disconnected(client, because: .left) }
}

/// The reason why a client is gone.
public enum Departure: Sendable {
    /// The client closed its connection, or its sending side.
    case left
    /// The client sent nothing for longer than its `ping` allows.
    case silent
    /// The client did not read its messages for longer than `Limits.timeout`.
    case unread
}

/// A service for clients on another event loop than the service's own. Requests are handed over in their order, and so are answers.
public struct DistantService: ControlService {
    private let service: any ControlService
    /// The event loop of the service.
    private let home: any EventLoop
    /// The event loop of the clients.
    private let loop: any EventLoop

    public init(_ service: any ControlService, at home: any EventLoop, for loop: any EventLoop) {
        self.service = service
        self.home = home
        self.loop = loop
    }

    public var methods: MethodTable { service.methods }

    public func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool) {
        home.execute { [service] in service.connected(client, as: role, isLocal: isLocal, identity: identity, push: push) }
    }

    public func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void) {
        home.execute { [service, loop] in
            service.answer(request, from: client) { line in loop.execute { reply(line) } }
        }
    }

    public func refused(_ error: ErrorReply, to client: Int) {
        home.execute { [service] in service.refused(error, to: client) }
    }

    public func disconnected(_ client: Int, because departure: Departure) {
        home.execute { [service] in service.disconnected(client, because: departure) }
    }

    public func closed(_ client: Int) {
        home.execute { [service] in service.closed(client) }
    }
}
