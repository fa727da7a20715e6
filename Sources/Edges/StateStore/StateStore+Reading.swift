import Experience
import GRDB

// What is read now and then from the disk. These calls wait for it: the event loop must not block on them, but may await them.
extension StateStore {
    /// Returns the position up to which the outbox (rows that are sent elsewhere) with the cursor `name` has been sent; nil where nothing
    /// of it has been sent.
    public func position(ofCursor name: String) async throws(NotKept) -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT position FROM cursor WHERE name = ?", arguments: [name]) }
    }

    /// Reads on a separate connection, so that commits do not wait. Until the database has been opened once, it reads on the store's own
    /// connection.
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

// The ledger for support, read on a separate connection. These calls wait for the disk: the event loop must not block on them, but may
// await them.
extension StateStore {
    /// An entry with its number in the ledger.
    public struct RecordedEntry: Equatable, Sendable {
        /// The number of the entry, counted from 1.
        public var number: Int64
        public var entry: LedgerRow
        /// The time when the entry was recorded, in seconds since 1970-01-01 in UTC.
        public var created: Int
    }

    /// Lists the ledger entries of all pieces and households whose numbers are above `last`, in the order of recording, and at most `most`
    /// of them.
    public func ledger(after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept) -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE number > ? ORDER BY number LIMIT ?", [last, most])
    }

    /// Lists the ledger entries of one household of a piece whose numbers are above `last`, in the order of recording, and at most `most`
    /// of them.
    public func ledger(of piece: String, household: String, after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept)
        -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE piece = ? AND household = ? AND number > ? ORDER BY number LIMIT ?",
                          [piece, spelled(household, of: piece), last, most])
    }

    /// Returns the household's name as it is stored. To SQLite the two Unicode forms of "é" are different names.
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

    /// Returns the balance of each account and currency of a household, in the order of accounts, counting all entries up to number `last`.
    /// Over all accounts, a currency sums to zero.
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

    /// Lists the households of a piece that have entries in the ledger, in the order of names.
    public func households(of piece: String) async throws(NotKept) -> [String] {
        try await look { db in
            try String.fetchAll(db, sql: "SELECT DISTINCT household FROM ledger WHERE piece = ? ORDER BY household", arguments: [piece])
        }
    }
}
