import Dispatch
import Files
import GRDB
import Synchronization
import SystemPackage

/// Looks through the whole database once, for damage in what a start does not read: the ledger, which grows for years. It has a connection
/// of its own, which cannot write, and keeps nobody from writing.
///
/// Thread: any; it works on a queue of its own, of the lowest priority.
final class StateCheck: Sendable {
    private struct State {
        var hasBegun = false
        var isStopped = false
        var database: DatabaseQueue?
    }

    /// Entries of the ledger that are looked at before it is looked whether it is to stop.
    private static let slice: Int64 = 1_000

    private let path: FilePath
    private let queue = DispatchQueue(label: "state check", qos: .background)
    private let state = Mutex(State())
    /// Entered while it works.
    private let work = DispatchGroup()

    init(of path: FilePath) { self.path = path }

    /// Only the first call counts. `damaged` is told what is wrong with which file, and `altered` of entries that are not as they were
    /// written, in words. Both on the check's thread.
    func begin(damaged: @escaping @Sendable (FileIdentity, String) -> Void, altered: @escaping @Sendable ([String]) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.isStopped
        }
        guard isFirst else { return }
        queue.async(group: work) { [self] in
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

    /// Returns when it is over, whatever is left to look at.
    func stop() {
        state.withLock { $0.isStopped = true }
        // Again and again: what is interrupted before it has begun goes on.
        while work.wait(timeout: .now() + .milliseconds(10)) == .timedOut { state.withLock(\.database)?.interrupt() }
    }

    /// Returns when all has been looked at. Only for tests.
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
