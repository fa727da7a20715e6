import Dispatch
import Files
import GRDB
import Synchronization
import SystemPackage

/// Checks the whole database once, for damage in what a start does not read: the ledger, which grows for years. It has a connection of its
/// own, which cannot write, and keeps nobody from writing.
///
/// Thread: any; it works on a queue of its own, of the lowest priority.
final class StateCheck: Sendable {
    private struct State {
        var hasBegun = false
        var isStopped = false
        var database: DatabaseQueue?
    }

    /// The number of ledger entries that are checked before it looks whether it is to stop.
    private static let slice: Int64 = 1_000

    private let path: FilePath
    private let queue = DispatchQueue(label: "state check", qos: .background)
    private let state = Mutex(State())
    /// A group that is entered while the check works.
    private let work = DispatchGroup()

    init(of path: FilePath) { self.path = path }

    /// Begins the check; only the first call counts. `damaged` is told what is wrong with which file; `altered` is told of entries that are
    /// not as they were written, in words. `ended` is called when the check no longer reads. All are called on the check's thread.
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
                // A disk that cannot be read is told by who needs it.
            }
        }
    }

    /// Stops the check, whatever is left, and returns when it has ended.
    func stop() {
        state.withLock { $0.isStopped = true }
        // Again and again: what is interrupted before it has begun goes on. Under the lock: SQLite must not be asked to interrupt a
        // connection that another thread closes (sqlite3_interrupt).
        while work.wait(timeout: .now() + .milliseconds(10)) == .timedOut { state.withLock { $0.database?.interrupt() } }
    }

    /// Waits until everything has been checked. Only for tests.
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

/// The checksum of a row, which shows bytes that have changed within a text: SQLite does not notice them. It protects from accidents, not
/// from forgers.
enum RowSum {
    /// The 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) over the texts' UTF-8, a byte 0xFF after each, which UTF-8 never has.
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

    /// The first memory whose sum does not fit, in words; nil where all do. The table must have passed SQLite's own check.
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

    /// The faults of the ledger's entries with these numbers, and of their postings, in words.
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
