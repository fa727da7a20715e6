import Experience
import Fields
import StateStore
import Wire

// The ledger, for support.
extension Stage {
    /// Nil for the household that is there.
    func tellEntries(of household: String?, after last: Int64, atMost most: Int, _ caller: Caller) {
        tellLedger(of: household, caller) { store, piece, household throws(NotKept) in
            let recorded = try await store.ledger(of: piece, household: household, after: last, atMost: most)
            return LedgerEntries(household: household, entries: recorded.map { LedgerEntries.Entry($0) })
        }
    }

    /// Over all entries up to number `last`.
    func tellBalances(of household: String?, upTo last: Int64, _ caller: Caller) {
        tellLedger(of: household, caller) { store, piece, household throws(NotKept) in
            let balances = try await store.balances(of: piece, household: household, upTo: last)
            return LedgerBalances(household: household, balances: balances.map { LedgerPosting($0) },
                                  households: try await store.households(of: piece))
        }
    }

    /// The answer waits for the disk, and nothing else does.
    private func tellLedger(of household: String?, _ caller: Caller,
                            _ answer: @escaping @Sendable (StateStore, String, String) async throws(NotKept) -> any Encodable & Sendable) {
        guard let store = kept.store else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory, and no ledger in it"))
        }
        do throws(ErrorReply) {
            try deferredAnswers.begin(for: caller.client)
        } catch {
            return caller.refuse(error)
        }
        let (piece, household) = (conductor.piece.declaration.name, household ?? conductor.household)
        Task {
            do throws(NotKept) {
                caller.answer(try await answer(store, piece, household))
            } catch {
                caller.refuse(ErrorReply(.refused(.unavailable), "the ledger cannot be read: \(error.reason)"))
            }
            deferredAnswers.end(for: caller.client)
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
