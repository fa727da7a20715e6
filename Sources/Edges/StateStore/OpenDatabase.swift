import Files
import FoundationEssentials
import GRDB
import Glibc
import SystemPackage

/// An open database, and the identities of its files. When they are removed or renamed, SQLite goes on writing to them and reports success,
/// but nobody finds the data at the path any more. Thread: the store's.
struct OpenDatabase {
    /// The suffixes of the names of the database's files.
    private static let suffixes = ["", "-wal", "-shm"]

    let queue: DatabaseQueue
    private let path: FilePath
    /// The identities of the database's files, by suffix.
    private let files: [String: FileIdentity]

    /// Takes `queue`, which has opened the database at `path` in WAL mode, and has used it.
    init(_ queue: DatabaseQueue, at path: FilePath) {
        self.queue = queue
        self.path = path
        files = Self.files(at: path)
    }

    private static func files(at path: FilePath) -> [String: FileIdentity] {
        Dictionary(uniqueKeysWithValues: suffixes.compactMap { suffix in FileIdentity("\(path)\(suffix)").map { (suffix, $0) } })
    }

    /// The identity of the database's main file.
    var identity: FileIdentity? { files[""] }

    /// What others have done to the database's files, in words; nil while the files are in their places.
    var displacement: String? {
        let now = Self.files(at: path)
        let gone = Self.suffixes.filter { files[$0] != nil && now[$0] == nil }
        let others = Self.suffixes.filter { files[$0] != nil && now[$0] != nil && now[$0] != files[$0] }
        guard !gone.isEmpty || !others.isEmpty else { return nil }
        func names(_ suffixes: [String]) -> String { suffixes.map { StateStore.fileName + $0 }.joined(separator: ", ") }
        return (gone.isEmpty ? [] : ["\(names(gone)) removed or renamed"]).joined()
            + (gone.isEmpty || others.isEmpty ? "" : "; ")
            + (others.isEmpty ? "" : "\(names(others)) replaced by another file")
    }

    /// Writes the database to a new file, renames that to the database's path, and closes the old file. A file of others at that path is
    /// renamed before, to the name that `aside` returns. Returns that name; nil where there was no such file. On an error the database
    /// stays open, with all its data.
    func putBack(aside: () -> FilePath) throws -> FilePath? {
        let new = "\(path)-new"
        guard unlink(new) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
        let file = try FileDescriptor.open(FilePath(new), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                                           permissions: [.ownerReadWrite])
        // The file is closed only after SQLite has closed it, too: closing a file releases all locks of the process on it.
        try file.closeAfter {
            try queue.vacuum(into: new)
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        let directory = try FileDescriptor.open(path.removingLastComponent(), .readOnly, options: [.directory, .closeOnExec])
        defer { try? directory.close() }
        let now = Self.files(at: path)
        let strangers = Self.suffixes.filter { now[$0] != nil && now[$0] != files[$0] }
        let aside = strangers.isEmpty ? nil : aside()
        for suffix in strangers {
            guard let aside, rename("\(path)\(suffix)", "\(aside)\(suffix)") == 0 else { throw Errno(rawValue: errno) }
        }
        // SQLite would take an old WAL beside the new file for the new file's own.
        for suffix in Self.suffixes.dropFirst() { _ = unlink("\(path)\(suffix)") }
        guard rename(new, path.string) == 0 else { throw Errno(rawValue: errno) }
        // The old file is closed only now, because a closed database could not be written anew. Closing removes the WAL by its name, which
        // is free now.
        try? queue.close()
        fsync(directory.rawValue)
        return aside
    }
}

/// A copy of the database in memory (`/dev/shm`), for a disk on which SQLite cannot make the files that it needs beside the database, even
/// for reading. It is removed with the last reference. Thread: any.
final class MemoryCopy {
    private static let parent = "/dev/shm"
    private static let prefix = "thrum-"
    private static let lockName = "lock"

    private let folder: String
    /// The lock that marks the folder as used.
    private let lock: FileLock

    var path: FilePath { FilePath(folder).appending(StateStore.fileName) }

    /// Copies the database at `path` and its WAL. Waits as long as the disk takes. Throws the error that prevents reading or copying.
    init(of path: FilePath) throws {
        // Both files are read before the folder is made, so that a disk that hangs leaves no folder behind.
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
            // Until the folder is locked, another process may remove it as a left-over copy.
            if let lock = try? FileLock.take("\(folder)/\(lockName)"), lock.isValid { return (folder, lock) }
        }
    }

    /// Removes copies of processes that were killed. Copies in use are locked.
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
