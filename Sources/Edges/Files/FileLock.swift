import Glibc
import SystemPackage

/// A lock that one process at a time can have. The kernel lets go of it when the process ends, however it does.
///
/// It is on a file that is made where it is missing, and is never removed: whoever removes a locked file lets two others lock two files
/// of its name. Thread: any.
public final class FileLock: Sendable {
    private let path: String
    private let descriptor: CInt
    private let identity: FileIdentity

    private init(_ path: String, _ descriptor: CInt, _ identity: FileIdentity) {
        self.path = path
        self.descriptor = descriptor
        self.identity = identity
    }

    deinit {
        // A child that is just being started may have the descriptor, too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the lock; nil when another process has it. The file's mode is 0600, so that nobody but its owner and root can hold it up.
    /// Throws `Errno`.
    public static func take(_ path: String) throws(Errno) -> FileLock? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw Errno(rawValue: errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                close(descriptor)
                if reason == EWOULDBLOCK { return nil }
                throw Errno(rawValue: reason)
            }
            // Between opening and locking it may have been removed.
            if let identity = FileIdentity(of: descriptor), identity == FileIdentity(path) {
                // For people, and `holder`; a disk that is full does not matter.
                let process = Array("\(getpid())\n".utf8)
                if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, process, process.count, 0) }
                return FileLock(path, descriptor, identity)
            }
            close(descriptor)
        }
    }

    /// The process that took the lock at `path` last, by its own number; nil where that is not known.
    public static func holder(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return Int32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self))
    }

    /// Whether the lock still counts: not when its file is gone, or another is in its place, which others can lock.
    public var isValid: Bool { FileIdentity(path) == identity }
}

/// The identity of a file, whatever its name.
public struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Identifies the file at `path`; a symbolic link is a file of its own. Nil where there is none.
    public init?(_ path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    init?(of descriptor: CInt) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    private init(_ info: stat) {
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
    }
}
