import Dispatch
import Files
import GRDB
import Synchronization
import SystemPackage

/// Checks the whole database once for damage in what a start does not read: the ledger, which grows for years. It has a read-only
/// connection of its own, and does not block writing.
///
/// Thread: any; the check runs on a queue of its own, with the lowest priority.
final class StateCheck: Sendable {
    private struct State {
        var hasBegun = false
        var isStopped = false
        var database: DatabaseQueue?
    }

    /// The number of ledger entries that are checked between two looks at whether to stop.
    private static let slice: Int64 = 1_000

    private let path: FilePath
    private let queue = DispatchQueue(label: "state check", qos: .background)
    private let state = Mutex(State())
    /// Used to wait for the check to end.
    private let work = DispatchGroup()

    init(of path: FilePath) { self.path = path }

    /// Begins the check; only the first call has an effect. `damaged` gets the damaged file and the damage in words. `altered` gets in
    /// words which entries have changed since they were written. `ended` is called when the check has stopped reading. All are called on
    /// the check's thread.
    func begin(
        damaged: @escaping @Sendable (FileIdentity, String) -> Void, altered: @escaping @Sendable ([String]) -> Void,
        ended: @escaping @Sendable () -> Void
    ) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.isStopped
        }
        guard isFirst else { return }
        queue.async(group: work) { [self] in
            defer { ended() }
            guard let identity = FileIdentity(path.string) else { return }
            do {
                try look(altered)
            } catch let error as DatabaseError where error.isDamage {
                damaged(identity, error.words)
            } catch {
                // An unreadable disk is reported by those who need its data.
            }
        }
    }

    /// Stops the check before its end, and returns when it has stopped.
    func stop() {
        state.withLock { $0.isStopped = true }
        // The interruption is repeated, because one that comes before a statement has begun has no effect. The lock is held because a
        // connection that another thread closes must not be interrupted (sqlite3_interrupt).
        while work.wait(timeout: .now() + .milliseconds(10)) == .timedOut { state.withLock { $0.database?.interrupt() } }
    }

    /// Waits until everything was checked. For tests only.
    func wait() { work.wait() }

    private func look(_ altered: ([String]) -> Void) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: path.string, configuration: configuration)
        state.withLock { $0.database = database }
        defer {
            state.withLock { $0.database = nil }
            try? database.close()
        }
        let last = try database.read { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(1)")
            guard findings == ["ok"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings.first) }
            return try Int64.fetchOne(db, sql: "SELECT max(number) FROM ledger") ?? 0
        }
        var next: Int64 = 1
        while next <= last, !state.withLock(\.isStopped) {
            let numbers = next...(next + Self.slice - 1)
            let misfits = try database.read { try RowSum.ledgerMisfits(in: $0, numbers) }
            if !misfits.isEmpty { altered(misfits) }
            next += Self.slice
        }
    }
}

/// The checksum of a row. It shows changed bytes within a text, which SQLite does not notice. It protects against accidents, not against
/// forgers.
enum RowSum {
    /// Returns the 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo) of the texts in UTF-8. After each text comes a byte 0xFF, which
    /// never occurs in UTF-8.
    static func of(_ texts: String...) -> Int64 { of(texts) }

    static func of(_ texts: [String]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for text in texts {
            for byte in text.utf8 { add(byte) }
            add(0xFF)
        }
        return Int64(bitPattern: hash)
    }

    /// Returns the first memory whose checksum is wrong, in words; nil where all are right. The table must have passed SQLite's check.
    static func memoryMisfit(in db: Database) throws -> String? {
        guard try db.tableExists("memory") else { return nil }
        let memories = try Row.fetchCursor(db, sql: "SELECT * FROM memory")
        while let row = try memories.next() {
            guard row["sum"] == of(row["piece"], row["household"], row["body"], "\(row["updated"] as Int)") else {
                return "a memory's checksum does not fit"
            }
        }
        return nil
    }

    /// Returns in words what is wrong with the ledger's entries that have these numbers, and with their postings; empty where all are
    /// right.
    static func ledgerMisfits(in db: Database, _ numbers: ClosedRange<Int64>) throws -> [String] {
        var misfits: [String] = []
        let range: StatementArguments = [numbers.lowerBound, numbers.upperBound]
        let entries = try Row.fetchCursor(db, sql: "SELECT * FROM ledger WHERE number BETWEEN ? AND ?", arguments: range)
        while let row = try entries.next() {
            let entry = try LedgerRow(row, in: db)
            guard row["sum"] != entry.sum(created: row["created"]) else { continue }
            misfits.append("the checksum of the ledger's entry \(row["number"] as Int64) does not fit")
        }
        let loose = "SELECT DISTINCT entry FROM posting WHERE entry BETWEEN ? AND ? AND entry NOT IN (SELECT number FROM ledger)"
        return misfits + (try Int64.fetchAll(db, sql: loose, arguments: range).map {
            "the ledger's entry \($0) is missing, and its postings are not"
        })
    }
}
