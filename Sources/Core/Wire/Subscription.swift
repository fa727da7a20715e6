import Fields
import Signals

/// The answer to `subscribe`: the state now. Changes are told from then on.
public struct Subscription: Encodable, Sendable {
    public struct Snapshot: Encodable, Sendable {
        /// Nil for a client that may not ask for it.
        public var status: StatusReport?
        public var state: StateReport
        /// The piece's snapshot; nil for a piece without one.
        public var piece: PieceSnapshot?

        public init(status: StatusReport?, state: StateReport, piece: PieceSnapshot?) {
            self.status = status
            self.state = state
            self.piece = piece
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encodeIfPresent(status, forKey: .init("status"))
            try container.encode(state, forKey: .init("state"))
            if let piece { try container.encode(piece, forKey: .init(piece.field)) }
        }
    }

    public var topics: [String]
    /// Those of them that are other pieces', of which nothing is told while this piece runs; nil where there are none.
    public var silent: [String]?
    /// The number of the last notification before; the next one has the number after it.
    public var number: UInt64
    public var snapshot: Snapshot

    public init(topics: [String], silent: [String]?, number: UInt64, snapshot: Snapshot) {
        self.topics = topics
        self.silent = silent
        self.number = number
        self.snapshot = snapshot
    }
}

/// The piece's part of the answer to `subscribe`.
public struct PieceSnapshot: Encodable, Sendable {
    /// The field that it is in.
    public let field: String
    private let answer: any Encodable & Sendable

    public init(field: String, answer: any Encodable & Sendable) {
        self.field = field
        self.answer = answer
    }

    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}
