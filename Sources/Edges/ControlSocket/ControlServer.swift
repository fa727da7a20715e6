import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Wire

/// A listening socket. It can be lost while it is open: its file is removed, or the socket fails. Thread: any.
public protocol Listener: Sendable {
    /// Whether it can still listen: false when it has failed for good.
    var isOpen: Bool { get }
    /// Whether `mend` has something to do. Quick enough for an event loop: it asks the file system for two files at most.
    var isLost: Bool { get }
    /// A problem of a socket that is open, in words; nil when there is none.
    var issue: String? { get }
    /// Opens the socket again where clients cannot find it any more; connected clients stay. Returns whether that was needed. Throws
    /// `ControlSocketError` when it cannot be opened; it may be tried again then.
    func mend() async throws -> Bool
    /// Accepts nobody any more.
    func close() async
}

extension Listener {
    public var isOpen: Bool { true }
    public var isLost: Bool { false }
    public var issue: String? { nil }
    public func mend() async throws -> Bool { false }
}

/// The users who may connect to the control socket, as the kernel identifies them, and what they may do. The daemon's own user and root may
/// do everything.
public struct PeerAccess: Sendable {
    /// The group of the socket's file, whose members may connect; nil leaves it to its owner.
    public var group: gid_t?
    /// The users who may control; nil admits everybody who can connect.
    public var users: Set<uid_t>?
    /// The users who may only watch, whether or not they are among `users`.
    public var watchers: Set<uid_t>

    public init(group: gid_t? = nil, users: Set<uid_t>? = nil, watchers: Set<uid_t> = []) {
        self.group = group
        self.users = users
        self.watchers = watchers
    }

    /// The way in of `user`; nil for one who may not connect.
    func wayIn(of user: uid_t) -> WayIn? {
        if user == 0 || user == geteuid() { return .user }
        if watchers.contains(user) { return .watcher }
        return users?.contains(user) != false ? .user : nil
    }

    /// The user at the other end of a Unix socket (SO_PEERCRED, socket(7)).
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
    /// The most connections that wait to be accepted.
    private static let backlog: CInt = 512

    private struct Listener: Sendable {
        var channel: any Channel
        /// The socket's file; nil for an abstract name, which cannot be removed.
        var file: SocketFile?

        var isLost: Bool { file.map { !$0.isThere || !channel.isActive } ?? false }
    }

    /// The open socket; nil when it is closed for good.
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

    /// Serves a Unix stream socket that is listened on already, and that somebody else has made and bound to `path`: its maker says who may
    /// reach its file, and the file stays when this server closes. When the file is removed, a socket of this process takes its place.
    /// `access.group` does nothing. Takes ownership of the descriptor. Throws what NIO throws for a bad descriptor, and
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

    /// Says that a socket of the service manager has been replaced by one that ends with this process; nil otherwise.
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

    /// Accepts nobody any more and removes the socket file, if this process made it.
    public func close() async {
        let last = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        last?.file?.remove()
        try? await last?.channel.close()
    }
}
