import GRDB

extension Schema {
    /// Households may have a secret. `hash` is a slow, salted hash of it, as text; nobody can tell the secret by it.
    static func secrets(_ db: Database) throws {
        try db.execute(sql: """
            CREATE TABLE household_secret (
                piece TEXT NOT NULL, household TEXT NOT NULL,
                hash TEXT NOT NULL,
                updated INTEGER NOT NULL,
                PRIMARY KEY (piece, household)
            ) WITHOUT ROWID, STRICT
            """)
    }
}

extension Change {
    /// Writes the hash of a household's secret in place of the one before; nil takes it away.
    static func protect(_ piece: String, _ household: String, _ hash: String?, in db: Database, at now: Int) throws {
        guard let hash else {
            return try db.execute(sql: "DELETE FROM household_secret WHERE piece = ? AND household = ?", arguments: [piece, household])
        }
        try db.execute(sql: """
            INSERT INTO household_secret VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET hash = excluded.hash, updated = excluded.updated
            WHERE hash IS NOT excluded.hash
            """, arguments: [piece, household, hash, now])
    }
}

extension MemoryKey {
    /// The hashes of all households' secrets.
    static func secrets(in db: Database) throws -> [MemoryKey: String] {
        // A database that is only read may be of an earlier version.
        guard try db.tableExists("household_secret") else { return [:] }
        return try Row.fetchAll(db, sql: "SELECT piece, household, hash FROM household_secret").reduce(into: [:]) { secrets, row in
            secrets[MemoryKey(piece: row["piece"], household: row["household"])] = row["hash"]
        }
    }
}
