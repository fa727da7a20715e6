import Experience
import GRDB

// What operators do with whole households. These calls wait for the disk: the event loop must not block on them, but may await them.
extension StateStore {
    /// A household about which something is stored.
    public struct KeptHousehold: Equatable, Sendable {
        public var name: String
        /// The time of the last change of the household's memory or secret, in seconds since 1970-01-01 in UTC.
        public var updated: Int
        /// The number of the household's entries in the ledger.
        public var entries: Int
        /// Whether only a secret of the household is stored.
        public var hasOnlySecret: Bool
    }

    /// The reason why a household could not be closed, which means: removed, or merged into another one.
    public enum NotClosed: Error, Equatable, Sendable {
        /// Nothing is stored about a household of this name.
        case unknown(String)
        /// Another call is already removing or merging this household.
        case closing(String)
        /// The memories of the two households cannot be merged, for this reason in words.
        case misfit(String)
        case notKept(NotKept)
    }

    /// Lists the households of a piece about which something is stored, in the order of their names: those whose names come after `last`,
    /// and at most `most` of them.
    public func keptHouseholds(of piece: String, after last: String = "", atMost most: Int) async throws(NotKept) -> [KeptHousehold] {
        try await look { db in
            try Row.fetchAll(db, sql: """
                SELECT household, updated, hasOnlySecret, (SELECT count(*) FROM ledger
                    WHERE ledger.piece = kept.piece AND ledger.household = kept.household) AS entries
                FROM (SELECT piece, household, updated, 0 AS hasOnlySecret FROM memory WHERE piece = ?1 AND household > ?2
                    UNION ALL
                    SELECT piece, household, updated, 1 FROM household_secret AS secret WHERE piece = ?1 AND household > ?2
                        AND NOT EXISTS (SELECT 1 FROM memory
                            WHERE memory.piece = secret.piece AND memory.household = secret.household)) AS kept
                ORDER BY household LIMIT ?3
                """, arguments: [piece, last, most]).map {
                KeptHousehold(name: $0["household"], updated: $0["updated"], entries: $0["entries"], hasOnlySecret: $0["hasOnlySecret"])
            }
        }
    }

    /// Removes a household. An entry in its ledger brings every balance to zero; `note` is the note of that entry, as JSON. On return all
    /// of this is on the disk; on an error nothing of it has happened.
    public func remove(_ household: String, of piece: String, note: String) async throws(NotClosed) {
        try await close([household], of: piece, orOnlySecret: true) { closing in
            closing.forgetFirst + [.append(closing.entry(of: 0, to: 0, kind: "removed", note))]
        }
    }

    /// Merges a household into another one, which gets its balances. `memory` gets the memories of both, first that of the removed
    /// household, and returns the other household's new memory. Each of the two gets an entry with `note`, as JSON. On return all of this
    /// is on the disk; on an error nothing of it has happened.
    public func merge(_ household: String, into other: String, of piece: String, note: String,
                      memory: @escaping @Sendable (String, String) throws(NotClosed) -> String) async throws(NotClosed) {
        try await close([household, other], of: piece) { closing throws(NotClosed) in
            let body = try memory(closing.bodies[0], closing.bodies[1])
            return closing.forgetFirst + [
                .append(closing.entry(of: 0, to: 0, kind: "merged", note)),
                .remember(piece: piece, household: closing.names[1], body: body),
                .append(closing.entry(of: 0, to: 1, kind: "joined", note)),
            ]
        }
    }

    /// Households that are being removed or merged, with their present state. Other changes of them are refused meanwhile.
    private struct Closing {
        var piece: String
        var names: [String]
        var bodies: [String]
        /// The balances of the first household, which is to be removed.
        var balances: [Posting]
        /// The number of the ledger's last entry.
        var number: Int64

        /// The changes that remove the memory and the secret of the first household.
        var forgetFirst: [Change] {
            [.forget(piece: piece, household: names[0]), .protect(piece: piece, household: names[0], hash: nil)]
        }

