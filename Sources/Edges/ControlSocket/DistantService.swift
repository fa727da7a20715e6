import NIOCore
import Wire

/// A service for clients on another event loop than its own: requests go over in their order, and answers come back in theirs.
public struct DistantService: ControlService {
    private let service: any ControlService
    /// The service's.
    private let home: any EventLoop
    /// The clients'.
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
