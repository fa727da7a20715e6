import Experience
import Fields
import StateStore
import Wire

/// Answers questions about the ledger, for support. A plain value. Thread: the event loop, which does not wait for the disk.
struct LedgerDesk {
    private let store: StateStore?
    private let piece: String

    init(_ store: StateStore?, of piece: String) { (self.store, self.piece) = (store, piece) }

    func tellEntries(of household: String, after last: Int64, atMost most: Int, _ caller: Caller, on stage: isolated Stage) {
        ask(caller, stage) { [piece] store throws(NotKept) in
            let recorded = try await store.ledger(of: piece, household: household, after: last, atMost: most)
            return LedgerEntries(household: household, entries: recorded.map { LedgerEntries.Entry($0) })
        }
    }

    /// Answers with the balances that result from the household's entries up to number `last` of the ledger.
    func tellBalances(of household: String, upTo last: Int64, _ caller: Caller, on stage: isolated Stage) {
        ask(caller, stage) { [piece] store throws(NotKept) in
            let balances = try await store.balances(of: piece, household: household, upTo: last)
            return LedgerBalances(household: household, balances: balances.map { LedgerPosting($0) },
                                  households: try await store.households(of: piece))
        }
    }

    private func ask(_ caller: Caller, _ stage: isolated Stage,
                     _ answer: @escaping @Sendable (StateStore) async throws(NotKept) -> any Encodable & Sendable) {
        Later(caller).ask(store, orRefuse: "there is no state directory, and no ledger in it", on: stage) { store throws(ErrorReply) in
            do throws(NotKept) {
                return try await answer(store)
            } catch {
                throw ErrorReply(.refused(.unavailable), "the ledger cannot be read: \(error.reason)")
            }
        }
    }
}

extension LedgerPosting {
    fileprivate init(_ posting: Posting) { self.init(account: posting.account, currency: posting.currency, amount: posting.amount) }
}

extension LedgerEntries.Entry {
    fileprivate init(_ recorded: StateStore.RecordedEntry) {
        self.init(number: recorded.number, key: recorded.entry.key, kind: recorded.entry.kind, created: recorded.created,
                  postings: recorded.entry.postings.map { LedgerPosting($0) }, note: recorded.entry.body)
    }
}
