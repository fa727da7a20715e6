import Fields
import FoundationEssentials
import JSON

/// Writes answers as the bytes of a line.
public enum Reply {
    /// Writes `{"jsonrpc":"2.0","id":…,"result":…}` and a newline.
    public static func line(result: some Encodable, id: RequestID) -> [UInt8] { beginning(id) + line(Success(result: result)).dropFirst() }

    /// Writes `{"jsonrpc":"2.0","id":…,"result":…}` and a newline, for a result that has been encoded already.
    public static func line(result: EncodedResult, id: RequestID) -> [UInt8] {
        beginning(id) + Array(#""jsonrpc":"2.0","result":"#.utf8) + result.json + Array("}\n".utf8)
    }

    /// Writes `{"jsonrpc":"2.0","id":…,"error":…}` and a newline. Returns no bytes for a notification, which gets no answer.
    public static func line(error: ErrorReply) -> [UInt8] {
        guard let id = error.id else { return [] }
        var answer = line(Failure(error: error))
        answer.insert(contentsOf: Array(#""id":"#.utf8) + id.literal + [UInt8(ascii: ",")], at: answer.count - ending.count)
        return answer
    }

    // Keys are always in alphabetical order, so `id` stands before `jsonrpc`.
    private static func beginning(_ id: RequestID) -> [UInt8] { Array(#"{"id":"#.utf8) + id.literal + [UInt8(ascii: ",")] }
    private static let ending = Array(#""jsonrpc":"2.0"}"#.utf8) + [UInt8(ascii: "\n")]

    /// Joins answers, each a line with a newline, into one line with a JSON list.
    public static func batch(_ lines: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + lines.map { $0.dropLast() }.joined(separator: [UInt8(ascii: ",")]) + Array("]\n".utf8)
    }

    /// What an answer says: the JSON of its result, or what went wrong.
    public enum Outcome: Equatable, Sendable {
        case result([UInt8])
        case problem(String)
    }

    /// Reads the outcome from a line that this daemon has written.
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

/// A result that is always the same and takes long to encode. It is encoded only once.
public struct EncodedResult: Sendable {
    fileprivate let json: [UInt8]

    public init(_ result: some Encodable) { json = Reply.line(result).dropLast() }
}

/// The answer to `hello`.
public struct Greeting: Codable, Equatable, Sendable {
    public var name = "thrumd"
    public var version: String
    /// The version of this protocol. It grows with each change to which a front end would have to be adapted.
    public var protocolVersion = 1
    /// The engine's sample rate in Hz.
    public var sampleRate: Int
    public var experience: String
    /// The time from an event until its sound leaves the sink, in milliseconds, as far as the sound server knows.
    public var latencyMilliseconds: Double
    /// The optional parts that this daemon has: a subset of `allCapabilities`.
    public var capabilities: [String]
    public var role: Role
    /// The name of the person to whom the client's token belongs, under which the client proposes and approves; nil without a token.
    public var person: String?
    /// The client's number, as in the journal's events.
    public var client: Int
    public var methods: [String]
    /// Whose touches count; nil where the client did not ask.
    public var touches: TouchOwnerReport?
    /// The name of the machine's time zone, such as `Europe/Berlin`; nil where it has none.
    public var timeZone: String?
    /// The seconds by which the machine's local time is ahead of UTC at present.
    public var utcOffset: Int

    static let allCapabilities = ["http", "osc", "touchscreens", "transducer"]

    public init(version: String, sampleRate: Int, experience: String, latencyMilliseconds: Double, capabilities: [String], role: Role,
                person: String? = nil, client: Int, methods: [String], touches: TouchOwnerReport? = nil, timeZone: String?,
                utcOffset: Int) {
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
        self.timeZone = timeZone
        self.utcOffset = utcOffset
    }
}

/// The answer to `ping`.
public struct Pong: Codable, Equatable, Sendable {
    /// When the `ping` was read, by CLOCK_MONOTONIC in nanoseconds.
    public var time: Int64

    public init(time: Int64) { self.time = time }
}

/// The answer to a request that reported an event with an id.
public struct Receipt: Codable, Equatable, Sendable {
    /// The session's frame at which the event took effect; nil when no session was running and the event started none.
    public var frame: Int64?
    /// The delay in milliseconds from when the event was due to when it took effect; nil when it was on time.
    public var lateMilliseconds: Double?
    /// Why the event's effect is not on disk yet: a restart would lose the effect, unless it is written by then. nil when it is on disk, or
    /// need not be.
    public var notKept: String?
    /// The keys of the ledger entries that the event made, but the ledger did not record, because it had such keys already; nil when there
    /// are none.
    public var alreadyKept: [String]?
    /// The piece's answer; nil when it gives none.
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
