import Files
import Glibc
import Journal
import Signals
import SystemPackage
import Units

/// Writes the journal of one session to the disk. Owns the open file, and closes it in the end.
public struct JournalWriter: ~Copyable {
    /// What is found under the journal's name: this file, no file, or another one.
    public enum NamedFile: Sendable {
        case itself
        /// The file was removed, or another file system was mounted over it.
        case nothing
        case another
    }

    public let path: FilePath
    /// The number of the journal among those that started in the same second, from 1. From 2 on, the number is part of the name.
    public let number: Int
    private let name: JournalName
    private let file: FileDescriptor
    /// Signs the checkpoints and the end; nil for a journal that is not signed.
    private let key: JournalKey?
    /// The digest of all lines so far; nil where there is no key.
    private let digest: RunningDigest?
    /// Whether lines follow the last signature.
    public private(set) var isUnsigned: Bool
    private var sum = JournalSum()
    /// The size of the file as this writer left it, in bytes; `modified` is the time of its last change.
    private var size: Int64 = 0
    private var modified = timespec()
    /// Whether the file has a part of a line after `size`, which must be cut off before the next line is appended.
    private var isTorn = false

    /// The mode of the directory. Journals contain names and money, so only their owner and its group may read them.
    private static let directoryMode: mode_t = 0o750

    /// Makes a new file in the directory, and the directory if it is missing. The file's name contains the time at which the session
    /// started, and `number` or the next free number. `header` becomes the first line. `key` signs the journal; the header must then name
    /// it. Throws `Errno`.
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

    /// Returns the first name from `first` on that no file has, and whose variant for a file that is set aside no file has either.
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

    /// Passes one line to the kernel. From then on the line survives the end of this process. A line that could be written only in part is
    /// removed at once or, if the disk refuses that, before the next line. Throws `Errno`.
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

    /// Returns the entry's line, with a signature if it is an entry to be signed. If OpenSSL fails to sign, the line has no signature.
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

    /// The size of the file so far, in bytes.
    public var bytes: Int64 { size }

    private var information: stat? {
        var info = stat()
        return fstat(file.rawValue, &info) == 0 ? info : nil
    }

    /// Whether no other program has changed the file. Compares its size and the time of its last change, and its content where that time
    /// differs. A change that keeps the size goes unnoticed within one tick of the file system's clock, which is some milliseconds.
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

    /// What is found under the journal's name.
    public var namedFile: NamedFile {
        guard let open = information else { return .nothing }
        // What the disk cannot say is no reason to begin another.
        guard let named = path.information else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .itself }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev ? .itself : .another
    }

    /// Renames the file that is found under the journal's name to `…Z.disturbed.jsonl`, and returns it. Throws `Errno`.
    public func setAside() throws -> FilePath {
        let aside = path.removingLastComponent().appending(name.disturbed.text)
        let isRenamed = path.withPlatformString { path in aside.withPlatformString { rename(path, $0) } } == 0
        guard isRenamed else { throw Errno(rawValue: errno) }
        return aside
    }

    /// Removes the file that is found under the journal's name.
    public func remove() { path.withPlatformString { _ = unlink($0) } }

    /// Syncs the file to the disk, so that it survives a power cut. Waits as long as the disk takes. Throws `Errno`.
    public borrowing func sync() throws {
        guard fdatasync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    deinit { try? file.close() }
}

extension JournalEntry {
    /// Whether a signed journal has a signature in the line of this entry.
    fileprivate var isToBeSigned: Bool {
        switch self {
        case .checkpoint, .end: true
        case .header, .event, .discontinuity: false
        }
    }
}
