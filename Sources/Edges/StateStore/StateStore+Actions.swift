import Dispatch
import Experience
import Files
import GRDB
import Signals

// Actions that count once. The ledger's entries with their keys show which have counted.
extension StateStore {
    /// An action that was counted before.
    public struct KnownAction: Equatable, Sendable {
        /// The piece to which the action belongs.
        public var piece: String
        /// The household for which the action was counted.
        public var household: String
        /// The kind of the action's entry in the ledger.
        public var kind: String
        /// The answer to the action, as JSON; nil where there was none.
        public var answer: String?
        /// The sum of the positive postings of the action's entry in the ledger, in units of their currencies. The negative postings have
        /// the same sum, except for the sign.
        public var moved = 0
        /// The reason why the entry is not on the disk yet; nil when it is.
        public var notKept: String?
    }

    /// A caller's question whether an action with this key was counted.
    struct Question {
        var key: ActionKey
        var piece: String
        var household: String
        var then: @Sendable (Result<KnownAction?, NotKept>) -> Void
    }

    /// Finds out whether an action with this key was counted, and calls `then` with it (nil if not), on a thread of the store's, within
    /// `limit`. If the disk cannot be written or does not answer, the result is a failure unless the action is known, because nothing may
    /// count that cannot be stored. Questions that arrive while the disk is busy are answered by one reading.
    public func action(_ key: ActionKey, of piece: String, household: String, within limit: Duration = BlockingWork.limit,
                       then: @escaping @Sendable (Result<KnownAction?, NotKept>) -> Void) {
        let (number, isFirst) = shared.withLock { shared in
            let household = shared.spelled(MemoryKey(piece: piece, household: household)).household
            shared.asked += 1
            shared.questions[shared.asked] = Question(key: key, piece: piece, household: household, then: then)
            return (shared.asked, shared.questions.count == 1)
        }
        if isFirst { work { self.answerQuestions() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.interval) { [weak self] in
            guard let self, let question = shared.withLock({ $0.questions.removeValue(forKey: number) }) else { return }
            question.then(.failure(NotKept(reason: "\(path): \(BlockingWork.noAnswer)")))
        }
    }

    private func answerQuestions() {
        // Changes that were committed before the question may be what it asks about, so they are written first.
        if shared.withLock({ !$0.pending.isEmpty && $0.failure == nil }) { writePending() }
        let (questions, failure, waiting) = shared.withLock { shared in
            defer { shared.questions = [:] }
            // Changes that could not be written are pending again.
            return (shared.questions.sorted { $0.key < $1.key }.map(\.value), shared.failure, shared.pending.entries.map(\.entry))
        }
        var asked: [Question] = []
        for question in questions {
            if let row = waiting.first(where: { $0.answers(question) }) {
                let reason = failure ?? "\(path): \(BlockingWork.noAnswer)"
                question.then(.success(KnownAction(row, notKept: reason)))
            } else if let failure {
                question.then(.failure(NotKept(reason: failure)))
            } else {
                asked.append(question)
            }
        }
        let unanswered = asked
        let answers = file.withLock { file in Result { try file.read { db in try unanswered.map { try Self.find($0, in: db) } } } }
        for (index, question) in unanswered.enumerated() {
            question.then(answers.map { $0[index] }.mapError { notKept($0) })
        }
    }

    private static func find(_ question: Question, in db: Database) throws -> KnownAction? {
        let row: Row? = switch question.key.scope {
        case .household:
            try Row.fetchOne(db.cachedStatement(sql: """
                SELECT * FROM ledger WHERE piece = ? AND household = ? AND key = ? AND claim IS NULL
                """), arguments: [question.piece, question.household, question.key.text])
        case .everybody:
            try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM ledger WHERE claim = ?"), arguments: [question.key.text])
        }
        return try row.map { KnownAction(try LedgerRow($0, in: db)) }
    }
}

extension StateStore.KnownAction {
    fileprivate init(_ row: LedgerRow, notKept: String? = nil) {
        self.init(piece: row.piece, household: row.household, kind: row.kind, answer: row.answer,
                  moved: row.postings.reduce(0) { $0 + max(0, $1.amount) }, notKept: notKept)
    }
}

extension LedgerRow {
    fileprivate func answers(_ question: StateStore.Question) -> Bool {
        switch question.key.scope {
        case .household: claim == nil && key == question.key.text && piece == question.piece && household == question.household
        case .everybody: claim == question.key.text
        }
    }
}
