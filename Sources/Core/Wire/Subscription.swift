import Fields
import Signals

/// The answer to `subscribe`: what there is now; what is different from then on is told.
public struct Subscription: Encodable, Sendable {
    public struct Snapshot: Encodable, Sendable {
        public var status: StatusReport
        public var state: StateReport
        /// What the piece says of itself, and under which name; nil for one that says nothing.
        public var piece: PieceSnapshot?

        public init(status: StatusReport, state: StateReport, piece: PieceSnapshot?) {
            self.status = status
            self.state = state
            self.piece = piece
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode(status, forKey: .init("status"))
            try container.encode(state, forKey: .init("state"))
            if let piece { try container.encode(piece, forKey: .init(piece.field)) }
        }
    }

    public var topics: [String]
    /// Of the last notification before; the next one has the number after it.
    public var number: UInt64
    public var snapshot: Snapshot

    public init(topics: [String], number: UInt64, snapshot: Snapshot) {
        self.topics = topics
        self.number = number
        self.snapshot = snapshot
    }
}

/// What a piece says of itself to whoever subscribes.
public struct PieceSnapshot: Encodable, Sendable {
    /// The name under which it says so.
    public let field: String
    private let answer: any Encodable & Sendable

    public init(field: String, answer: any Encodable & Sendable) {
        self.field = field
        self.answer = answer
    }

    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}
