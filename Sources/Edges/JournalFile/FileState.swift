import Glibc
import SystemPackage

/// By what a file on disk is known: which one it is, how long it is, and when it was last changed.
public struct FileState: Equatable, Sendable {
    struct Inode: Equatable, Sendable {
        var device: UInt64
        var number: UInt64
    }

    let inode: Inode
    public let bytes: Int64
    /// Since 1970-01-01.
    private let modified: (Int, Int)

    /// Throws `Errno`.
    init(of file: FileDescriptor) throws {
        var info = stat()
        guard fstat(file.rawValue, &info) == 0 else { throw Errno(rawValue: errno) }
        inode = Inode(device: UInt64(info.st_dev), number: UInt64(info.st_ino))
        bytes = Int64(info.st_size)
        modified = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }

    public static func == (a: FileState, b: FileState) -> Bool {
        a.inode == b.inode && a.bytes == b.bytes && a.modified == b.modified
    }
}
