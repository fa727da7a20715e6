import Experience
import GRDB

// The ledger, as support asks for it, on a connection of its own. It waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// An entry as it stands in the ledger.
    public struct RecordedEntry: Equatable, Sendable {
        /// Grows with every entry, from 1.
        public var number: Int64
        public var entry: LedgerRow
        /// Seconds since 1970-01-01 in UTC.
        public var created: Int
    }

    /// At most `most` entries of all pieces and households that are after number `last`, in the order in which they were recorded.
    public func ledger(after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept) -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE number > ? ORDER BY number LIMIT ?", [last, most])
    }

    /// The same of one household of a piece.
    public func ledger(of piece: String, household: String, after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept)
        -> [RecordedEntry] {
        try await entries("SELECT * FROM ledger WHERE piece = ? AND household = ? AND number > ? ORDER BY number LIMIT ?",
                          [piece, spelled(household, of: piece), last, most])
    }

    /// As the household's entries have it: to SQLite the two Unicode forms of "é" are two names.
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
        let household = spelled(household, of: piece)
        return try await look { db in
            try Row.fetchAll(db, sql: """
                SELECT account, currency, sum(amount) AS amount FROM ledger JOIN posting ON entry = number
                WHERE piece = ? AND household = ? AND number <= ? GROUP BY account, currency ORDER BY account, currency
                """, arguments: [piece, household, last]).map {
                Posting(account: $0["account"], currency: $0["currency"], amount: $0["amount"])
            }
        }
    }

    /// Households of a piece that have entries, in their names' order.
    public func households(of piece: String) async throws(NotKept) -> [String] {
        try await look { db in
            try String.fetchAll(db, sql: "SELECT DISTINCT household FROM ledger WHERE piece = ? ORDER BY household", arguments: [piece])
        }
    }
}
