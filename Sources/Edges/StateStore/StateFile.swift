import Files
import FoundationEssentials
import GRDB
import Glibc
import SystemPackage
import Units
import Venue
import Wire

/// The database on the disk: opens and checks it, sets it aside if it is damaged, and writes to it. All calls wait as long as the disk
/// takes. Thread: the store's.
struct StateFile {
    /// The largest number of damaged databases that are set aside. Without this limit, a disk that damages every new database would be
    /// filled with them.
    private static let mostDamage = 8

    let path: FilePath
    private var database: OpenDatabase?
    /// The identity of the database file that was open last; nil if none was.
    private var identity: FileIdentity?
    private var lock: FileLock?
    /// Another process that uses the same state directory, in words; nil where there is none.
    private(set) var owner: String?
    /// What others have done to files while these were open, and how the store has reacted, in words.
    private(set) var displacements: [String] = []
    /// The commits that the database lacks although they were reported as stored, in words; nil where it lacks none.
    private(set) var loss: String?
    /// The damage that was found since the start, in the order of finding.
    var damage: [Damage] = []
    /// Whether another database has taken the place of the one that was open before.
    var isReplaced = false
    /// A database that was set aside, and whose claims were not copied into the new one yet; nil where there is no such database.
    private var claimsAside: FilePath?

    init(in directory: FilePath) { path = directory.appending(StateStore.fileName) }

    private var directory: FilePath { path.removingLastComponent() }

    /// The content of the database that is needed at a start.
    struct Content {
        var hearingDay: HearingDay?
        var preset: ChosenPreset?
        var volume: ChosenVolume?
        var memories: [MemoryKey: String] = [:]
        var secrets: [MemoryKey: String] = [:]
        var tokens: [KeptToken] = []
        var documents: [KeptDocument] = []
        var cursors: [String: String] = [:]
    }

    /// Reads the content. Throws the error that prevents it.
    mutating func content() throws -> Content { try attempt { try $0.read(Self.content) } }

    /// Reads the content from a copy in memory, for a disk on which SQLite cannot make the files that it needs beside the database, even
    /// for reading.
    func contentOfCopy() throws -> Content {
        try withExtendedLifetime(MemoryCopy(of: path)) { copy in
            let database = try Self.open(copy.path.string)
            defer { try? database.close() }
            return try database.read(Self.content)
        }
    }

    private static func content(of db: Database) throws -> Content {
        var content = Content()
        if let row = try Row.fetchOne(db, sql: "SELECT number, dose FROM hearing_day") {
            content.hearingDay = HearingDay(number: row["number"], dose: row["dose"])
        }
        if let row = try Row.fetchOne(db, sql: "SELECT preset, since FROM choice") {
            content.preset = ChosenPreset(name: row["preset"], since: row["since"])
        }
        if let row = try Row.fetchOne(db, sql: "SELECT level, who, since FROM volume") {
            content.volume = ChosenVolume(level: Decibels(row["level"]), by: row["who"], since: row["since"])
        }
        let rows = try Row.fetchCursor(db, sql: "SELECT piece, household, body FROM memory")
        while let row = try rows.next() {
            content.memories[MemoryKey(piece: row["piece"], household: row["household"])] = row["body"]
        }
        content.tokens = try Row.fetchAll(db, sql: "SELECT * FROM token ORDER BY name").compactMap { row in
            Role(rawValue: row["role"]).map { KeptToken(name: row["name"], role: $0, digest: row["digest"], created: row["created"]) }
        }
        content.documents = try KeptDocument.all(in: db)
        content.secrets = try MemoryKey.secrets(in: db)
        for row in try Row.fetchAll(db, sql: "SELECT name, position FROM cursor") { content.cursors[row["name"]] = row["position"] }
        return content
    }

