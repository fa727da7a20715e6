import NIOCore
import Wire

/// The side of the server that acts on what clients ask. Thread: the server's event loop, always.
public protocol ControlService: Sendable {
    /// The methods that clients may call. Any other is refused before the service is asked.
    var methods: MethodTable { get }
    /// Tells that the client of this number is connected; requests that its role does not admit are refused before the service is asked.
    /// `push` sends the client a line that it did not ask for; where the client does not read, nothing is sent and `push` returns false.
    /// `isLocal`: it is on this machine; `identity`: who it is.
    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool)
    /// Acts on one request. A line that is handed to `reply`, now or later, goes back to the client.
    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void)
    /// Tells that a request that wants no answer was refused before the service was asked: nobody else will tell of it.
    func refused(_ error: ErrorReply, to client: Int)
    /// Tells that the client is gone, or counts as gone, and asks for nothing more. It may still read its answers.
    func disconnected(_ client: Int, because departure: Departure)
    /// Tells that the connection is closed, so that nobody reads answers. No other call follows `disconnected`.
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
    /// Nothing came from it for longer than its `ping` allows.
    case silent
    /// The client did not read what it was sent.
    case unread
}

/// Serves clients on another event loop than the service's: requests go over in their order, and so do answers.
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
