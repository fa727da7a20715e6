import Glibc
import Journal
import Signals
import SystemPackage
import Units

/// One session's journal on disk, being written. Owns the open file; closing is giving it up.
public struct JournalWriter: ~Copyable {
    public let path: FilePath
    /// Of those that started in the same second, from 1: from 2 on it is part of the name.
    public let number: Int
    private let file: FileDescriptor
    /// To which the file must be cut before anything is appended: what is beyond is part of a line. Nil when nothing is.
    private var wholeBytes: Int64?

    /// Creates the directory where it is missing, and in it a new file named after the time the session started, and `number` or
    /// the next one that is free; `header` is its first line. Throws `Errno`.
    public init(directory: FilePath, header: JournalHeader, number: Int = 1) throws {
        try Self.createDirectories(directory)
        let stem = String(header.started.map { $0 == ":" ? "-" : $0 })
        let (file, path, number) = try Self.create(in: directory, stem: stem, number: number)
        do {
            try file.writeAll(JournalLine.encode(.header(header)))
        } catch {
            try? file.close()
            unlink(path.string)
            throw error
        }
        self.file = file
        self.path = path
        self.number = number
    }

    /// Makes the directory if it is missing. Throws `Errno` if it cannot be written to.
    public static func prepare(_ directory: FilePath) throws {
        try createDirectories(directory)
        guard access(directory.string, W_OK | X_OK) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func create(in directory: FilePath, stem: String, number: Int) throws -> (FileDescriptor, FilePath, Int) {
        var number = number
        while true {
            let path = directory.appending(number == 1 ? "\(stem).jsonl" : "\(stem)-\(number).jsonl")
            do {
                return (try FileDescriptor.open(path, .writeOnly, options: [.create, .exclusiveCreate, .append],
                                                permissions: [.ownerReadWrite, .groupRead, .otherRead]), path, number)
            } catch Errno.fileExists where number < 100_000 {
                number += 1
            }
        }
    }

    /// Hands one line to the kernel: from then on it survives the end of this process. Throws `Errno`; a line that could
    /// only be written in part is taken back, at once or, if the disk refuses that too, before the next.
    public mutating func append(_ entry: JournalEntry) throws {
        if let wholeBytes { try cut(to: wholeBytes) }
        let before = try file.seek(offset: 0, from: .end)
        do {
            try file.writeAll(JournalLine.encode(entry))
        } catch {
            wholeBytes = before
            try? cut(to: before)
            throw error
        }
    }

    private mutating func cut(to bytes: Int64) throws {
        guard ftruncate(file.rawValue, off_t(bytes)) == 0 else { throw Errno(rawValue: errno) }
        wholeBytes = nil
    }

    /// Of the file so far.
    public var bytes: Int64 {
        var info = stat()
        return fstat(file.rawValue, &info) == 0 ? Int64(info.st_size) : 0
    }

    /// Whether the file is still found under its name. It may have been removed, or another file system been mounted over it.
    public var isInPlace: Bool {
        var (open, named) = (stat(), stat())
        guard fstat(file.rawValue, &open) == 0 else { return false }
        // What the disk cannot say is no reason to begin another.
        guard stat(path.string, &named) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev
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
