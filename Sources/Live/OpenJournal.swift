import Journal
import JournalFile
import Logging
import SystemPackage

/// The journal of the session under way, on disk. Whatever fails may be called again, and goes on where it was. Thread: the recorder's.
struct OpenJournal: ~Copyable {
    private let directory: FilePath
    private let logger: Logger
    /// Of the session under way, counted from 1; of the last one between two.
    private(set) var session = 0
    private var header: JournalHeader?
    /// Nil while there is no file.
    private var writer: JournalWriter?
    /// When the last file's session started, and the file's number of those of that second.
    private var last = (started: "", number: 0)
    /// Whether its end is in the file.
    private var isOver = false
    private var isDirty = false
    /// Entries in the file after the header.
    private var written = 0
    /// Entries that went with a file that was removed, and whether the one after it says so.
    private var missing = 0
    private var hasTold = true
    /// Entries that are in no file any more.
    private(set) var lost: UInt64 = 0
    /// Of all files that were written to their end.
    private(set) var bytes: Int64 = 0

    init(directory: FilePath, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    /// Of the file; nil while there is none.
    private(set) var path: FilePath?
    /// Whether a session is under way, or its end is not safe on disk yet.
    var isOpen: Bool { header != nil }

    /// Throws `Errno`; then nothing of the entry is in the file.
    mutating func write(_ item: JournalBacklog.Item) throws {
        if case .header(let header) = item.entry {
            if item.session != session {
                close()
                self.header = header
                session = item.session
            }
            return try open()
        }
        guard header != nil else { preconditionFailure("a session's header comes first") }
        try open()
        do {
            try append(item.entry)
        } catch {
            // A device that is gone takes nothing any more, also when it is back: only a new file does.
            forgetIfGone()
            throw error
        }
        if case .end(let reason, _) = item.entry {
            isOver = true
            logger.info("session ended", metadata: ["reason": "\(reason.rawValue)"])
            // The entry is in the file; what the disk says to this it says again at the next.
            try? sync()
        }
    }

    /// Has the disk keep what was written, and sees to it that the file is still there, or between sessions that one could be. Throws
    /// `Errno`.
    mutating func sync() throws {
        guard isOpen else { return try JournalWriter.prepare(directory) }
        if !isOver {
            forgetIfGone()
            try open()
        }
        if isDirty { try writer?.sync() }
        isDirty = false
        if isOver { close() }
    }

    /// Makes the file of the session under way where it is missing.
    private mutating func open() throws {
        guard let header, writer == nil else { return }
        let number = last.started == header.started ? last.number + 1 : 1
        let created = try JournalWriter(directory: directory, header: header, number: number)
        last = (header.started, created.number)
        logger.info("session began", metadata: ["journal": "\(created.path)"])
        path = created.path
        writer = consume created
        isDirty = true
    }

    private mutating func append(_ entry: JournalEntry) throws {
        if !hasTold {
            try writer?.append(.lapse(.lost(entries: missing), at: .zero))
            hasTold = true
        }
        try writer?.append(entry)
        written += 1
        isDirty = true
    }

    private mutating func forgetIfGone() {
        guard let isInPlace = writer?.isInPlace, !isInPlace else { return }
        lost += UInt64(written)
        missing += written
        hasTold = missing == 0
        written = 0
        path = nil
        writer = nil
    }

    private mutating func close() {
        bytes += writer?.bytes ?? 0
        path = nil
        writer = nil
        header = nil
        isOver = false
        isDirty = false
        written = 0
        missing = 0
        hasTold = true
    }
}
