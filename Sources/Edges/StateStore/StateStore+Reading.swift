import Experience
import GRDB

// What is read now and then, and waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// The position up to which an outbox has been sent; nil where nothing of it has been.
    public func position(ofCursor name: String) async throws(NotKept) -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT position FROM cursor WHERE name = ?", arguments: [name]) }
    }

    /// Reads on a connection of its own, so that commits do not wait for it. Until the database has been opened once, it reads on the
    /// store's own.
    func look<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(NotKept) -> Value {
        guard shared.withLock(\.isRead) else { return try await read(body) }
        return try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, NotKept>, Never>) in
            looks.async { [self] in
                continuation.resume(returning: Result {
                    var configuration = Configuration()
                    configuration.readonly = true
                    configuration.busyMode = .timeout(5)
                    let database = try DatabaseQueue(path: path.string, configuration: configuration)
                    defer { try? database.close() }
                    return try database.read(body)
                }.mapError { notKept($0) })
            }
        }.get()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(NotKept) -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, NotKept>, Never>) in
            work {
                continuation.resume(returning: self.file.withLock { file in
                    do {
                        return .success(try file.read(body))
                    } catch {
                        return .failure(self.notKept(error))
                    }
                })
            }
        }.get()
    }
}

// The ledger, as support asks for it, on a connection of its own. It waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// An entry as it stands in the ledger.
    public struct RecordedEntry: Equatable, Sendable {
        /// The number of the entry, which grows from 1.
        public var number: Int64
        public var entry: LedgerRow
        /// The time at which it was recorded, in seconds since 1970-01-01 in UTC.
        public var created: Int
    }

    /// Lists at most `most` entries of all pieces and households that are after number `last`, in the order in which they were recorded.
    public func ledger(after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept) -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE number > ? ORDER BY number LIMIT ?", [last, most])
    }

    /// Lists at most `most` entries of one household of a piece after number `last`, in the order in which they were recorded.
    public func ledger(of piece: String, household: String, after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept)
        -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE piece = ? AND household = ? AND number > ? ORDER BY number LIMIT ?",
                          [piece, spelled(household, of: piece), last, most])
    }

    /// The household's name as its entries have it: to SQLite the two Unicode forms of "é" are two names.
    private func spelled(_ household: String, of piece: String) -> String {
        shared.withLock { $0.spelled(MemoryKey(piece: piece, household: household)).household }
    }

    private func entries(_ sql: String, _ arguments: StatementArguments) async throws(NotKept) -> [RecordedEntry] {
        try await look { db in
            try Row.fetchAll(db, sql: sql, arguments: arguments).map {
                RecordedEntry(number: $0["number"], entry: try LedgerRow($0, in: db), created: $0["created"])
            }
        }
    }

    /// The sum of each account and currency of a household, in the accounts' order, over all entries up to number `last`. Over all accounts
    /// a currency sums to zero.
    public func balances(of piece: String, household: String, upTo last: Int64 = .max) async throws(NotKept) -> [Posting] {
        let key = MemoryKey(piece: piece, household: spelled(household, of: piece))
        return try await look { try Self.sums(of: key, upTo: last, in: $0) }
    }

    static func sums(of key: MemoryKey, upTo last: Int64 = .max, in db: Database) throws -> [Posting] {
        try Row.fetchAll(db, sql: """
            SELECT account, currency, sum(amount) AS amount FROM ledger JOIN posting ON entry = number
            WHERE piece = ? AND household = ? AND number <= ? GROUP BY account, currency ORDER BY account, currency
            """, arguments: [key.piece, key.household, last]).map {
            Posting(account: $0["account"], currency: $0["currency"], amount: $0["amount"])
        }
    }

    /// Lists the households of a piece that have entries, in their names' order.
    public func households(of piece: String) async throws(NotKept) -> [String] {
        try await look { db in
            try String.fetchAll(db, sql: "SELECT DISTINCT household FROM ledger WHERE piece = ? ORDER BY household", arguments: [piece])
        }
    }
}
