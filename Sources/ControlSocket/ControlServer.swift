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
    private let path: String
    /// Of the socket file, to know it again.
    private let inode: UInt64?

    private init(_ channel: any Channel, path: String) {
        self.channel = channel
        self.path = path
        inode = Self.inode(path)
    }

    /// Listens on `path`, on one event loop. A socket file nobody listens on any more is replaced. Throws
    /// `ControlSocketError`.
    public static func listen(on path: String, access: PeerAccess = PeerAccess(), limits: Limits = Limits(), loop: any EventLoop,
                              service: some ControlService, clients: ClientList? = nil) async throws -> ControlServer {
        let clients = clients ?? ClientList(limit: limits.clients)
        try await clear(path, loop: loop)
        let descriptor = try bind(path)
        if let group = access.group {
            guard chown(path, uid_t.max, group) == 0, chmod(path, 0o660) == 0 else {
                defer {
                    unlink(path)
                    Glibc.close(descriptor)
                }
                throw ControlSocketError.refused(path, errno: errno)
            }
        }
        let channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 512)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            // A client that has said all it has to say still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                PeerAccess.user(of: channel).flatMapThrowing { user in
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(service, clients, limits, as: access.role(of: user)))
                }
            }
            .withBoundSocket(descriptor).get()
        return ControlServer(channel, path: path)
    }

    /// A socket bound to `path`, mode 0600 from its first moment on.
    private static func bind(_ path: String) throws(ControlSocketError) -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .refused(path, errno: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let mask = umask(0o177)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let reason = errno
        umask(mask)
        guard status == 0 else {
            Glibc.close(descriptor)
            throw .refused(path, errno: reason)
        }
        return descriptor
    }

    /// Accepts nobody any more and removes the socket file.
    public func close() async {
        // Somebody may have put a socket of his own there.
        if let inode, Self.inode(path) == inode { unlink(path) }
        try? await channel.close()
    }

    private static func inode(_ path: String) -> UInt64? {
        var info = stat()
        return lstat(path, &info) == 0 ? UInt64(info.st_ino) : nil
    }

    private static func clear(_ path: String, loop: any EventLoop) async throws {
        guard path.utf8.count <= 107 else { throw ControlSocketError.pathTooLong(path) }
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw ControlSocketError.notASocket(path) }
        do {
            let probe = try await ClientBootstrap(group: loop).connect(unixDomainSocketPath: path).get()
            try? await probe.close()
            throw ControlSocketError.inUse(path)
        } catch let error as IOError where error.errnoCode == ECONNREFUSED || error.errnoCode == ENOENT {
            // Nobody listens there any more.
        } catch let error as IOError {
            // Perhaps somebody does, and is busy.
            throw ControlSocketError.refused(path, errno: error.errnoCode)
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw ControlSocketError.refused(path, errno: errno) }
    }
}
