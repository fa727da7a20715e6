/// Changes that are written in one transaction. Of what has one value the newest is in it, of the ledger every entry in the order in which
/// they were given.
struct Batch {
    /// What has one value.
    private enum Slot: Hashable {
        case memory(MemoryKey), aside(MemoryKey, body: String), secret(MemoryKey)
        case choice, hearingDay, cursor(String), document(piece: String, kind: String, version: Int), token(String)
    }

    /// Of the ledger, with the commit in which each was given.
    private(set) var entries: [(entry: LedgerRow, commit: Int)] = []
    private var values: [Slot: Change] = [:]
    /// Of the entries' bodies.
    private(set) var bytes = 0

    init(_ changes: [Change] = [], of commit: Int = 0) {
        for change in changes { add(change, of: commit) }
    }

    var isEmpty: Bool { entries.isEmpty && values.isEmpty }

    /// Each is in it once; none is about what another is about.
    var newestValues: some Sequence<Change> { values.values }

    private mutating func add(_ change: Change, of commit: Int) {
        switch change {
        case .append(let entry):
            entries.append((entry, commit))
            bytes += entry.body.utf8.count
        case .remember(let piece, let household, _): values[.memory(MemoryKey(piece: piece, household: household))] = change
        case .forget(let piece, let household): values[.memory(MemoryKey(piece: piece, household: household))] = change
        case .setAside(let piece, let household, let body, _):
            values[.aside(MemoryKey(piece: piece, household: household), body: body)] = change
        case .protect(let piece, let household, _): values[.secret(MemoryKey(piece: piece, household: household))] = change
        case .choose: values[.choice] = change
        case .hear: values[.hearingDay] = change
        case .move(let cursor, _): values[.cursor(cursor)] = change
        case .keep(let kept):
            values[.document(piece: kept.piece, kind: kept.version.kind, version: kept.version.version)] = change
        case .admit(let token): values[.token(token.name)] = change
        case .revoke(let name): values[.token(name)] = change
        }
    }

    /// `later` was given after it.
    mutating func append(_ later: Batch) {
        entries += later.entries
        bytes += later.bytes
        values.merge(later.values) { _, newer in newer }
    }

    var documents: [KeptDocument] {
        values.values.compactMap { if case .keep(let document) = $0 { document } else { nil } }
    }

    mutating func leaveOutDocuments() {
        for document in documents {
            values[.document(piece: document.piece, kind: document.version.kind, version: document.version.version)] = nil
        }
    }

    /// Removes what is of these: memory, secret and entries.
    mutating func leaveOut(_ households: Set<MemoryKey>) {
        guard !households.isEmpty else { return }
        for household in households { (values[.memory(household)], values[.secret(household)]) = (nil, nil) }
        entries.removeAll { households.contains($0.entry.memoryKey) }
        bytes = entries.reduce(0) { $0 + $1.entry.body.utf8.count }
    }
}
