import Files
import Glibc
import GRDB
import SystemPackage

/// A database that is open, and which files it has open. SQLite goes on in files that were removed or renamed, and says that what it
/// writes there is on the disk; nobody finds it there again. Thread: the store's.
struct OpenDatabase {
    /// What the names of its files end in.
    private static let suffixes = ["", "-wal", "-shm"]

    let queue: DatabaseQueue
    private let path: FilePath
    /// By suffix.
    private let files: [String: FileIdentity]

    /// `queue` has the database at `path` open, in WAL mode, and has used it.
    init(_ queue: DatabaseQueue, at path: FilePath) {
        self.queue = queue
        self.path = path
        files = Self.files(at: path)
    }

    private static func files(at path: FilePath) -> [String: FileIdentity] {
        Dictionary(uniqueKeysWithValues: suffixes.compactMap { suffix in FileIdentity("\(path)\(suffix)").map { (suffix, $0) } })
    }

    /// Of the database alone.
    var identity: FileIdentity? { files[""] }

    /// What has happened to its files, in words; nil while they are where they were.
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

    /// Writes all that it has to a new file beside it, puts that in its place, and closes it. What somebody else has put there is renamed
    /// first: returns the name of it, nil where there was nothing. On an error it is still open, and has everything that it had.
    func putBack(aside: () -> FilePath) throws -> FilePath? {
        let new = "\(path)-new"
        guard unlink(new) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
        let file = try FileDescriptor.open(FilePath(new), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                                           permissions: [.ownerReadWrite])
        // Closed only when SQLite has let go of the file again: closing gives up the locks of the whole process.
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
        // A WAL beside the new file would be taken for that one's.
        for suffix in Self.suffixes.dropFirst() { _ = unlink("\(path)\(suffix)") }
        guard rename(new, path.string) == 0 else { throw Errno(rawValue: errno) }
        // Only now: a database that is closed cannot be written anew. It removes its WAL by name, which nothing has.
        try? queue.close()
        fsync(directory.rawValue)
        return aside
    }
}
