import Files
import Glibc
import SystemPackage

/// The control socket's path when nobody says otherwise.
public enum SocketPath {
    /// The path of a daemon that is a service of the system.
    public static let system = "/run/thrum/control.sock"

    /// The path of a user's own daemon, `$XDG_RUNTIME_DIR/thrum/control.sock`; nil where XDG_RUNTIME_DIR is no absolute path.
    public static func standard(_ environment: [String: String]) -> String? {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        return runtime + "/thrum/control.sock"
    }

    /// The path that a client connects to: that of THRUM_SOCKET; else the user's own, or the system's where only that is there. Without a
    /// runtime directory it is the system's, as for `thrumd`.
    public static func sought(_ environment: [String: String], isThere: (String) -> Bool) -> String {
        if let named = environment["THRUM_SOCKET"], !named.isEmpty { return named }
        guard let own = standard(environment) else { return system }
        return !isThere(own) && isThere(system) ? system : own
    }
}

/// The file of a Unix socket that is listened on. One process at a time makes it; later it is recognized, made again, and removed.
struct SocketFile: Sendable {
    /// The mode and group of the file, and whether its directory is made where it is missing, for its owner only.
    struct Making: Sendable {
        /// The permissions: 0600, or 0660 with a group.
        var mode: mode_t = 0o600
        var group: gid_t?
        var makesDirectory = false
    }

    let path: String
    /// Whether this process made the file; false while it is the service manager's.
    let isOwn: Bool
    private let type: __socket_type
    private let making: Making
    /// The file's identity; nil where there was no file.
    private let identity: FileIdentity?
    /// The lock on the path; nil for a passed socket in a directory in which no lock can be made.
    private let lock: FileLock?

    /// Binds a socket of `type` to `path`; it does not listen yet. A socket file that nobody listens on any more is replaced. Of several
    /// processes that want the same path one gets it: the one that gets the lock, whose file is `path` and `.lock`. Throws
    /// `ControlSocketError`; then the lock's file is the only new file.
    static func bind(_ path: String, type: __socket_type, _ making: Making) throws(ControlSocketError)
        -> (descriptor: CInt, file: SocketFile) {
        guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
        return try bind(path, type, making, lock: try lock(path, making))
    }

    /// The file of a stream socket that somebody else bound to `path` and that was passed to this process; nil where the path is abstract.
    /// Throws `.inUse` when another process was passed it, too.
    static func passed(_ path: String) throws(ControlSocketError) -> SocketFile? {
        guard path.hasPrefix("/") else { return nil }
        var making = Making()
        var info = stat()
        if lstat(path, &info) == 0 { making = Making(mode: info.st_mode & 0o777, group: info.st_gid) }
        let taken: FileLock?
        do {
            taken = try lock(path, making)
        } catch .refused {
            // The directory is the manager's. It sees to it that there is one process.
            taken = nil
        }
        return SocketFile(path: path, isOwn: false, type: SOCK_STREAM, making: making, identity: FileIdentity(path), lock: taken)
    }

    /// Whether clients that connect to the path reach this socket.
    var isFound: Bool { identity != nil && FileIdentity(path) == identity }

    /// Whether clients reach this socket and no other process can take the path.
    var isThere: Bool { isFound && lock?.isValid != false }

    /// The same file with a new lock, in place of a lock whose file was removed. Throws `ControlSocketError` when another process has the
    /// lock.
    func lockedAgain() throws(ControlSocketError) -> SocketFile {
        SocketFile(path: path, isOwn: isOwn, type: type, making: making, identity: identity, lock: try Self.lock(path, making))
    }

    /// Binds the path again, with a socket of this process. Throws `ControlSocketError` when that fails, as it does while another file is
    /// there.
    func boundAgain() throws(ControlSocketError) -> (descriptor: CInt, file: SocketFile) {
        if let lock, lock.isValid { return try Self.bind(path, type, making, lock: lock) }
        return try Self.bind(path, type: type, making)
    }

    /// Removes the file, unless it is another process's.
    func remove() {
        if isOwn, let identity, FileIdentity(path) == identity { unlink(path) }
    }

    private static func lock(_ path: String, _ making: Making) throws(ControlSocketError) -> FileLock {
        if making.makesDirectory { makeDirectory(of: path) }
        let name = path + ".lock"
        let lock: FileLock?
        do throws(Errno) {
            lock = try FileLock.take(name)
        } catch {
            throw .refused(name, errno: error.rawValue)
        }
        guard let lock else { throw .inUse(path) }
        return lock
    }

    private static func bind(_ path: String, _ type: __socket_type, _ making: Making, lock: FileLock) throws(ControlSocketError)
        -> (descriptor: CInt, file: SocketFile) {
        try clear(path, type)
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .refused(path, errno: errno) }
        do throws(ControlSocketError) {
            // The file gets the socket's own mode (unix_bind in Linux's af_unix.c), so that nobody else gets in from its first moment on.
            guard fchmod(descriptor, 0o600) == 0, withAddress(of: path, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
                throw .refused(path, errno: errno)
            }
            let file = SocketFile(path: path, isOwn: true, type: type, making: making, identity: FileIdentity(path), lock: lock)
            // Nobody can connect yet, because nobody listens.
            guard give(path, to: making.group), making.mode == 0o600 || chmod(path, making.mode) == 0 else {
                let reason = errno
                file.remove()
                throw .refused(path, errno: reason)
            }
            return (descriptor, file)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Gives the file to `group`, if it does not belong to it already: a sandbox may forbid the call.
    private static func give(_ path: String, to group: gid_t?) -> Bool {
        var info = stat()
        guard let group, lstat(path, &info) != 0 || info.st_gid != group else { return true }
        return lchown(path, uid_t.max, group) == 0
    }

    private static func makeDirectory(of path: String) {
        let directory = FilePath(path).removingLastComponent().string
        // What cannot be made is told by whoever wants to put something into it.
        if !directory.isEmpty { mkdir(directory, 0o700) }
    }

    /// Removes a socket file that a dead process left. Call it with the lock held. Throws where the path is in use.
    private static func clear(_ path: String, _ type: __socket_type) throws(ControlSocketError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let probe = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .refused(path, errno: errno) }
        defer { close(probe) }
        let isThere = withAddress(of: path) { connect(probe, $0, $1) } == 0
        // One that is too busy to be connected to is there, too; and one of another kind.
        if isThere || errno == EAGAIN || errno == EPROTOTYPE { throw .inUse(path) }
        guard errno == ECONNREFUSED || errno == ENOENT else { throw .refused(path, errno: errno) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .refused(path, errno: errno) }
    }

    static func withAddress<Result>(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
