import Files
import Glibc
import Journal
import Signals
import SystemPackage
import Units

/// One session's journal on disk, being written. Owns the open file; closing is giving it up.
public struct JournalWriter: ~Copyable {
    /// What is found under the file's name.
    public enum Place: Sendable {
        case itself
        /// It was removed, or another file system was mounted over it.
        case nothing
        case another
    }

    public let path: FilePath
    /// Of those that started in the same second, from 1: from 2 on it is part of the name.
    public let number: Int
    private let name: JournalName
    private let file: FileDescriptor
    /// Signs the checkpoints and the end; nil for a journal that is not signed.
    private let key: JournalKey?
    /// Of all lines so far, where there is a key.
    private let digest: RunningDigest?
    /// Whether there is something under the last signature.
    public private(set) var isUnsigned: Bool
    private var sum = JournalSum()
    /// Of the file as this writer left it.
    private var size: Int64 = 0
    private var modified = timespec()
    /// Whether something beyond `size` is part of a line, and must be cut off before anything is appended.
    private var isTorn = false

    /// Journals tell names and money: they are for their owner and its group.
    private static let directoryMode: mode_t = 0o750

    /// Creates the directory where it is missing, and in it a new file named after the time the session started, and `number` or
    /// the next one that is free; `header` is its first line. `key` signs it; then the header names that. Throws `Errno`.
    public init(directory: FilePath, header: JournalHeader, number: Int = 1, key: JournalKey? = nil) throws {
        try directory.makeDirectories(lastMode: Self.directoryMode)
        let name = try Self.freeName(in: directory, JournalName(started: header.started, number: number))
        let path = directory.appending(name.text)
        let file = try FileDescriptor.open(path, .readWrite, options: [.create, .exclusiveCreate, .append],
                                           permissions: [.ownerReadWrite, .groupRead])
        let line = sum.seal(JournalLine.encode(.header(header)))
        do {
            try file.writeAll(line)
        } catch {
            try? file.close()
            path.withPlatformString { _ = unlink($0) }
            throw error
        }
        self.key = key
        digest = key.map { _ in RunningDigest() }
        digest?.add(line)
        isUnsigned = key != nil
        self.name = name
        self.number = name.number
        self.path = path
        self.file = file
        size = Int64(line.count)
        modified = information?.st_mtim ?? modified
    }

    /// Makes the directory if it is missing. Throws `Errno` if it cannot be written to.
    public static func prepare(_ directory: FilePath) throws {
        try directory.makeDirectories(lastMode: Self.directoryMode)
        guard directory.withPlatformString({ access($0, W_OK | X_OK) }) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Neither the name itself is taken, nor that under which the file would be set aside.
    private static func freeName(in directory: FilePath, _ first: JournalName) throws -> JournalName {
        var name = first
        while isTaken(directory.appending(name.text)) || isTaken(directory.appending(name.disturbed.text)) {
            guard name.number < 100_000 else { throw Errno.fileExists }
            name.number += 1
        }
        return name
    }

    private static func isTaken(_ path: FilePath) -> Bool {
        var info = stat()
        return path.withPlatformString { lstat($0, &info) } == 0
    }

    /// Hands one line to the kernel: from then on it survives the end of this process. Throws `Errno`; a line that could
    /// only be written in part is taken back, at once or, if the disk refuses that too, before the next.
    public mutating func append(_ entry: JournalEntry) throws {
        if isTorn { try cut() }
        var sum = sum
        let line = sum.seal(signed(entry))
        do {
            try file.writeAll(line)
        } catch {
            isTorn = true
            try? cut()
            throw error
        }
        self.sum = sum
        digest?.add(line)
        isUnsigned = key != nil && !entry.isToBeSigned
        size += Int64(line.count)
        modified = information?.st_mtim ?? modified
    }

    /// The line, with a signature where it is to have one. Without that, as OpenSSL made none, it proves nothing.
    private func signed(_ entry: JournalEntry) -> [UInt8] {
        let line = JournalLine.encode(entry)
        guard let key, let digest, entry.isToBeSigned else { return line }
        return JournalSignature.add(to: line) { key.signature(of: digest.value(with: $0)) } ?? line
    }

    private mutating func cut() throws {
        guard ftruncate(file.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
        isTorn = false
        modified = information?.st_mtim ?? modified
    }

    /// Of the file so far.
    public var bytes: Int64 { size }

    private var information: stat? {
        var info = stat()
        return fstat(file.rawValue, &info) == 0 ? info : nil
    }

    /// Whether nobody else has changed the file: by its size and the time of its last change, and where that time is another, by
    /// reading all of it. A change of the same size between two ticks of the file system's clock, some milliseconds, goes unnoticed.
    public var isAsLeft: Bool {
        mutating get {
            // What the disk cannot say is no reason to begin another.
            guard let info = information else { return true }
            guard Int64(info.st_size) == size || isTorn else { return false }
            if info.st_mtim.tv_sec == modified.tv_sec, info.st_mtim.tv_nsec == modified.tv_nsec { return true }
            // A network file system may have set the time itself.
            guard isTorn || holdsWhatWasWritten else { return false }
            modified = info.st_mtim
            return true
        }
    }

    private var holdsWhatWasWritten: Bool {
        var found = JournalSum()
        var position: Int64 = 0
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while position < size {
            let count = block.withUnsafeMutableBytes { try? file.read(fromAbsoluteOffset: position, into: $0) }
            // A disk that cannot be read is another issue, which writing to it tells.
            guard let count else { return true }
            guard count > 0 else { return false }
            found.add(block[..<count])
            position += Int64(count)
        }
        return found == sum
    }

    /// What is found under the file's name.
    public var place: Place {
        guard let open = information else { return .nothing }
        // What the disk cannot say is no reason to begin another.
        guard let named = path.information else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .itself }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev ? .itself : .another
    }

    /// Gives what is found under the file's name another one, `…Z.disturbed.jsonl`, and returns it. Throws `Errno`.
    public func setAside() throws -> FilePath {
        let aside = path.removingLastComponent().appending(name.disturbed.text)
        let isRenamed = path.withPlatformString { path in aside.withPlatformString { rename(path, $0) } } == 0
        guard isRenamed else { throw Errno(rawValue: errno) }
        return aside
    }

    /// What is found under the file's name is gone then.
    public func remove() { path.withPlatformString { _ = unlink($0) } }

    /// Has the disk keep what was written, so that it survives a pulled plug. Blocks as long as the disk takes.
    public borrowing func sync() throws {
        guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    deinit { try? file.close() }
}

extension JournalEntry {
    /// Whether a journal that is signed has a signature in this line.
    fileprivate var isToBeSigned: Bool {
        switch self {
        case .checkpoint, .end: true
        case .header, .event, .discontinuity: false
        }
    }
}
