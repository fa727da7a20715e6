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

    /// Whether an action of a key has counted.
    struct Question {
        var key: ActionKey
        var piece: String
        var household: String
        var then: @Sendable (Result<KnownAction?, NotKept>) -> Void
    }

    /// `then` is told whether an action of this key has counted (nil: it has not), on a thread of the store's. A disk that takes nothing
    /// now is a failure unless the action is known: nothing is to count that may not be kept. All that is asked while the disk is busy is
    /// read together.
    public func action(_ key: ActionKey, of piece: String, household: String,
                       then: @escaping @Sendable (Result<KnownAction?, NotKept>) -> Void) {
        let isFirst = shared.withLock { shared in
            shared.questions.append(Question(key: key, piece: piece, household: household, then: then))
            return shared.questions.count == 1
        }
        if isFirst { work { self.answerQuestions() } }
    }

    private func answerQuestions() {
        let (questions, failure, waiting) = shared.withLock { shared in
            defer { shared.questions = [] }
            // What could not be written comes back to what is pending; else everything told before this is on the disk.
            return (shared.questions, shared.failure, shared.failure == nil ? [] : shared.pending.entries.map(\.entry))
        }
        if let failure {
            for question in questions {
                let row = waiting.first { $0.answers(question) }
                question.then(row.map { .success(KnownAction(household: $0.household, answer: $0.answer, notKept: failure)) }
                                ?? .failure(NotKept(reason: failure)))
            }
            return
        }
        let answers = file.withLock { file in Result { try file.read { db in try questions.map { try Self.find($0, in: db) } } } }
        for (index, question) in questions.enumerated() {
            question.then(answers.map { $0[index] }.mapError { notKept($0) })
        }
    }

    private static func find(_ question: Question, in db: Database) throws -> KnownAction? {
        let row: Row? = switch question.key.scope {
        case .household:
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT household, answer FROM ledger WHERE piece = ? AND household = ? AND key = ?"),
                arguments: [question.piece, question.household, question.key.text])
        case .everybody:
            try Row.fetchOne(db.cachedStatement(sql: "SELECT household, answer FROM ledger WHERE claim = ?"),
                             arguments: [question.key.text])
        }
        return row.map { KnownAction(household: $0["household"], answer: $0["answer"]) }
    }
}

extension LedgerRow {
    fileprivate func answers(_ question: StateStore.Question) -> Bool {
        switch question.key.scope {
        case .household: key == question.key.text && piece == question.piece && household == question.household
        case .everybody: claim == question.key.text
        }
    }
}
