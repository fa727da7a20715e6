import Fields
import Glibc
import SystemPackage

/// Reads the files that people write. Only regular files, and symbolic links to them, are read: a FIFO has whoever opens it wait for a
/// writer. Nothing is waited for longer than `BlockingWork.limit`. Thread: any.
public enum PlainFile {
    /// All that is in it. Throws `Errno` where it cannot be read, and `Fault` where it is no regular file, has more than `most` bytes, or
    /// does not answer.
    public static func bytes(of path: FilePath, atMost most: Int) throws -> [UInt8] {
        try BlockingWork.wait {
            let file = try open(path)
            return try file.closeAfter {
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 65_536)
                while bytes.count <= most {
                    let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                    guard count > 0 else { return bytes }
                    bytes += piece[..<count]
                }
                throw Fault(field: "", expected: "at most " + (most % 1_048_576 == 0 ? "\(most / 1_048_576) MiB" : "\(most) bytes"))
            }
        }
    }

    /// Whether it is there and may be read; no where that is not known in time.
    public static func isReadable(_ path: String) -> Bool { (try? BlockingWork.wait { access(path, R_OK) == 0 }) ?? false }

    /// Whether it is a folder; no where that is not known in time.
    public static func isFolder(_ path: String) -> Bool {
        let isFolder = try? BlockingWork.wait {
            var info = stat()
            return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
        return isFolder ?? false
    }

    /// Whether it is known that there is nothing at `path`; no where the file system does not say so in time, or does not let it be seen.
    public static func isMissing(_ path: String) -> Bool {
        (try? BlockingWork.wait { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }) ?? false
    }

    /// To read from. Waits as long as the file system does, so it is for `BlockingWork`. Throws as `bytes` does.
    public static func open(_ path: FilePath) throws -> FileDescriptor {
        var info = stat()
        // Not even opened: that alone can wait, and devices act on it.
        guard path.withPlatformString({ stat($0, &info) }) == 0 else { throw Errno(rawValue: errno) }
        try check(info)
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        do {
            // Another file may have come in its place since.
            guard fstat(file.rawValue, &info) == 0 else { throw Errno(rawValue: errno) }
            try check(info)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    private static func check(_ info: stat) throws {
        let kind: String
        switch info.st_mode & S_IFMT {
        case S_IFREG: return
        // It is as good as an empty file.
        case S_IFCHR where info.st_rdev == nullDevice: return
        case S_IFIFO: kind = "a FIFO"
        case S_IFDIR: kind = "a directory"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw Fault(field: "", expected: "a regular file", found: kind)
    }

    /// `/dev/null`: major 1, minor 3 (null(4)).
    private static let nullDevice: dev_t = 1 << 8 | 3
}
