import GRDB

/// The tables of the database, step by step from an empty one. A step that has been released is never changed.
enum Schema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            // Types and bodies are checked, so that SQLite's own check of a damaged file finds more of the damage. `sum` is a `RowSum`.
            try db.execute(sql: """
                CREATE TABLE memory (
                    piece TEXT NOT NULL, household TEXT NOT NULL,
                    body TEXT NOT NULL CHECK (json_valid(body)),
                    updated INTEGER NOT NULL, sum INTEGER NOT NULL,
                    PRIMARY KEY (piece, household)
                ) WITHOUT ROWID, STRICT;
                CREATE TABLE ledger (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    piece TEXT NOT NULL, household TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,
                    body TEXT NOT NULL CHECK (json_valid(body)),
                    created INTEGER NOT NULL, sum INTEGER NOT NULL,
                    UNIQUE (piece, household, key)
                ) STRICT;
                CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
                CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
                CREATE TABLE choice (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    preset TEXT NOT NULL, since INTEGER,
                    updated INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE hearing_day (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    number INTEGER NOT NULL, dose REAL NOT NULL CHECK (dose >= 0),
                    updated INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE cursor (name TEXT PRIMARY KEY, position TEXT NOT NULL, updated INTEGER NOT NULL) WITHOUT ROWID, STRICT;
                CREATE TABLE configuration (
                    name TEXT NOT NULL, version INTEGER NOT NULL,
                    body TEXT NOT NULL CHECK (json_valid(body)),
                    published INTEGER NOT NULL,
                    PRIMARY KEY (name, version)
                ) WITHOUT ROWID, STRICT;
                """)
        }
        migrator.registerMigration("2") { db in
            try db.execute(sql: """
                CREATE TABLE token (
                    name TEXT PRIMARY KEY,
                    role TEXT NOT NULL,
                    digest TEXT NOT NULL CHECK (length(digest) = 64),
                    created INTEGER NOT NULL
                ) WITHOUT ROWID, STRICT
                """)
        }
        migrator.registerMigration("3", migrate: doubleEntry)
        migrator.registerMigration("4") { db in
            try db.execute(sql: """
                CREATE TABLE memory_aside (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    piece TEXT NOT NULL, household TEXT NOT NULL,
                    body TEXT NOT NULL, reason TEXT NOT NULL,
                    since INTEGER NOT NULL
                ) STRICT
                """)
        }
        migrator.registerMigration("5", migrate: documents)
        migrator.registerMigration("6", migrate: claims)
        migrator.registerMigration("7", migrate: drafts)
        migrator.registerMigration("commits are counted") { db in
            try db.execute(sql: """
                CREATE TABLE commits (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    number INTEGER NOT NULL, at INTEGER NOT NULL
                ) STRICT;
                INSERT INTO commits VALUES (1, 0, 0)
                """)
        }
        migrator.registerMigration("two people in any case", migrate: twoPeopleInAnyCase)
        migrator.registerMigration("households have secrets", migrate: secrets)
        return migrator
    }()
}

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
}
