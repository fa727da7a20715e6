import Glibc
import Journal
import Signals
import SystemPackage
import Units

/// One session's journal on disk, being written. Owns the open file; closing is giving it up.
public struct JournalWriter: ~Copyable {
    public let path: FilePath
    private let file: FileDescriptor

    /// Creates the directory where it is missing, and in it a new file named after the time the session started;
    /// `header` is its first line. Throws `Errno`.
    public init(directory: FilePath, header: JournalHeader) throws {
        try Self.createDirectories(directory)
        let (file, path) = try Self.create(in: directory, stem: String(header.started.map { $0 == ":" ? "-" : $0 }))
        do {
            try file.writeAll(JournalLine.encode(.header(header)))
        } catch {
            try? file.close()
            unlink(path.string)
            throw error
        }
        self.file = file
        self.path = path
    }

    /// Makes the directory if it is missing. Throws `Errno` if it cannot be written to.
    public static func prepare(_ directory: FilePath) throws {
        try createDirectories(directory)
        guard access(directory.string, W_OK | X_OK) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func create(in directory: FilePath, stem: String) throws -> (FileDescriptor, FilePath) {
        var attempt = 1
        while true {
            let path = directory.appending(attempt == 1 ? "\(stem).jsonl" : "\(stem)-\(attempt).jsonl")
            do {
                return (try FileDescriptor.open(path, .writeOnly, options: [.create, .exclusiveCreate, .append],
                                                permissions: [.ownerReadWrite, .groupRead, .otherRead]), path)
            } catch Errno.fileExists where attempt < 1000 {
                attempt += 1
            }
        }
    }

    /// Hands one line to the kernel: from then on it survives the end of this process. Throws `Errno`; a line that could
    /// only be written in part is taken back.
    public borrowing func append(_ entry: JournalEntry) throws {
        let before = try file.seek(offset: 0, from: .end)
        do {
            try file.writeAll(JournalLine.encode(entry))
        } catch {
            _ = ftruncate(file.rawValue, off_t(before))
            throw error
        }
    }

    /// Has the disk keep what was written, so that it survives a pulled plug. Blocks as long as the disk takes.
    public borrowing func sync() throws {
        guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    deinit { try? file.close() }

    private static func createDirectories(_ directory: FilePath) throws {
        var path = FilePath(root: directory.root, [])
        for component in directory.components {
            path.append(component)
            guard mkdir(path.string, 0o755) != 0, errno != EEXIST else { continue }
            throw Errno(rawValue: errno)
        }
    }
}
