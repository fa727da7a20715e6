import Files
import Glibc
import SystemPackage

/// The file of a Unix socket that is listened on: made by one process at a time, known again, made again, removed.
struct SocketFile: Sendable {
    /// Who may connect, and whether the directory is made where it is missing, for its owner only.
    struct Making: Sendable {
        /// 0600, or 0660 with a group.
        var mode: mode_t = 0o600
        var group: gid_t?
        var makesDirectory = false
    }

    let path: String
    /// False while the file is one that the service manager has made.
    let isOwn: Bool
    private let type: __socket_type
    private let making: Making
    /// Nil where there was no file.
    private let identity: FileIdentity?
    /// Nil where a file of somebody else's is in a directory in which no lock can be made.
    private let lock: FileLock?

    /// A socket of `type` bound to `path`; nobody listens on it yet. A socket file that nobody listens on any more is replaced. Of several
    /// processes that want the same path one gets it: the one that gets the lock, which is `path` and `.lock`. Throws `ControlSocketError`;
    /// then there is no new file but that of the lock.
    static func bind(_ path: String, type: __socket_type, _ making: Making) throws(ControlSocketError)
        -> (descriptor: CInt, file: SocketFile) {
        guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
        return try bind(path, type, making, lock: try lock(path, making))
    }

    /// The file of a stream socket that somebody else has bound to `path` and that was passed to this process. Nil where the path is
    /// abstract. Throws `.inUse` when another process has been passed it, too.
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

    /// Whether whoever connects to the path gets here.
    var isFound: Bool { identity != nil && FileIdentity(path) == identity }

    /// The same, and whether nobody else can take the path.
    var isThere: Bool { isFound && lock?.isValid != false }

    /// The same file with a new lock, in place of one whose file was removed. Throws `ControlSocketError` when somebody else has it.
    func lockedAgain() throws(ControlSocketError) -> SocketFile {
        SocketFile(path: path, isOwn: isOwn, type: type, making: making, identity: identity, lock: try Self.lock(path, making))
    }

    /// The same again, with a socket of this process. Throws `ControlSocketError` when it cannot be, as long as another file is there.
    func boundAgain() throws(ControlSocketError) -> (descriptor: CInt, file: SocketFile) {
        if let lock, lock.isValid { return try Self.bind(path, type, making, lock: lock) }
        return try Self.bind(path, type: type, making)
    }

    /// Unless it is somebody else's.
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

    /// Not asked for where it is so already: a sandbox may not let this process ask.
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

    /// With the lock in hand: a socket file that nobody listens on is left from a process that is gone.
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
