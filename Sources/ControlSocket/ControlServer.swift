import Glibc
import NIOCore
import NIOPosix
import Wire

/// What the server does with its clients. Thread: the server's event loop, always.
public protocol ControlService: Sendable {
    /// A client is there, told apart by its number; what it may not do is not asked of the service. What is handed to `push` goes to
    /// it unasked, unless it does not read: then nothing is sent, and false returned.
    func connected(_ client: Int, as role: Role, push: @escaping @Sendable ([UInt8]) -> Bool)
    /// Acts on one request. What is handed to `reply`, now or later, goes back to the client.
    func answer(_ request: Request<Call>, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void)
    /// It is gone, and this is the last that is heard of it.
    func disconnected(_ client: Int)
}

public enum ControlSocketError: Error, Equatable, CustomStringConvertible {
    case inUse(String)
    case notASocket(String)
    case pathTooLong(String)
    case refused(String, errno: Int32)

    public var description: String {
        switch self {
        case .inUse(let path): "\(path): another thrumd is listening here"
        case .notASocket(let path): "\(path): exists and is no socket; remove it or choose another path"
        case .pathTooLong(let path): "\(path): a socket's path has at most 107 bytes"
        case .refused(let path, let errno): "\(path): \(String(cString: strerror(errno)))"
        }
    }
}

/// JSON-RPC over a Unix stream socket, one message a line. Only its owner may connect, unless `PeerAccess` lets others in.
public final class ControlServer: Sendable {
    private let channel: any Channel
    /// Nil where it is somebody else's.
    private let file: SocketFile?

    private init(_ channel: any Channel, _ file: SocketFile?) {
        self.channel = channel
        self.file = file
    }

    /// Listens on `path`, on one event loop. A socket file nobody listens on any more is replaced. Throws
    /// `ControlSocketError`.
    public static func listen(on path: String, access: PeerAccess = PeerAccess(), limits: Limits = Limits(), loop: any EventLoop,
                              service: some ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        let (descriptor, file) = try SocketFile.bind(path, type: SOCK_STREAM, group: access.group)
        return ControlServer(try await serve(descriptor, access, limits, loop, service, clients), file)
    }

    /// The same on a Unix stream socket that is listened on already, and that somebody else has made: who may reach its file is for him to
    /// say, and it stays when this server closes. `access.group` does nothing. Takes the descriptor. Throws what NIO says of it.
    public static func listen(onPassed descriptor: CInt, access: PeerAccess = PeerAccess(), limits: Limits = Limits(), loop: any EventLoop,
                              service: some ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        ControlServer(try await serve(descriptor, access, limits, loop, service, clients), nil)
    }

    private static func serve(_ descriptor: CInt, _ access: PeerAccess, _ limits: Limits, _ loop: any EventLoop,
                              _ service: some ControlService, _ clients: ClientList?) async throws -> any Channel {
        let clients = clients ?? ClientList(limit: limits.clients)
        return try await ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 512)
            // Where there are no descriptors left, it waits a second before it tries again.
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                }
            }
            .childChannelOption(.maxMessagesPerRead, value: 4)
            // A client that has said all it has to say still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                PeerAccess.user(of: channel).flatMapThrowing { user in
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(service, clients, limits, as: access.role(of: user)))
                }
            }
            .withBoundSocket(descriptor).get()
    }

    /// Accepts nobody any more and removes the socket file, if it made it.
    public func close() async {
        file?.remove()
        try? await channel.close()
    }
}
