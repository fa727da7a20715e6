import Files
import Glibc
import SystemPackage

/// The file of a listening Unix socket. A lock lets one process at a time make it. Later the file can be recognized, made again, and
/// removed.
struct SocketFile: Sendable {
    /// How the file is made: its mode and group, and whether a missing directory is made for its owner only.
    struct Making: Sendable {
        /// The permissions: 0600, or 0660 with a group.
        var mode: mode_t = 0o600
        var group: gid_t?
        var makesDirectory = false
    }

    let path: String
    /// Whether this process made the file; false for a file of the service manager.
    let isOwn: Bool
    private let type: __socket_type
    private let making: Making
    /// The file's identity; nil where there was no file.
    private let identity: FileIdentity?
    /// The lock on the path; nil for a passed socket whose directory allows no lock file.
    private let lock: FileLock?

    /// Binds a socket of `type` to `path`, without listening. A socket file on which nobody listens any more is replaced. Of several
    /// processes that want the same path, the one that gets the lock on the file `path` + `.lock` gets it. Throws `ControlSocketError`; the
    /// lock file is then the only new file.
    static func bind(_ path: String, type: __socket_type, _ making: Making) throws(ControlSocketError)
        -> (descriptor: CInt, file: SocketFile) {
        guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
        return try bind(path, type, making, lock: try lock(path, making))
    }

    /// Describes the file of a stream socket that another process bound to `path` and passed to this one; nil for an abstract path. Throws
    /// `.inUse` when the socket was passed to a further process, too.
    static func passed(_ path: String) throws(ControlSocketError) -> SocketFile? {
        guard path.hasPrefix("/") else { return nil }
        var making = Making()
        var info = stat()
        if lstat(path, &info) == 0 { making = Making(mode: info.st_mode & 0o777, group: info.st_gid) }
        let taken: FileLock?
        do {
            taken = try lock(path, making)
        } catch .refused {
            // No lock file can be made in the service manager's directory. The manager itself starts only one process.
            taken = nil
        }
        return SocketFile(path: path, isOwn: false, type: SOCK_STREAM, making: making, identity: FileIdentity(path), lock: taken)
    }

    /// Whether clients that connect to the path reach this socket.
    var isFound: Bool { identity != nil && FileIdentity(path) == identity }

    /// Whether clients reach this socket, and no other process can take the path.
    var isThere: Bool { isFound && lock?.isValid != false }

    /// Returns this file with a new lock, in place of one whose lock file was removed. Throws `ControlSocketError` when another process has
    /// the lock.
    func lockedAgain() throws(ControlSocketError) -> SocketFile {
        SocketFile(path: path, isOwn: isOwn, type: type, making: making, identity: identity, lock: try Self.lock(path, making))
    }

    /// Binds a new socket of this process to the path. Throws `ControlSocketError` when that fails, for instance while another file is
    /// there.
    func boundAgain() throws(ControlSocketError) -> (descriptor: CInt, file: SocketFile) {
        if let lock, lock.isValid { return try Self.bind(path, type, making, lock: lock) }
        return try Self.bind(path, type: type, making)
    }

    /// Removes the file, if it still is the one that this process made.
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
            // The file gets the mode of the socket (unix_bind in Linux's af_unix.c), so that from the first moment nobody else can connect.
            guard fchmod(descriptor, 0o600) == 0, withAddress(of: path, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
                throw .refused(path, errno: errno)
            }
            let file = SocketFile(path: path, isOwn: true, type: type, making: making, identity: FileIdentity(path), lock: lock)
            // Until listen(2) is called, nobody can connect.
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

    /// Gives the file to `group`. If the file has that group already, the call is left out, because a sandbox may forbid it.
    private static func give(_ path: String, to group: gid_t?) -> Bool {
        var info = stat()
        guard let group, lstat(path, &info) != 0 || info.st_gid != group else { return true }
        return lchown(path, uid_t.max, group) == 0
    }

    private static func makeDirectory(of path: String) {
        let directory = FilePath(path).removingLastComponent().string
        // If the directory cannot be made, making the file in it will fail and report why.
        if !directory.isEmpty { mkdir(directory, 0o700) }
    }

    /// Removes a socket file that a dead process left. The caller must hold the lock. Throws where the path is in use.
    private static func clear(_ path: String, _ type: __socket_type) throws(ControlSocketError) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let probe = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .refused(path, errno: errno) }
        defer { close(probe) }
        let isThere = withAddress(of: path) { connect(probe, $0, $1) } == 0
        // A socket that is too busy to accept, or of another type, is in use, too.
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
