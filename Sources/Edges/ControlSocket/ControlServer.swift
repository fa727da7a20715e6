import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Wire

/// What the server does with its clients. Thread: the server's event loop, always.
public protocol ControlService: Sendable {
    /// The methods it has. What it does not have is refused before it is asked.
    var methods: MethodTable { get }
    /// A client is there, told apart by its number; what it may not do is not asked of the service. What is handed to `push` goes to
    /// it unasked, unless it does not read: then nothing is sent, and false returned. `isLocal`: it is on this machine; `identity`: who
    /// it is.
    func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity, push: @escaping @Sendable ([UInt8]) -> Bool)
    /// Acts on one request. What is handed to `reply`, now or later, goes back to the client.
    func answer(_ request: Request, from client: Int, reply: @escaping @Sendable ([UInt8]) -> Void)
    /// A request that wants no answer was refused before the service was asked: nobody else will tell of it.
    func refused(_ error: ErrorReply, to client: Int)
    /// It is gone, or counts as gone, and asks for nothing more. It may still read its answers.
    func disconnected(_ client: Int, because departure: Departure)
    /// Its connection is closed, and nobody reads its answers: only that comes after `disconnected`.
    func closed(_ client: Int)
}

extension ControlService {
    public func refused(_ error: ErrorReply, to client: Int) {}

    public func closed(_ client: Int) {}

    func disconnected(_ client: Int) { disconnected(client, because: .left) }
}

/// Why a client is gone.
public enum Departure: Sendable {
    /// It closed its connection, or its sending side.
    case left
    /// Nothing came from it for longer than its `ping` allows.
    case silent
    /// It did not read what it was sent.
    case unread
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
public final class ControlServer: Listener {
    /// Connections that wait to be accepted.
    private static let backlog: CInt = 512

    private struct Listener: Sendable {
        var channel: any Channel
        /// Nil for an abstract name, which cannot be removed.
        var file: SocketFile?

        var isLost: Bool { file.map { !$0.isThere || !channel.isActive } ?? false }
    }

    /// Nil when it is closed for good.
    private let listener: Mutex<Listener?>
    private let isPassed: Bool
    private let serve: @Sendable (_ descriptor: CInt) async throws -> any Channel

    private init(_ descriptor: CInt, _ file: SocketFile?, serve: @escaping @Sendable (_ descriptor: CInt) async throws -> any Channel)
        async throws {
        self.serve = serve
        isPassed = file?.isOwn == false
        listener = Mutex(Listener(channel: try await serve(descriptor), file: file))
    }

    /// Listens on `path`, on one event loop. A socket file nobody listens on any more is replaced. `makesDirectory`: the directory is made
    /// where it is missing, now or later, with mode 0700. Throws `ControlSocketError`.
    public static func listen(on path: String, makesDirectory: Bool = false, access: PeerAccess = PeerAccess(), limits: Limits,
                              loop: any EventLoop, service: any ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        let making = SocketFile.Making(mode: access.group == nil ? 0o600 : 0o660, group: access.group, makesDirectory: makesDirectory)
        let (descriptor, file) = try SocketFile.bind(path, type: SOCK_STREAM, making)
        let clients = if let clients { clients } else { try await ClientList.open(limit: limits.clients, on: loop) }
        return try await ControlServer(descriptor, file) { try await serve($0, access, limits, loop, service, clients) }
    }

    /// The same on a Unix stream socket that is listened on already, and that somebody else has made and bound to `path`: who may reach its
    /// file is for him to say, and it stays when this server closes. When the file is removed, one of this process takes its place.
    /// `access.group` does nothing. Takes the descriptor. Throws what NIO says of it, and `ControlSocketError` where another process has
    /// been passed it, too.
    public static func listen(onPassed descriptor: CInt, at path: String, access: PeerAccess = PeerAccess(), limits: Limits,
                              loop: any EventLoop, service: any ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        let clients = if let clients { clients } else { try await ClientList.open(limit: limits.clients, on: loop) }
        return try await ControlServer(descriptor, SocketFile.passed(path)) {
            try await serve($0, access, limits, loop, service, clients)
        }
    }

    private static func serve(_ descriptor: CInt, _ access: PeerAccess, _ limits: Limits, _ loop: any EventLoop,
                              _ service: any ControlService, _ clients: ClientList) async throws -> any Channel {
        let channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.maxMessagesPerRead, value: 4)
            // Where there are no descriptors left, it waits a second before it tries again.
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                }
            }
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384))
            .childChannelOption(.writeBufferWaterMark, value: Outbox.waterMark)
            // A client that has said all it has to say still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                PeerAccess.user(of: channel).flatMapThrowing { user in
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(service, clients, limits, as: access.wayIn(of: user),
                                                                               isLocal: true, identity: .user(user)))
                }
            }
            .withBoundSocket(descriptor).get()
        // NIO listens with 128 as it takes the descriptor over, before it looks at the option for it (2.101).
        guard Glibc.listen(descriptor, backlog) == 0 else { throw IOError(errnoCode: errno, reason: "listen") }
        return channel
    }

    /// That a socket of the service manager has been replaced by one that ends with this process.
    public var issue: String? {
        guard isPassed, let file = listener.withLock({ $0?.file }), file.isOwn else { return nil }
        return "the service manager's socket \(file.path) was removed: thrumd listens there itself until the socket's unit is restarted"
    }

    public var isLost: Bool { listener.withLock { $0 }?.isLost == true }

    public func mend() async throws -> Bool {
        guard let old = listener.withLock({ $0 }), let file = old.file, old.isLost else { return false }
        if file.isFound, old.channel.isActive {
            let locked = try file.lockedAgain()
            listener.withLock { $0?.file = locked }
            return false
        }
        let (descriptor, new) = try file.boundAgain()
        let channel = try await serve(descriptor)
        let isOpen = listener.withLock { listener in
            guard listener != nil else { return false }
            listener = Listener(channel: channel, file: new)
            return true
        }
        guard isOpen else {
            new.remove()
            try? await channel.close()
            return false
        }
        // Those who got in by it stay.
        try? await old.channel.close()
        return true
    }

    /// Accepts nobody any more and removes the socket file, if it made it.
    public func close() async {
        let last = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        last?.file?.remove()
        try? await last?.channel.close()
    }
}
