import Glibc
import SystemPackage

/// A lock that one process at a time can hold. The kernel releases it when the process ends, even if it is killed.
///
/// The lock is on a file, which is made if it is missing, and is never removed. If a locked file were removed, two processes could lock two
/// files of the same name. Thread: any.
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
        // A child that is just being started may hold a copy of the descriptor, so closing alone might not release the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the lock; nil when another process holds it. The file has the mode 0600, so that only its owner and root can block others.
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
            // The file may have been removed between opening and locking.
            if let identity = FileIdentity(of: descriptor), identity == FileIdentity(path) {
                // The process number is for people and for `holder`. It may be missing if the disk is full.
                let process = Array("\(getpid())\n".utf8)
                if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, process, process.count, 0) }
                return FileLock(path, descriptor, identity)
            }
            close(descriptor)
        }
    }

    /// Returns the number of the process that took the lock at `path` last; nil where that is unknown.
    public static func holder(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        return Int32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self))
    }

    /// Whether this lock still keeps other processes out. It does not if its file is gone or has been replaced, because another process can
    /// then lock the new file.
    public var isValid: Bool { FileIdentity(path) == identity }
}

/// The identity of a file, independent of its name.
public struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Identifies the file at `path`; a symbolic link counts as a file itself. Nil where there is none.
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
