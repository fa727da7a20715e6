import Experience
import GRDB
import Signals

// Actions that count once, by the entries of their keys.
extension StateStore {
    /// An action that has counted.
    public struct KnownAction: Equatable, Sendable {
        /// Whose it is.
        public var household: String
        /// JSON; nil where there was no answer.
        public var answer: String?
        /// Why its entry is not on the disk by now; nil when it is.
        public var notKept: String?
    }

    /// `then` is told whether an action of this key has counted (nil: it has not), on a thread of the store's. A disk that takes nothing
    /// now is a failure unless the action is known: nothing is to count that may not be kept.
    public func action(_ key: ActionKey, of piece: String, household: String,
                       then: @escaping @Sendable (Result<KnownAction?, NotKept>) -> Void) {
        work {
            let (failure, waiting) = self.shared.withLock { shared in
                // What could not be written comes back to what is pending; else everything told before this is on the disk.
                shared.failure.map { ($0, shared.pending.entries.lazy.map(\.entry).first { $0.isOf(key, piece, household) }) }
                    ?? (nil, nil)
            }
            if let waiting {
                return then(.success(KnownAction(household: waiting.household, answer: waiting.answer, notKept: failure)))
            }
            if let failure { return then(.failure(NotKept(reason: failure))) }
            then(self.file.withLock { file in
                do {
                    return .success(try file.read { try Self.find(key, piece, household, in: $0) })
                } catch {
                    return .failure(self.notKept(error))
                }
            })
        }
    }

    private static func find(_ key: ActionKey, _ piece: String, _ household: String, in db: Database) throws -> KnownAction? {
        let row: Row? = switch key.scope {
        case .household:
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT household, answer FROM ledger WHERE piece = ? AND household = ? AND key = ?"),
                arguments: [piece, household, key.text])
        case .everybody:
            try Row.fetchOne(db.cachedStatement(sql: "SELECT household, answer FROM ledger WHERE claim = ?"), arguments: [key.text])
        }
        return row.map { KnownAction(household: $0["household"], answer: $0["answer"]) }
    }
}

extension LedgerRow {
    fileprivate func isOf(_ key: ActionKey, _ piece: String, _ household: String) -> Bool {
        switch key.scope {
        case .household: self.key == key.text && self.piece == piece && self.household == household
        case .everybody: claim == key.text
        }
    }
}
