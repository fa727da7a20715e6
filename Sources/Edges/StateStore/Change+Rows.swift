import GRDB

extension Change {
    /// Whether the ledger has it already. What stands there already is not written again, so that it costs the disk nothing. `now` is in
    /// seconds since 1970-01-01 in UTC.
    func isKnown(writtenTo db: Database, at now: Int) throws -> Bool {
        switch self {
        case .remember(let piece, let household, let body):
            try db.execute(sql: """
                INSERT INTO memory VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET body = excluded.body, updated = excluded.updated, sum = excluded.sum
                WHERE body IS NOT excluded.body
                """, arguments: [piece, household, body, now, RowSum.of(piece, household, body, "\(now)")])
        case .forget(let piece, let household):
            try db.execute(sql: "DELETE FROM memory WHERE piece = ? AND household = ?", arguments: [piece, household])
        case .append(let entry):
            return try !entry.insert(into: db, at: now)
        case .setAside(let piece, let household, let body, let reason):
            try db.execute(sql: """
                INSERT INTO memory_aside (piece, household, body, reason, since) SELECT ?1, ?2, ?3, ?4, ?5
                WHERE NOT EXISTS (SELECT 1 FROM memory_aside WHERE piece = ?1 AND household = ?2 AND body = ?3)
                """, arguments: [piece, household, body, reason, now])
        case .protect(let piece, let household, let hash): try Self.protect(piece, household, hash, in: db, at: now)
        case .choose(nil):
            try db.execute(sql: "DELETE FROM choice")
        case .choose(let preset?):
            try db.execute(sql: """
                INSERT INTO choice VALUES (1, ?, ?, ?)
                ON CONFLICT DO UPDATE SET preset = excluded.preset, since = excluded.since, updated = excluded.updated
                WHERE preset IS NOT excluded.preset OR since IS NOT excluded.since
                """, arguments: [preset.name, preset.since, now])
        case .hear(let day):
            try db.execute(sql: """
                INSERT INTO hearing_day VALUES (1, ?, ?, ?)
                ON CONFLICT DO UPDATE SET number = excluded.number, dose = excluded.dose, updated = excluded.updated
                WHERE number IS NOT excluded.number OR dose IS NOT excluded.dose
                """, arguments: [day.number, day.dose, now])
        case .move(let cursor, let position):
            try db.execute(sql: """
                INSERT INTO cursor VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET position = excluded.position, updated = excluded.updated
                WHERE position IS NOT excluded.position
                """, arguments: [cursor, position, now])
        case .keep(let document): try document.write(to: db)
        case .admit(let token):
            try db.execute(sql: """
                INSERT INTO token VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET role = excluded.role, digest = excluded.digest, created = excluded.created
                WHERE digest IS NOT excluded.digest
                """, arguments: [token.name, token.role.rawValue, token.digest, token.created])
        case .revoke(let name):
            try db.execute(sql: "DELETE FROM token WHERE name = ?", arguments: [name])
        }
        return false
    }

    var body: String? {
        switch self {
        case .remember(_, _, let body): body
        case .append(let entry): entry.body
        case .setAside(_, _, let body, _): body
        case .keep(let document): document.version.body
        case .protect, .forget, .choose, .hear, .move, .admit, .revoke: nil
        }
    }

    /// Writes the hash of a household's secret in place of the one before; nil takes it away.
    private static func protect(_ piece: String, _ household: String, _ hash: String?, in db: Database, at now: Int) throws {
        guard let hash else {
            return try db.execute(sql: "DELETE FROM household_secret WHERE piece = ? AND household = ?", arguments: [piece, household])
        }
        try db.execute(sql: """
            INSERT INTO household_secret VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET hash = excluded.hash, updated = excluded.updated
            WHERE hash IS NOT excluded.hash
            """, arguments: [piece, household, hash, now])
    }
}
