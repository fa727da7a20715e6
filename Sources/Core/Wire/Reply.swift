import Fields
import FoundationEssentials
import JSON
import Signals

/// One answer, as the bytes of its line.
public enum Reply {
    /// `{"jsonrpc":"2.0","id":…,"result":…}` and a newline.
    public static func line(result: some Encodable, id: RequestID) -> [UInt8] { beginning(id) + line(Success(result: result)).dropFirst() }

    /// The same for a result that was encoded before.
    public static func line(result: EncodedResult, id: RequestID) -> [UInt8] {
        beginning(id) + Array(#""jsonrpc":"2.0","result":"#.utf8) + result.json + Array("}\n".utf8)
    }

    /// `{"jsonrpc":"2.0","id":…,"error":…}` and a newline; empty when nobody asked.
    public static func line(error: ErrorReply) -> [UInt8] {
        guard let id = error.id else { return [] }
        var answer = line(Failure(error: error))
        answer.insert(contentsOf: Array(#""id":"#.utf8) + id.literal + [UInt8(ascii: ",")], at: answer.count - ending.count)
        return answer
    }

    // Keys are in alphabetical order everywhere: an id stands before `jsonrpc`.
    private static func beginning(_ id: RequestID) -> [UInt8] { Array(#"{"id":"#.utf8) + id.literal + [UInt8(ascii: ",")] }
    private static let ending = Array(#""jsonrpc":"2.0"}"#.utf8) + [UInt8(ascii: "\n")]

    /// Several answers, each with its newline, as one line: a JSON list of them.
    public static func batch(_ lines: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + lines.map { $0.dropLast() }.joined(separator: [UInt8(ascii: ",")]) + Array("]\n".utf8)
    }

    /// What an answer says: the JSON of its result, or what went wrong.
    public enum Outcome: Equatable, Sendable {
        case result([UInt8])
        case problem(String)
    }

    /// Of one of our own lines.
    public static func outcome(of line: [UInt8]) -> Outcome {
        do {
            let text = try JSONText(line, within: .none)
            let answer = JSONReading(text)
            if let result = answer.field("result", of: 0) { return .result(Array(text.slice(result))) }
            let message = answer.field("error", of: 0).flatMap { answer.field("message", of: $0) }
            return .problem(message.flatMap { text.text($0) } ?? "")
        } catch {
            preconditionFailure("our own lines are JSON: \(error)")
        }
    }

    static func line(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return [UInt8](try encoder.encode(message)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("our own messages always encode: \(error)")
        }
    }

    private struct Success<Result: Encodable>: Encodable {
        let jsonrpc = "2.0"
        var result: Result

        enum CodingKeys: CodingKey { case jsonrpc, result }
    }

    private struct Failure: Encodable {
        let jsonrpc = "2.0"
        var error: ErrorReply

        enum CodingKeys: CodingKey { case jsonrpc, error }
    }
}

/// A result that is the same each time and costs much to encode: it is encoded once.
public struct EncodedResult: Sendable {
    fileprivate let json: [UInt8]

    public init(_ result: some Encodable) { json = Reply.line(result).dropLast() }
}

/// The answer to `hello`.
public struct Greeting: Codable, Equatable, Sendable {
    public var name = "thrumd"
    public var version: String
    /// Of this protocol; it grows when a front end would have to change.
    public var protocolVersion = 1
    /// Hz.
    public var sampleRate: Int
    public var experience: String
    /// From an event to its sound leaving the sink, as far as the server knows, in milliseconds.
    public var latencyMilliseconds: Double
    /// What this daemon has, beside what every one has: some of `allCapabilities`.
    public var capabilities: [String]
    public var role: Role
    /// Whose token it is that this client shows: the name by which they propose and approve. Nil for a client without a token.
    public var person: String?
    /// The number this client's events carry in the journal.
    public var client: Int
    public var methods: [String]
    /// For a page that has asked.
    public var touches: TouchOwnerReport?

    static let allCapabilities = ["http", "osc", "touchscreens", "transducer"]

    public init(version: String, sampleRate: Int, experience: String, latencyMilliseconds: Double, capabilities: [String], role: Role,
                person: String? = nil, client: Int, methods: [String], touches: TouchOwnerReport? = nil) {
        self.version = version
        self.sampleRate = sampleRate
        self.experience = experience
        self.latencyMilliseconds = latencyMilliseconds
        self.capabilities = capabilities
        self.role = role
        self.person = person
        self.client = client
        self.methods = methods
        self.touches = touches
    }
}

/// The answer to `ping`.
public struct Pong: Codable, Equatable, Sendable {
    /// When it was read, CLOCK_MONOTONIC in nanoseconds.
    public var time: Int64

    public init(time: Int64) { self.time = time }
}

/// The answer to an event that was asked with an id.
public struct Receipt: Codable, Equatable, Sendable {
    /// The session's frame at which it took effect; nil when nothing came of it because no session is running.
    public var frame: Int64?
    /// How much later that is than it was due; nil when it is not.
    public var lateMilliseconds: Double?
    /// Why what took effect is not on the disk by now, and will not outlast a restart unless it still gets there; nil when it is, or need
    /// not be.
    public var notKept: String?
    /// Keys of the event's entries that the ledger had already, and did not record again; nil when it had none of them.
    public var alreadyKept: [String]?
    /// What the piece answers; nil when it answers nothing.
    public var result: JSONValue?

    public init(frame: Int64?, lateMilliseconds: Double? = nil, notKept: String? = nil, alreadyKept: [String]? = nil,
                result: JSONValue? = nil) {
        self.frame = frame
        self.lateMilliseconds = lateMilliseconds
        self.notKept = notKept
        self.alreadyKept = alreadyKept
        self.result = result
    }
}
