import Experience
import JSON
import Signals

/// What subscribers are told without having asked: a call without an id, which wants no answer. Put into JSON once, and numbered for
/// each of them.
public struct Notification: Sendable {
    private let method: String
    /// The parameters: a JSON object without its opening brace.
    private var parameters: ArraySlice<UInt8>

    /// `object` is a JSON object and a newline.
    public init(_ topic: Topic, json object: [UInt8]) { self.init(method: topic.name, object) }

    public init(_ topic: Topic, _ parameters: some Encodable) { self.init(topic, json: Reply.line(parameters)) }

    /// The part of `object`, a JSON object, that `sight` leaves.
    public init(_ topic: Topic, json object: [UInt8], _ sight: Sight, _ inConfidence: [String: Confidence]) {
        self.init(topic, json: Reply.line(sight.part(ofJSON: object, inConfidence)))
    }

    /// One that comes many times a second. Its numbers are finite.
    public init(_ topic: Topic, _ touches: TouchesReport) {
        do {
            self.init(topic, json: try JSONWriter.bytes(of: touches) + [UInt8(ascii: "\n")])
        } catch {
            preconditionFailure("positions are finite: \(error)")
        }
    }

    public init(_ announcement: Announcement) { self.init(Topic(announcement.topic), announcement) }

    /// One that is only shown: nothing of it has happened.
    public init(rehearsing announcement: Announcement) {
        self.init(announcement)
        parameters = Array("\"rehearsal\":true".utf8) + (parameters.first == UInt8(ascii: "}") ? [] : [UInt8(ascii: ",")]) + parameters
    }

    /// Told before the next that a client does not miss: so many were left out, because it did not read.
    public static func missed(_ count: UInt64) -> Notification { Notification(method: missedName, Reply.line(Missed(count: count))) }

    /// The one that is no topic: whoever subscribes to any is told it.
    static let missedName = "missed"

    struct Missed: Encodable { var count: UInt64 }

    private init(method: String, _ object: [UInt8]) {
        precondition(object.first == UInt8(ascii: "{"), "parameters are an object")
        self.method = method
        parameters = object.dropFirst().dropLast()
    }

    /// The bytes of its line. `number` grows by one with every notification that was for this client, whether it got it or not.
    public func line(number: UInt64) -> [UInt8] {
        let head = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"number\":\(number)"
        let comma = parameters.first == UInt8(ascii: "}") ? "" : ","
        return Array((head + comma).utf8) + parameters + Array("}\n".utf8)
    }
}