    mutating func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try attempt { try $0.read(body) }
    }

    /// Writes all of `batch`, or nothing. When it is on the disk, returns the keys of those entries that the ledger already had, by the
    /// number of the commit to which they belong. Throws `Refusal` for changes that the database will never accept.
    mutating func write(_ batch: Batch) throws -> [Int: [String]] {
        let directory = directory
        let known: [Int: [String]] = try attempt { database in
            guard !batch.isEmpty else { return [:] }
            let (known, count) = try database.write { db in
                let (now, changes) = (Int(time(nil)), db.totalChangesCount)
                var known: [Int: [String]] = [:]
                for (entry, commit) in batch.entries where try Change.append(entry).isKnown(writtenTo: db, at: now) {
                    known[commit, default: []].append(entry.key)
                }
                for change in batch.newestValues { _ = try change.isKnown(writtenTo: db, at: now) }
                return (known, db.totalChangesCount > changes ? try CommitCount.count(in: db, at: now) : nil)
            }
            count?.write(to: directory)
            return known
        }
        // If somebody has removed the files meanwhile, what was just written is lost with them. This call repairs it.
        if !batch.isEmpty { try attempt { _ in } }
        return known
    }

    /// Moves the content of the WAL into the database file, unless somebody still reads an earlier state. Returns whether all of it was
    /// moved.
    func checkpoint() throws -> Bool {
        try database?.queue.writeWithoutTransaction { db in
            let frames = try db.checkpoint(.passive)
            return frames.checkpointedFrameCount == frames.walFrameCount
        } ?? true
    }

    struct Refusal: Error {
        var reason: String
    }

    /// Closes the database, which moves its WAL into the file, and releases the lock.
    mutating func end() {
        close()
        lock = nil
    }

    private mutating func close() {
        try? database?.queue.close()
        database = nil
    }

    /// Whether there may be a database file, even if it could not be opened.
    var mayBeThere: Bool {
        var info = stat()
        return lstat(path.string, &info) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    // MARK: Opening

    /// Passes the open database to `work`. If it turns out to be damaged, it is set aside, and `work` is run once more with a new database.
    private mutating func attempt<Value>(_ work: (DatabaseQueue) throws -> Value) throws -> Value {
        do {
            do {
                return try work(opened())
            } catch let error as DatabaseError where error.isDamage {
                try setAside(because: error.words)
                return try work(opened())
            }
        } catch let error as DatabaseError {
            // After a disk error the connection may be in an undefined state.
            if error.resultCode == .SQLITE_IOERR { close() }
            if [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode) { throw Refusal(reason: error.words) }
            throw NotKept(reason: "\(path): \(error.words)")
        }
    }

    private mutating func opened() throws -> DatabaseQueue {
        do {
            try directory.makeDirectories()
            try takeLock()
            if let database {
                guard let displacement = database.displacement else { return database.queue }
                try putBack(database, because: displacement)
            } else if let identity, identity != FileIdentity(path.string) {
                isReplaced = true
            }
            do {
                try prepare()
            } catch let fault as NoDatabase {
                try setAside(because: fault.reason)
                try prepare()
            }
        } catch let error as Errno {
            throw NotKept(reason: "\(path): \(error)")
        }
        let queue = try Self.open(path.string)
        if let claimsAside { try queue.write { try LedgerRow.insert(LedgerRow.claims(in: claimsAside), into: $0) } }
        let count = try queue.read { try CommitCount(in: $0) }
        // Commits that were lost with a damaged database are reported with the damage.
        if claimsAside == nil, let lost = count.loss(against: CommitCount(in: directory)) { loss = "\(path) \(lost)" }
        count.write(to: directory)
        claimsAside = nil
        let database = OpenDatabase(queue, at: path)
        self.database = database
        identity = database.identity
        return queue
    }

    /// Writes the open database to its path again, and sets aside the file that is there now.
    private mutating func putBack(_ open: OpenDatabase, because displacement: String) throws {
        let aside: FilePath?
        do {
            aside = try open.putBack { Self.nameAside(path, "replaced") }
        } catch let error as Errno {
            throw NotKept(reason: "while thrumd runs, files in \(directory) were touched (\(displacement)), and the database cannot be "
                            + "written anew: \(error)")
        }
        database = nil
        let stranger = aside.map { ". What was in its place is \($0) now: to use that, stop thrumd first" } ?? ""
        displacements.append("\(displacement) while thrumd runs: \(path) was written anew with everything that it had\(stranger)")
    }

    private struct NoDatabase: Error {
        var reason: String
    }

    /// Makes an empty file if there is none, for its owner only. If that fails, the system's reason is plainer than SQLite's.
    private func prepare() throws {
        var info = stat()
        if stat(path.string, &info) == 0, info.st_mode & S_IFMT != S_IFREG { throw NoDatabase(reason: "it is no regular file") }
        let file = try FileDescriptor.open(path, .readWrite, options: [.create, .closeOnExec, .nonBlocking], permissions: [.ownerReadWrite])
        try file.close()
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        // Somebody may be reading the database with another tool.
        configuration.busyMode = .timeout(5)
        try check(path, configuration)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try Schema.migrator.migrate(database)
        return database
    }

    /// Checks everything but the ledger, which grows; `StateCheck` checks that. Changes nothing, so that a damaged file is set aside as it
    /// is.
    private static func check(_ path: String, _ configuration: Configuration) throws {
        var configuration = configuration
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        let isOthers = try database.read { db in
            let tables = try String.fetchAll(db, sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('ledger', 'posting')
                """)
            guard tables.isEmpty || tables.contains("grdb_migrations") else {
                throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is another program's database")
            }
            for table in ["sqlite_schema"] + tables {
                let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(table.quotedDatabaseIdentifier))")
                guard findings == ["ok"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings.first) }
            }
            guard try !Schema.migrator.hasBeenSuperseded(db) else { return true }
            if let misfit = try RowSum.memoryMisfit(in: db) ?? RowSum.documentMisfit(in: db) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: misfit)
            }
            return false
        }
        guard !isOthers else { throw NotKept(reason: "\(path) was written by another version of thrumd, and is left alone") }
    }

    /// Takes the lock. Throws where another process holds it: two processes with the same books would sell everything twice.
    private mutating func takeLock() throws {
        guard lock?.isValid != true else { return }
        let path = directory.appending("lock").string
        let taken = Result { try FileLock.take(path) }
        lock = try? taken.get()
        owner = nil
        guard case .success(nil) = taken else { return }
        let process = FileLock.holder(of: path).map { " (process \($0))" } ?? ""
        owner = "another thrumd\(process) keeps its state in \(directory)"
        close()
        throw NotKept(reason: "another thrumd\(process) keeps its state in \(directory), and this one keeps nothing")
    }

    // MARK: Damage

    /// Sets the database aside, if its file is still the one that was `checked`.
    mutating func setAside(_ checked: FileIdentity, because reason: String) throws {
        guard owner == nil, FileIdentity(path.string) == checked else { return }
        try setAside(because: reason)
    }

    private mutating func setAside(because reason: String) throws {
        close()
        guard damage.count < Self.mostDamage else { throw NotKept(reason: "\(path) is damaged again and again (\(reason))") }
        let aside = Self.nameAside(path)
        let written = ["", "-wal"].compactMap { Self.changed("\(path)\($0)") }.max()
        // The database is renamed first: a WAL alone is harmless, but a database without its WAL would be taken for an older state.
        guard rename(path.string, aside.string) == 0 else {
            throw NotKept(reason: "\(path) is damaged (\(reason)), and cannot be set aside: \(Errno(rawValue: errno))")
        }
        for suffix in ["-wal", "-shm"] { _ = rename("\(path)\(suffix)", "\(aside)\(suffix)") }
        isReplaced = true
        claimsAside = aside
        damage.append(Damage(path, written: written, aside: aside, reason: reason))
    }

    /// Returns an unused name that contains the time.
    static func nameAside(_ path: FilePath, _ why: String = "damaged") -> FilePath {
        var now = time(nil)
        while true {
            let name = "\(path).\(why)-" + Date(timeIntervalSince1970: Double(now)).formatted(.iso8601)
            if FileIdentity(name) == nil { return FilePath(name) }
            now += 1
        }
    }

    /// Returns the time of a file's last change, in seconds since 1970-01-01 in UTC; nil where there is no file.
    static func changed(_ path: String) -> Int? {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_mtim.tv_sec) : nil
    }
}

extension DatabaseError {
    /// Whether the error says that the file is no database, or is damaged.
    var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
    var words: String { message ?? "\(resultCode)" }
}

/// A report about a database that could not be used.
public struct Damage: Equatable, Sendable {
    public var path: FilePath
    /// The time of the file's last change, in seconds since 1970-01-01 in UTC; nil where that is not known.
    public var written: Int?
    /// The file's new name; nil where it could not be renamed, or was left in place because it may be good.
    public var aside: FilePath?
    public var reason: String

    init(_ path: FilePath, written: Int?, aside: FilePath?, reason: String) {
        self.path = path
        self.written = written
        self.aside = aside
        self.reason = reason
    }
}
