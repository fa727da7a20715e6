import Experience
import GRDB

// What operators do with whole households. It waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// A household of which something is kept.
    public struct KeptHousehold: Equatable, Sendable {
        public var name: String
        /// The time at which its memory or secret last changed, in seconds since 1970-01-01 in UTC.
        public var updated: Int
        /// The number of its entries in the ledger.
        public var entries: Int
        /// Whether only a secret is kept of it.
        public var hasOnlySecret: Bool
    }

    /// The reason why a household is not closed.
    public enum NotClosed: Error, Equatable, Sendable {
        /// Nothing is kept of the household of this name.
        case unknown(String)
        /// Another call is removing or merging the household.
        case closing(String)
        /// The memories of both do not go together, for this reason in words.
        case misfit(String)
        case notKept(NotKept)
    }

    /// Lists households of a piece of which something is kept and whose names come after `last`, in their names' order, at most `most`.
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

    /// Removes a household. An entry of its ledger takes every balance back to zero; `note` is that entry's, as JSON. All of it is on the
    /// disk when it returns, or nothing of it happens.
    public func remove(_ household: String, of piece: String, note: String) async throws(NotClosed) {
        try await close([household], of: piece, orOnlySecret: true) { closing in
            closing.forgetFirst + [.append(closing.entry(of: 0, to: 0, kind: "removed", note))]
        }
    }

    /// Merges a household into another one, which gets its balances. `memory` is given the memories of both, the other's last, and returns
    /// the other's new memory. Each of the two has an entry with `note`, as JSON. All of it is on the disk when it returns, or nothing of
    /// it happens.
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

    /// Households that are being closed, as they are: nothing else is kept of them meanwhile.
    private struct Closing {
        var piece: String
        var names: [String]
        var bodies: [String]
        /// The balances of the first household.
        var balances: [Posting]
        /// The number of the ledger's last entry.
        var number: Int64

        /// Forgets the memory and the secret of the first household.
        var forgetFirst: [Change] {
            [.forget(piece: piece, household: names[0]), .protect(piece: piece, household: names[0], hash: nil)]
        }

        /// The entry that moves the balances of the household at place `first`: away from it, or to the one at place `place`. No key of a
        /// piece has this form.
        func entry(of first: Int, to place: Int, kind: String, _ note: String) -> LedgerRow {
            let sign = place == first ? -1 : 1
            let postings = balances.map { Posting(account: $0.account, currency: $0.currency, amount: sign * $0.amount) }
            return LedgerRow(piece: piece, household: names[place], key: "household \(kind) \(number)", kind: kind, body: note,
                             postings: postings)
        }
    }

    /// Writes the changes for closing households, after all that is pending. `orOnlySecret`: also a household of which only a secret is
    /// kept; then it has no body.
    private func close(_ names: [String], of piece: String, orOnlySecret: Bool = false,
                       _ changes: @escaping @Sendable (Closing) throws(NotClosed) -> [Change]) async throws(NotClosed) {
        let keys = try begin(names.map { MemoryKey(piece: piece, household: $0) }, orOnlySecret)
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, NotClosed>, Never>) in
            work { [self] in
                // What was told before is on the disk first.
                writePending()
                let result = Result { () throws(NotClosed) in try write(keys, orOnlySecret, changes) }
                shared.withLock { $0.closing.subtract(keys) }
                continuation.resume(returning: result)
            }
        }
        try result.get()
    }

    /// Begins closing: returns the households' names as they were kept first. From now on nothing else is kept of them.
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

    /// The balances of a household's accounts that are not zero, and the number of the ledger's last entry.
    private static func balances(of key: MemoryKey, in db: Database) throws -> ([Posting], Int64) {
        let last = try Int64.fetchOne(db, sql: "SELECT coalesce(max(number), 0) FROM ledger") ?? 0
        return (try sums(of: key, in: db).filter { $0.amount != 0 }, last)
    }
}
