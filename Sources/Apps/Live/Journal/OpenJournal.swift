import Glibc
import Journal
import JournalFile
import Logging
import Signals
import SystemPackage
import Units

/// The journal file of the running session. A call that failed may be repeated, and goes on where it stopped. Thread: the recorder's.
struct OpenJournal: ~Copyable {
    private let directory: FilePath
    private let logger: Logger
    /// Signs journals; nil where they are not signed.
    private let signing: JournalSigning?
    /// The number of the running session, counted from 1. Between two sessions it is the number of the last one.
    private(set) var session = 0
    private var header: JournalHeader?
    /// Writes the file; nil while there is none.
    private var writer: JournalWriter?
    /// The start time of the last file's session, and the file's number among files of the same second.
    private var last = (started: "", number: 0)
    /// Whether the session's end is in the file.
    private var isOver = false
    private var isDirty = false
    /// The number of syncs since the last signature.
    private var syncs = 0
    private static let syncsPerSignature = 10
    /// The counts of the session's entries. Not counted are entries that are in no file and in no `lost` line yet.
    private var account = Account()
    /// The file that was set aside and whose lines have not been copied into a new file yet.
    private var aside: FilePath?
    /// The number of entries that are in no file any more, or only in a file that other programs have changed.
    private(set) var lost: UInt64 = 0
    /// The digests of the sounds of themes that were loaded while this file was written, until a checkpoint in the file names them.
    private var unnamedSounds: [String: String] = [:]
    /// The number of files that were set aside because other programs had changed them.
    private(set) var disturbed = 0
    /// The last file that was set aside.
    private(set) var lastDisturbed: FilePath?
    /// The size in bytes of all files that are complete.
    private(set) var bytes: Int64 = 0

    /// The counts of a session's entries.
    private struct Account {
        /// The number of entries that were written to any file, or counted in a `lost` line that the backlog gave.
        var total = 0
        /// The number of entries in the present file.
        var written = 0
        /// The number of entries that the file's `lost` lines count.
        var reportedLost = 0
        /// The frame of the last line of a kind whose frames never go back, in this file. Lines of other kinds may be about an earlier
        /// frame.
        var frame = Frame.zero

        /// The number of entries that the file neither contains nor counts in a `lost` line.
        var owed: Int { total - written - reportedLost }

        /// Counts one more line of the file.
        mutating func add(_ entry: JournalEntry) {
            switch entry {
            // Headers and checkpoints are not counted: each file has its own.
            case .header, .checkpoint: break
            case .discontinuity(.lost(let entries), let next):
                reportedLost += entries
                frame = next
            case .event(_, let next, _, _), .end(_, let next):
                written += 1
                frame = next
            case .discontinuity: written += 1
            }
        }
    }

    init(directory: FilePath, signing: JournalSigning?, logger: Logger) {
        self.directory = directory
        self.signing = signing
        self.logger = logger
    }

    /// The file's path; nil while there is none.
    private(set) var path: FilePath?
    /// Whether a session is running, or its end is not safely on the disk yet.
    var isOpen: Bool { header != nil }

    /// Writes an entry. Throws `Errno`, and leaves nothing of the entry in the file then.
    mutating func write(_ item: JournalBacklog.Item) throws {
        if case .header(let header) = item.entry {
            if item.session != session {
                close()
                self.header = signing?.signed(header) ?? header
                session = item.session
            }
            return try open()
        }
        guard header != nil else { preconditionFailure("a session's header comes first") }
        if writer?.isAsLeft == false { try setAside() }
        try open()
        do {
            try append(item.entry)
        } catch {
            // A device that is gone never takes this file again, also when it is back: only a new file works.
            try leaveIfMoved()
            throw error
        }
        if case .end(let reason, _) = item.entry {
            isOver = true
            logger.info("session ended", metadata: ["reason": "\(reason.rawValue)"])
            // The entry is in the file; if syncing fails, the next entry fails as well.
            try? sync()
        }
    }

    /// Syncs the file, and checks that it is still there. Between sessions it checks that a file could be made. Throws `Errno`.
    mutating func sync() throws {
        guard isOpen else { return try JournalWriter.prepare(directory) }
        if !isOver {
            try leaveIfMoved()
            if writer?.isAsLeft == false { try setAside() }
            try open()
        }
        // A disk without room for a signature may still take the entries.
        let signing = Result { try signInTime() }
        if isDirty { try writer?.sync() }
        try signing.get()
        isDirty = false
        if isOver { close() }
    }

