import Experience
import Fields
import JSON
import Signals

/// A message to subscribers: a call without an id, which wants no answer. It is encoded once, and numbered for each of them.
public struct Notification: Sendable {
    private let method: String
    /// The parameters: a JSON object without its opening brace.
    private var parameters: ArraySlice<UInt8>

    /// Creates a notification whose parameters are `object`, a JSON object and a newline.
    public init(_ topic: Topic, json object: [UInt8]) { self.init(method: topic.name, object) }

    public init(_ topic: Topic, _ parameters: some Encodable) { self.init(topic, json: Reply.line(parameters)) }

    /// Creates a notification with the part of `object`, a JSON object, that `sight` leaves.
    public init(_ topic: Topic, json object: [UInt8], _ sight: HouseholdSight, _ inConfidence: [String: Confidence]) {
        self.init(topic, json: Reply.line(sight.part(ofJSON: object, inConfidence)))
    }

    /// Creates a notification that comes many times a second. Its numbers are finite.
    public init(_ topic: Topic, _ touches: TouchesReport) {
        do {
            self.init(topic, json: try JSONWriter.bytes(of: touches) + [UInt8(ascii: "\n")])
        } catch {
            preconditionFailure("positions are finite: \(error)")
        }
    }

    public init(_ announcement: Announcement) { self.init(Topic(announcement.topic), announcement) }

    /// Creates a notification that is only shown: nothing of it has happened.
    public init(rehearsing announcement: Announcement) {
        self.init(announcement)
        parameters = Array("\"rehearsal\":true".utf8) + (parameters.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]) + parameters
    }

    /// A notification that `count` notifications were left out because the client did not read. It comes before the next one that the
    /// client gets.
    public static func missed(_ count: UInt64) -> Notification { Notification(method: missedName, Reply.line(Missed(count: count))) }

    /// The method of the notification that has no topic. Every subscriber is told it.
    static let missedName = "missed"

    struct Missed: Encodable { var count: UInt64 }

    private init(method: String, _ object: [UInt8]) {
        precondition(object.first == UInt8(ascii: "{"), "parameters are an object")
        self.method = method
        parameters = object.dropFirst().dropLast()
    }

    /// Writes the notification's line. `number` grows by one with every notification that was for this client, whether it got it or not.
    public func line(number: UInt64) -> [UInt8] {
        let head = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"number\":\(number)"
        let comma = parameters.first == UInt8(ascii: "}") ? "" : ","
        return Array((head + comma).utf8) + parameters + Array("}\n".utf8)
    }
}

/// The answer to `subscribe`: the state now. Later changes are told by notifications.
public struct Subscription: Encodable, Sendable {
    public struct Snapshot: Encodable, Sendable {
        /// The status; nil for a client that may not ask for it.
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
    /// The subscribed topics of other pieces, of which nothing is told while this piece runs; nil where there are none.
    public var silent: [String]?
    /// The number of the last notification before this answer. The next one has the number after it.
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
    /// The name of the field that holds the snapshot.
    public let field: String
    private let answer: any Encodable & Sendable

    public init(field: String, answer: any Encodable & Sendable) {
        self.field = field
        self.answer = answer
    }

    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}
