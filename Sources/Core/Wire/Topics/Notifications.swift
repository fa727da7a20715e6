import Experience
import Fields
import JSON
import Signals

/// A message to subscribers, as a JSON-RPC call without an id, which gets no answer. It is encoded once, and numbered for each subscriber.
public struct Notification: Sendable {
    private let method: String
    /// The parameters as JSON: an object without its opening brace.
    private var parameters: ArraySlice<UInt8>

    /// Creates a notification. `object`, a JSON object followed by a newline, has its parameters.
    public init(_ topic: Topic, json object: [UInt8]) { self.init(method: topic.name, object) }

    public init(_ topic: Topic, _ parameters: some Encodable) { self.init(topic, json: Reply.line(parameters)) }

    /// Creates a notification from those fields of `object`, a JSON object, that a client with this `sight` may see.
    public init(_ topic: Topic, json object: [UInt8], _ sight: HouseholdSight, _ inConfidence: [String: Confidence]) {
        self.init(topic, json: Reply.line(sight.part(ofJSON: object, inConfidence)))
    }

    /// Creates a notification of touches, which comes many times a second. All its numbers must be finite.
    public init(_ topic: Topic, _ touches: TouchesReport) {
        do {
            self.init(topic, json: try JSONWriter.bytes(of: touches) + [UInt8(ascii: "\n")])
        } catch {
            preconditionFailure("positions are finite: \(error)")
        }
    }

    public init(_ announcement: Announcement) { self.init(Topic(announcement.topic), announcement) }

    /// Creates a notification for a rehearsal: it is shown, but nothing of it has happened.
    public init(rehearsing announcement: Announcement) {
        self.init(announcement)
        let comma = parameters.first == UInt8(ascii: "}") ? "" : ","
        parameters = ArraySlice("\"rehearsal\":true\(comma)".utf8) + parameters
    }

    /// Returns the notification that tells a client that `count` notifications were dropped, because it did not read them. It is sent
    /// before the next notification that the client gets.
    public static func missed(_ count: UInt64) -> Notification { Notification(method: missedName, Reply.line(Missed(count: count))) }

    /// The method name of the notification that tells a client how many notifications were dropped. It belongs to no topic: every
    /// subscriber gets it.
    static let missedName = "missed"

    struct Missed: Encodable { var count: UInt64 }

    private init(method: String, _ object: [UInt8]) {
        precondition(object.first == UInt8(ascii: "{"), "parameters are an object")
        self.method = method
        parameters = object.dropFirst().dropLast()
    }

    /// Writes the notification's line. `number` grows by one with each notification for this client, including those that were dropped.
    public func line(number: UInt64) -> [UInt8] {
        let head = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"number\":\(number)"
        let comma = parameters.first == UInt8(ascii: "}") ? "" : ","
        var line = Array((head + comma).utf8)
        line += parameters
        line += "}\n".utf8
        return line
    }
}

/// The answer to `subscribe`: the present state. Later changes come as notifications.
public struct Subscription: Encodable, Sendable {
    public struct Snapshot: Encodable, Sendable {
        /// The status; nil for a client that may not see it.
        public var status: StatusReport?
        public var state: StateReport
        /// The running piece's snapshot; nil for a piece without one.
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
    /// The subscribed topics that stay silent while this piece runs, because they belong to other pieces; nil where there are none.
    public var silent: [String]?
    /// The number of the last notification before this answer. The next notification has the number after it.
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
    /// The name of the field in which the snapshot is sent.
    public let field: String
    private let answer: any Encodable & Sendable

    public init(field: String, answer: any Encodable & Sendable) {
        self.field = field
        self.answer = answer
    }

    public func encode(to encoder: any Encoder) throws { try answer.encode(to: encoder) }
}