    /// Makes the file of the running session where it is missing.
    private mutating func open() throws {
        guard let header, writer == nil else { return }
        let number = last.started == header.started ? last.number + 1 : 1
        var created = try JournalWriter(directory: directory, header: header, number: number, key: signing?.key)
        if let aside {
            do {
                let carried = try Self.carry(aside, of: header, to: &created)
                let gone = max(0, account.written - carried.written)
                lost += UInt64(gone)
                account.written = carried.written
                account.reportedLost = carried.reportedLost
                account.frame = carried.frame
                self.aside = nil
                let kept: Logger.Metadata = ["changed": "\(aside)", "entries kept": "\(carried.written)", "entries lost": "\(gone)"]
                logger.error("others have changed the journal; it was set aside, and what is unchanged goes on anew", metadata: kept)
            } catch {
                created.remove()
                throw error
            }
        }
        last = (header.started, created.number)
        logger.info("session began", metadata: ["journal": "\(created.path)"])
        path = created.path
        writer = consume created
        isDirty = true
    }

    /// Copies the lines of the journal at `aside`, up to the first line that was changed. Throws the `Errno` of a failed write.
    private static func carry(_ aside: FilePath, of header: JournalHeader, to writer: inout JournalWriter) throws -> Account {
        var carried = Account()
        // Opening a pipe would block until somebody writes to it.
        var info = stat()
        guard aside.withPlatformString({ lstat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFREG,
              var scan = try? JournalScan(aside) else { return carried }
        guard (try? scan.next()) == .header(header), scan.integrity == .intact else { return carried }
        while let entry = try? scan.next(), scan.integrity == .intact {
            try writer.append(entry)
            carried.add(entry)
        }
        return carried
    }

    /// Appends an entry to the file. After an error nothing of the entry is in the file.
    private mutating func append(_ entry: JournalEntry) throws {
        try nameSounds()
        if account.owed > 0 {
            let missing = JournalEntry.discontinuity(.lost(entries: account.owed), at: account.frame)
            try writer?.append(missing)
            account.add(missing)
        }
        try writer?.append(entry)
        let owed = account.owed
        account.add(entry)
        // The entry is one more, or as many as it tells of: what is owed stays the same.
        account.total += owed - account.owed
        isDirty = true
        guard let signing, case .event(let event, _, _, _) = entry, case .theme(let theme) = event.kind else { return }
        unnamedSounds = signing.digests(of: theme)
        // The theme is in the file. A disk that is full now takes the names before whatever comes next.
        try? nameSounds()
    }

    private mutating func nameSounds() throws {
        guard !unnamedSounds.isEmpty else { return }
        try checkpoint(naming: unnamedSounds)
        unnamedSounds = [:]
    }

    /// Signs the unsigned lines at every tenth call: every 5 s while lines are written, and at most 25 s after the last line.
    private mutating func signInTime() throws {
        guard writer?.isUnsigned == true, !isOver else { return }
        try nameSounds()
        syncs += 1
        if syncs >= Self.syncsPerSignature { try checkpoint(naming: [:]) }
    }

    private mutating func checkpoint(naming sounds: [String: String]) throws {
        try writer?.append(.checkpoint(sounds: sounds, at: account.frame))
        isDirty = true
        syncs = 0
    }

    /// Leaves a file that is no longer found under its name, so that a new file is begun. If the name has no file now, the entries count as
    /// lost; if it has another one, that one is set aside.
    private mutating func leaveIfMoved() throws {
        switch writer?.namedFile {
        case .itself?, nil: break
        case .another?: try setAside()
        case .nothing?:
            lost += UInt64(account.written)
            account.written = 0
            account.reportedLost = 0
            account.frame = .zero
            path = nil
            writer = nil
        }
    }

    private mutating func setAside() throws {
        guard let aside = try writer?.setAside() else { return }
        self.aside = aside
        lastDisturbed = aside
        disturbed += 1
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
        syncs = 0
        unnamedSounds = [:]
        account = Account()
        aside = nil
    }
}
