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
    /// Nil when it is of no household.
    var memoryKey: MemoryKey? {
        switch self {
        case .remember(let piece, let household, _): MemoryKey(piece: piece, household: household)
        case .append(let entry): entry.memoryKey
        case .setAside(let piece, let household, _, _): MemoryKey(piece: piece, household: household)
        case .choose, .hear, .move, .publish, .admit, .revoke: nil
        }
    }
}
