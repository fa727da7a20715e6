import FoundationEssentials
import GRDB
import Glibc
import SystemPackage

/// The result of changes that are on the disk.
public struct Commit: Equatable, Sendable {
    /// The keys of those entries that were in the ledger already, in the given order. They were not recorded again.
    public var known: [String]

    public init(known: [String] = []) { self.known = known }
}

/// Says that none of the changes which were committed together is on the disk. If the disk did not answer in time, they may still get
/// there.
public struct NotKept: Error, Equatable, CustomStringConvertible {
    public var reason: String

    public init(reason: String) { self.reason = reason }

    public var description: String { reason }
}

/// The changes that are written in one transaction: the newest of each value, and every ledger entry, in the given order.
struct Batch {
    /// Identifies a value. A batch has only the newest change of each value.
    private enum Slot: Hashable {
        case memory(MemoryKey), aside(MemoryKey, body: String), secret(MemoryKey)
        case choice, volume, hearingDay, cursor(String), document(piece: String, kind: String, version: Int), token(String)
    }

    /// The entries of the ledger, with the number of the commit to which each belongs.
    private(set) var entries: [(entry: LedgerRow, commit: Int)] = []
    private var values: [Slot: Change] = [:]
    /// The number of bytes in the entries' bodies.
    private(set) var bytes = 0

    init(_ changes: [Change] = [], of commit: Int = 0) {
        for change in changes { add(change, of: commit) }
    }

    var isEmpty: Bool { entries.isEmpty && values.isEmpty }

    /// The newest change of each value, in no particular order.
    var newestValues: some Sequence<Change> { values.values }

    private mutating func add(_ change: Change, of commit: Int) {
        switch change {
        case .append(let entry):
            entries.append((entry, commit))
            bytes += entry.body.utf8.count
        case .remember(let piece, let household, _): values[.memory(MemoryKey(piece: piece, household: household))] = change
        case .forget(let piece, let household): values[.memory(MemoryKey(piece: piece, household: household))] = change
        case .setAside(let piece, let household, let body, _):
            values[.aside(MemoryKey(piece: piece, household: household), body: body)] = change
        case .protect(let piece, let household, _): values[.secret(MemoryKey(piece: piece, household: household))] = change
        case .choose: values[.choice] = change
        case .turn: values[.volume] = change
        case .hear: values[.hearingDay] = change
        case .move(let cursor, _): values[.cursor(cursor)] = change
        case .keep(let kept):
            values[.document(piece: kept.piece, kind: kept.version.kind, version: kept.version.version)] = change
        case .admit(let token): values[.token(token.name)] = change
        case .revoke(let name): values[.token(name)] = change
        }
    }

    /// Adds the changes of `later`, which was committed after this batch.
    mutating func append(_ later: Batch) {
        entries += later.entries
        bytes += later.bytes
        values.merge(later.values) { _, newer in newer }
    }

    var documents: [KeptDocument] {
        values.values.compactMap { if case .keep(let document) = $0 { document } else { nil } }
    }

    mutating func leaveOutDocuments() {
        for document in documents {
            values[.document(piece: document.piece, kind: document.version.kind, version: document.version.version)] = nil
        }
    }

    /// Removes the memories, secrets and entries of these households from the batch.
    mutating func leaveOut(_ households: Set<MemoryKey>) {
        guard !households.isEmpty else { return }
        for household in households { (values[.memory(household)], values[.secret(household)]) = (nil, nil) }
        entries.removeAll { households.contains($0.entry.memoryKey) }
        bytes = entries.reduce(0) { $0 + $1.entry.body.utf8.count }
    }
}

/// The number of commits. Each commit counts itself in the database, and is then counted also in a file beside the database. If the
/// database has a lower number than the file, it has lost commits: it has lost its WAL, or is an older copy.
///
/// The file is not synced: if `thrumd` is killed, the kernel still writes the file. After a power cut the file may have a lower number than
/// the database, which proves nothing. Thread: the store's.
struct CommitCount: Equatable {
    static let fileName = "state.committed"
    private static let digits = 19

    var number: Int64 = 0
    /// The time of the last commit, in seconds since 1970-01-01 in UTC.
    var last = 0

    /// Reads the number of commits from the database.
    init(in db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT number, at FROM commits") else { return }
        (number, last) = (row["number"], row["at"])
    }

    /// Reads the number of commits from the file in `directory`; nil where there is none that can be read.
    init?(in directory: FilePath) {
        guard let text = try? String(contentsOfFile: directory.appending(Self.fileName).string, encoding: .utf8) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let number = Int64(words[0]), let last = Int(words[1]) else { return nil }
        (self.number, self.last) = (number, last)
    }

    /// Counts one more commit at `now`, in seconds since 1970-01-01 in UTC, within the transaction of `db`.
    static func count(in db: Database, at now: Int) throws -> CommitCount {
        try db.execute(sql: "UPDATE commits SET number = number + 1, at = ?", arguments: [now])
        return try CommitCount(in: db)
    }

    /// Writes the number to the file. The file always has the same length, so that this succeeds on a full disk.
    func write(to directory: FilePath) {
        func padded(_ text: String) -> String { String(repeating: "0", count: max(0, Self.digits - text.count)) + text }
        let file = try? FileDescriptor.open(directory.appending(Self.fileName), .writeOnly, options: [.create, .closeOnExec, .nonBlocking],
                                            permissions: [.ownerReadWrite])
        _ = try? file?.closeAfter { try file?.writeAll(toAbsoluteOffset: 0, "\(padded("\(number)")) \(padded("\(last)"))\n".utf8) }
    }

    /// Returns in words which commits the database lacks according to `file`; nil where it lacks none.
    func loss(against file: CommitCount?) -> String? {
        guard let file, file.number > number else { return nil }
        func time(_ instant: Int) -> String { Date(timeIntervalSince1970: Double(instant)).formatted(.iso8601) }
        let since = last == 0 ? "" : " after \(time(last))"
        return "lacks the last \(file.number - number) of \(file.number) commits that were said to be kept, made\(since) up to "
            + "\(time(file.last)): \(StateStore.fileName)-wal was lost, or the database was removed or an older copy put in its place. "
            + "What households bought, spent and did in that time may be missing, and a receipt of that time would count again"
    }
}