        /// Returns the ledger entry of the household `names[index]` that moves the balances of the household `names[first]`: away from it
        /// if both are the same household, and otherwise to `names[index]`. Keys of pieces never have the form of this entry's key.
        func entry(of first: Int, to index: Int, kind: String, _ note: String) -> LedgerRow {
            let sign = index == first ? -1 : 1
            let postings = balances.map { Posting(account: $0.account, currency: $0.currency, amount: sign * $0.amount) }
            return LedgerRow(piece: piece, household: names[index], key: "household \(kind) \(number)", kind: kind, body: note,
                             postings: postings)
        }
    }

    /// Writes all pending changes, and then those that `changes` returns for the households `names`, which are being removed or merged.
    /// With `orOnlySecret`, a household may also have only a secret; it then has no body.
    private func close(_ names: [String], of piece: String, orOnlySecret: Bool = false,
                       _ changes: @escaping @Sendable (Closing) throws(NotClosed) -> [Change]) async throws(NotClosed) {
        let keys = try begin(names.map { MemoryKey(piece: piece, household: $0) }, orOnlySecret)
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, NotClosed>, Never>) in
            work { [self] in
                // All earlier changes are written first.
                writePending()
                let result = Result { () throws(NotClosed) in try write(keys, orOnlySecret, changes) }
                shared.withLock { $0.closing.subtract(keys) }
                continuation.resume(returning: result)
            }
        }
        try result.get()
    }

    /// Begins to remove or merge the households `wanted`: returns their names as they are stored. From now on, other changes of them are
    /// refused.
    private func begin(_ wanted: [MemoryKey], _ orOnlySecret: Bool) throws(NotClosed) -> [MemoryKey] {
        try shared.withLock { shared throws(NotClosed) in
            let keys = wanted.map { shared.spelled($0) }
            let unknown = keys.first { shared.memories[$0] == nil && !(orOnlySecret && shared.secrets[$0] != nil) }
            if let unknown { throw NotClosed.unknown(unknown.household) }
            if let busy = keys.first(where: shared.closing.contains) { throw NotClosed.closing(busy.household) }
            shared.closing.formUnion(keys)
            return keys
        }
    }

    private func write(_ keys: [MemoryKey], _ orOnlySecret: Bool, _ changes: (Closing) throws(NotClosed) -> [Change]) throws(NotClosed) {
        let (failure, bodies) = shared.withLock { shared in (shared.failure, keys.compactMap { shared.memories[$0] }) }
        if let failure { throw .notKept(NotKept(reason: failure)) }
        guard bodies.count == keys.count || orOnlySecret, let first = keys.first else { throw .unknown(keys.first?.household ?? "") }
        let found = Result { try file.withLock { file in try file.read { try Self.balances(of: first, in: $0) } } }
        let (balances, number): ([Posting], Int64)
        switch found {
        case .success(let success): (balances, number) = success
        case .failure(let error): throw .notKept(notKept(error))
        }
        let all = try changes(Closing(piece: first.piece, names: keys.map(\.household), bodies: bodies, balances: balances, number: number))
        if let long = all.lazy.compactMap(\.body).first(where: { $0.utf8.count > Self.longestBody }) {
            throw .misfit("both together are \(long.utf8.count) bytes, and at most \(Self.longestBody) are kept of a household")
        }
        do {
            _ = try file.withLock { file in try file.write(Batch(all)) }
        } catch let refusal as StateFile.Refusal {
            throw .notKept(NotKept(reason: refusal.reason))
        } catch {
            throw .notKept(notKept(error))
        }
        shared.withLock { shared in
            for change in all { shared.follow(change) }
        }
    }

    /// Returns the balances of a household that are not zero, and the number of the ledger's last entry.
    private static func balances(of key: MemoryKey, in db: Database) throws -> ([Posting], Int64) {
        let last = try Int64.fetchOne(db, sql: "SELECT coalesce(max(number), 0) FROM ledger") ?? 0
        return (try sums(of: key, in: db).filter { $0.amount != 0 }, last)
    }
}
