import Glibc

/// The file of a Unix socket that is listened on: made, known again, removed.
struct SocketFile: Sendable {
    let path: String
    /// Of the file, to know it again.
    private let inode: UInt64?

    /// A socket of `type` bound to `path`, mode 0600 from its first moment on, or 0660 and the group's. A socket file nobody listens on
    /// any more is replaced. Throws `ControlSocketError`; then there is no new file.
    static func bind(_ path: String, type: __socket_type, group: gid_t? = nil) throws(ControlSocketError)
        -> (descriptor: CInt, file: SocketFile) {
        guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
        try clear(path, type)
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .refused(path, errno: errno) }
        let mask = umask(group == nil ? 0o177 : 0o117)
        let status = withAddress(of: path) { Glibc.bind(descriptor, $0, $1) }
        let reason = errno
        umask(mask)
        guard status == 0 else {
            Glibc.close(descriptor)
            throw .refused(path, errno: reason)
        }
        let file = SocketFile(path: path, inode: inode(path))
        // Nobody can connect yet, because nobody listens.
        if let group, lchown(path, uid_t.max, group) != 0 {
            let reason = errno
            file.remove()
            Glibc.close(descriptor)
            throw .refused(path, errno: reason)
        }
        return (descriptor, file)
    }

    /// Unless somebody has put a file of his own there.
    func remove() {
        if let inode, Self.inode(path) == inode { unlink(path) }
    }

    private static func inode(_ path: String) -> UInt64? {
        var info = stat()
        return lstat(path, &info) == 0 ? UInt64(info.st_ino) : nil
    }

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
