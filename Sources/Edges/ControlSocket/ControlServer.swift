import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Wire

/// A listening socket. It can be lost while the server runs: its file may be removed, or the socket may fail. Thread: any.
public protocol Listener: Sendable {
    /// Whether the socket is open or can be opened again; false when it has failed permanently.
    var isOpen: Bool { get }
    /// Whether clients cannot find the socket, so that `mend` must be called. At most two files are checked, which is fast enough for an
    /// event loop.
    var isLost: Bool { get }
    /// A problem of an open socket, in words; nil when there is none.
    var issue: String? { get }
    /// Opens the socket again if clients cannot find it; connected clients stay. Returns whether it was opened. Throws `ControlSocketError`
    /// when it cannot be opened; it may be tried again later.
    func mend() async throws -> Bool
    /// Stops accepting connections.
    func close() async
}

extension Listener {
    public var isOpen: Bool { true }
    public var isLost: Bool { false }
    public var issue: String? { nil }
    public func mend() async throws -> Bool { false }
}

/// The users who may connect to the control socket, and what they may do. The kernel says who a user is. The daemon's own user and root may
/// do everything.
public struct PeerAccess: Sendable {
    /// The group of the socket's file, whose members may connect; nil lets only the file's owner connect.
    public var group: gid_t?
    /// The users who may control the engine; nil for everybody who can connect.
    public var users: Set<uid_t>?
    /// The users who may only watch, whether or not they are among `users`.
    public var watchers: Set<uid_t>

    public init(group: gid_t? = nil, users: Set<uid_t>? = nil, watchers: Set<uid_t> = []) {
        self.group = group
        self.users = users
        self.watchers = watchers
    }

    /// Returns the way in of `user`; nil for a user who may not connect.
    func wayIn(of user: uid_t) -> WayIn? {
        if user == 0 || user == geteuid() { return .user }
        if watchers.contains(user) { return .watcher }
        return users?.contains(user) != false ? .user : nil
    }

    /// Asks the kernel for the user at the other end of a Unix socket (SO_PEERCRED, socket(7)).
    static func user(of channel: any Channel) -> EventLoopFuture<uid_t> {
        guard let options = channel as? any SocketOptionProvider else {
            preconditionFailure("every socket's channel can be asked for the socket's options")
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(level: .socket, name: .init(rawValue: SO_PEERCRED))
        return credentials.map(\.user)
    }

    /// `struct ucred` of unix(7), which Glibc's module leaves out.
    private struct Credentials {
        var process: pid_t
        var user: uid_t
        var group: gid_t
    }
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
    /// The largest number of connections that wait to be accepted.
    private static let backlog: CInt = 512

    private struct Listener: Sendable {
        var channel: any Channel
        /// The socket's file; nil for an abstract name, which cannot be removed.
        var file: SocketFile?

        var isLost: Bool { file.map { !$0.isThere || !channel.isActive } ?? false }
    }

    /// The open socket; nil when the server was closed.
    private let listener: Mutex<Listener?>
    private let isPassed: Bool
    private let serve: @Sendable (_ descriptor: CInt) async throws -> any Channel

    private init(_ descriptor: CInt, _ file: SocketFile?, serve: @escaping @Sendable (_ descriptor: CInt) async throws -> any Channel)
        async throws {
        self.serve = serve
        isPassed = file?.isOwn == false
        listener = Mutex(Listener(channel: try await serve(descriptor), file: file))
    }

    /// Listens on `path`, on one event loop. A socket file on which nobody listens any more is replaced. With `makesDirectory`, a missing
    /// directory is made, now or when the socket is opened again, with mode 0700. Throws `ControlSocketError`.
    public static func listen(on path: String, makesDirectory: Bool = false, access: PeerAccess = PeerAccess(), limits: Limits,
                              loop: any EventLoop, service: any ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        let making = SocketFile.Making(mode: access.group == nil ? 0o600 : 0o660, group: access.group, makesDirectory: makesDirectory)
        let (descriptor, file) = try SocketFile.bind(path, type: SOCK_STREAM, making)
        let clients = if let clients { clients } else { try await ClientList.open(limit: limits.clients, on: loop) }
        return try await ControlServer(descriptor, file) { try await serve($0, access, limits, loop, service, clients) }
    }

    /// Serves a listening Unix stream socket that another process, such as a service manager, has made and bound to `path`. That process
    /// decides who may reach the file, so `access.group` has no effect, and the file stays when this server closes. If the file is removed,
    /// a socket of this process replaces it. Takes ownership of the descriptor. Throws what NIO throws for a bad descriptor, and
    /// `ControlSocketError` where another process was passed the same socket.
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
            // If no file descriptor is left, the handler waits a second before the next attempt.
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                }
            }
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16_384))
            .childChannelOption(.writeBufferWaterMark, value: Outbox.waterMark)
            // A client that has closed its sending side still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                PeerAccess.user(of: channel).flatMapThrowing { user in
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(service, clients, limits, as: access.wayIn(of: user),
                                                                               isLocal: true, identity: .user(user)))
                }
            }
            .withBoundSocket(descriptor).get()
        // NIO has called listen(2) with its default backlog of 128, before it reads the option for it (2.101). A second call corrects that.
        guard Glibc.listen(descriptor, backlog) == 0 else { throw IOError(errnoCode: errno, reason: "listen") }
        return channel
    }

    /// Says that the service manager's socket was replaced by one that ends with this process; nil while no socket of the manager was
    /// replaced.
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
        // Clients that were accepted by the old socket stay connected.
        try? await old.channel.close()
        return true
    }

    /// Stops accepting connections, and removes the socket file if this process made it.
    public func close() async {
        let last = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        last?.file?.remove()
        try? await last?.channel.close()
    }
}
