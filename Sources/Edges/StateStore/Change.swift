import GRDB
import Venue
import Wire

/// A change of stored state. Of changes that are committed together, either all are stored or none.
public enum Change: Equatable, Sendable {
    /// Stores the memory that a piece has of a household, in place of the former one. `body` is JSON of at most `StateStore.longestBody`
    /// bytes.
    case remember(piece: String, household: String, body: String)
    /// Removes a piece's memory of a household. The ledger keeps the household's entries.
    case forget(piece: String, household: String)
    case append(LedgerRow)
    /// Stores a memory that its piece cannot read, unchanged, with the reason. A separate table keeps each such memory once, and never
    /// removes it.
    case setAside(piece: String, household: String, body: String, reason: String)
    /// Sets a household's secret, in place of another; nil removes the secret. `hash` is a slow hash of the secret, as text.
    case protect(piece: String, household: String, hash: String?)
    /// Stores the preset that somebody chose by hand; nil returns the choice to the schedule.
    case choose(ChosenPreset?)
    /// Stores the volume that somebody set by hand; nil for the full volume.
    case turn(ChosenVolume?)
    /// Stores the day's dose of sound so far.
    case hear(HearingDay)
    /// Stores, under the name `cursor`, the position up to which an outbox (rows that are sent elsewhere) has been sent. The form of a
    /// position is up to the outbox.
    case move(cursor: String, to: String)
    /// Stores a version of a document with its steps so far. Parts that are stored already are not changed; new steps are added.
    case keep(KeptDocument)
    /// Makes a token valid, in place of another token of the same name.
    case admit(KeptToken)
    /// Makes the token of this name invalid.
    case revoke(token: String)
}

/// A token in use. Only its holder knows the text of the token.
public struct KeptToken: Equatable, Sendable {
    /// The name of the token, which says whose it is.
    public var name: String
    public var role: Role
    /// The SHA-256 of the token's text, as 64 hexadecimal digits.
    public var digest: String
    /// The time of issue, in seconds since 1970-01-01 in UTC.
    public var created: Int

    public init(name: String, role: Role, digest: String, created: Int) {
        self.name = name
        self.role = role
        self.digest = digest
        self.created = created
    }
}

extension Change {
    /// Writes the change, and returns whether the ledger already had its entry. A value that is stored already is not written again, so
    /// that it costs the disk nothing. `now` is in seconds since 1970-01-01 in UTC.
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
        case .turn(nil):
            try db.execute(sql: "DELETE FROM volume")
        case .turn(let volume?):
            try db.execute(sql: """
                INSERT INTO volume VALUES (1, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET level = excluded.level, who = excluded.who, since = excluded.since, updated = excluded.updated
                WHERE level IS NOT excluded.level OR who IS NOT excluded.who OR since IS NOT excluded.since
                """, arguments: [volume.level.rawValue, volume.by, volume.since, now])
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
        case .protect, .forget, .choose, .turn, .hear, .move, .admit, .revoke: nil
        }
    }

    /// Writes the hash of a household's secret in place of the former one; nil removes the secret.
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

/// Identifies a household of a piece, to which a memory, a secret and entries of the ledger belong.
struct MemoryKey: Hashable {
    var piece: String
    var household: String
}

extension LedgerRow {
    /// The household to which the entry belongs.
    var memoryKey: MemoryKey { MemoryKey(piece: piece, household: household) }
}

extension Change {
    /// Returns a copy of this change that concerns `household` instead of its own household; a change that concerns no household is
    /// returned as it is.
    func of(household: String) -> Change {
        switch self {
        case .remember(let piece, _, let body): return .remember(piece: piece, household: household, body: body)
        case .forget(let piece, _): return .forget(piece: piece, household: household)
        case .append(var row):
            row.household = household
            return .append(row)
        case .setAside(let piece, _, let body, let reason):
            return .setAside(piece: piece, household: household, body: body, reason: reason)
        case .protect(let piece, _, let hash): return .protect(piece: piece, household: household, hash: hash)
        case .choose, .turn, .hear, .move, .keep, .admit, .revoke: return self
        }
    }

    /// The household that the change concerns; nil where it concerns none.
    var memoryKey: MemoryKey? {
        switch self {
        case .remember(let piece, let household, _): MemoryKey(piece: piece, household: household)
        case .forget(let piece, let household): MemoryKey(piece: piece, household: household)
        case .append(let entry): entry.memoryKey
        case .setAside(let piece, let household, _, _): MemoryKey(piece: piece, household: household)
        case .protect(let piece, let household, _): MemoryKey(piece: piece, household: household)
        case .choose, .turn, .hear, .move, .keep, .admit, .revoke: nil
        }
    }
}

extension MemoryKey {
    /// Returns the hashes of all households' secrets.
    static func secrets(in db: Database) throws -> [MemoryKey: String] {
        try Row.fetchAll(db, sql: "SELECT piece, household, hash FROM household_secret").reduce(into: [:]) { secrets, row in
            secrets[MemoryKey(piece: row["piece"], household: row["household"])] = row["hash"]
        }
    }
}
