import GRDB

// What is read now and then, and waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// An entry as it stands in the ledger.
    public struct RecordedEntry: Equatable, Sendable {
        /// Grows with every entry, from 1.
        public var number: Int64
        public var entry: LedgerEntry
        /// Seconds since 1970-01-01 in UTC.
        public var created: Int
    }

    /// At most `most` entries of all pieces that are after number `last`, in the order in which they were recorded.
    public func ledger(after last: Int64 = 0, atMost most: Int = 1_000) async throws(NotKept) -> [RecordedEntry] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM ledger WHERE number > ? ORDER BY number LIMIT ?", arguments: [last, most]).map { row in
                RecordedEntry(number: row["number"], entry: LedgerEntry(piece: row["piece"], household: row["household"], key: row["key"],
                                                                        kind: row["kind"], body: row["body"]), created: row["created"])
            }
        }
    }

    /// Nil for an outbox of which nothing has been sent.
    public func position(ofCursor name: String) async throws(NotKept) -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT position FROM cursor WHERE name = ?", arguments: [name]) }
    }

    /// The one of the highest version.
    public func configuration(_ name: String) async throws(NotKept) -> PublishedConfiguration? {
        try await read { db in
            let sql = "SELECT version, body FROM configuration WHERE name = ? ORDER BY version DESC LIMIT 1"
            return try Row.fetchOne(db, sql: sql, arguments: [name]).map {
                PublishedConfiguration(name: name, version: $0["version"], body: $0["body"])
            }
        }
    }

    private func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(NotKept) -> Value {
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
