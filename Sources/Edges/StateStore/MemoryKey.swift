import GRDB

/// A household of a piece: what one memory and the ledger's entries beside it are of.
struct MemoryKey: Hashable {
    var piece: String
    var household: String
}

extension LedgerRow {
    /// The household's memory that goes with it.
    var memoryKey: MemoryKey { MemoryKey(piece: piece, household: household) }
}

extension Change {
    /// The same of a household; itself when it is of none.
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
        case .choose, .hear, .move, .keep, .admit, .revoke: return self
        }
    }

    /// Nil when it is of no household.
    var memoryKey: MemoryKey? {
        switch self {
        case .remember(let piece, let household, _): MemoryKey(piece: piece, household: household)
        case .forget(let piece, let household): MemoryKey(piece: piece, household: household)
        case .append(let entry): entry.memoryKey
        case .setAside(let piece, let household, _, _): MemoryKey(piece: piece, household: household)
        case .protect(let piece, let household, _): MemoryKey(piece: piece, household: household)
        case .choose, .hear, .move, .keep, .admit, .revoke: nil
        }
    }
}

extension MemoryKey {
    /// The hashes of all households' secrets.
    static func secrets(in db: Database) throws -> [MemoryKey: String] {
        try Row.fetchAll(db, sql: "SELECT piece, household, hash FROM household_secret").reduce(into: [:]) { secrets, row in
            secrets[MemoryKey(piece: row["piece"], household: row["household"])] = row["hash"]
        }
    }
}
