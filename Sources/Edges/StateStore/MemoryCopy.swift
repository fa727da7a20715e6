import Files
import FoundationEssentials
import Glibc
import SystemPackage

/// A copy of the database in memory (`/dev/shm`), for a disk on which SQLite cannot make the files that it needs beside the database even
/// for reading; removed with the last reference to it. Thread: any.
final class MemoryCopy {
    private static let parent = "/dev/shm"
    private static let prefix = "thrum-"
    private static let lockName = "lock"

    private let folder: String
    /// As long as it is held the folder is not left over.
    private let lock: FileLock

    var path: FilePath { FilePath(folder).appending(StateStore.fileName) }

    /// Of the database at `path` and its WAL. Waits for the disk as long as it takes; throws what keeps them from being read or copied.
    init(of path: FilePath) throws {
        // All is read first, so that a disk that hangs leaves no folder behind.
        let database = try Self.bytes(of: path)
        let wal = FileIdentity("\(path)-wal") == nil ? nil : try Self.bytes(of: FilePath("\(path)-wal"))
        (folder, lock) = try Self.makeFolder()
        try database.write(to: URL(filePath: self.path.string))
        try wal?.write(to: URL(filePath: "\(self.path)-wal"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func bytes(of path: FilePath) throws -> Data {
        let file = try PlainFile.open(path)
        return try file.closeAfter {
            var bytes = Data()
            var piece = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                guard count > 0 else { return bytes }
                bytes.append(contentsOf: piece[..<count])
            }
        }
    }

    private static func makeFolder() throws -> (String, FileLock) {
        while true {
            var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
            let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            // Another process may take the folder for one that was left over, until it is locked.
            if let lock = try? FileLock.take("\(folder)/\(lockName)"), lock.isValid { return (folder, lock) }
        }
    }

    /// Removes copies that a process has left behind because it was killed. Those in use are locked.
    static func removeLeftOver() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = "\(parent)/\(name)"
            var info = stat()
            guard lstat(folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid() else { continue }
            guard let lock = try? FileLock.take("\(folder)/\(lockName)") else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: folder) }
        }
    }
}
