import FoundationEssentials
import Signals

/// One JSON-RPC 2.0 call, understood.
public struct Request: Equatable, Sendable {
    /// Nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}

public enum Call: Equatable, Sendable {
    /// The front end introduces itself.
    /// `gestures`: it reports swipes and taps itself, so those that we see are not wanted.
    case hello(client: String?, gestures: Bool)
    case status
    case ask(Question)
    /// The front end wants to be told of these, and of nothing else, from now on.
    case subscribe(Set<Announcement.Topic>)
    /// `at` is when it happened, CLOCK_MONOTONIC in nanoseconds; nil for now.
    case report(Happening, at: Int64?)

    /// Every method there is, for errors and `hello`.
    public static let methods = (["hello", "status", "subscribe"] + Question.methods + Happening.reportable).sorted()
}

/// What ties an answer to its request.
public enum RequestID: Equatable, Sendable, Codable {
    case integer(Int64)
    case text(String)
    case null

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            throw Fault(field: "id", expected: "a whole number, text or null")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .null: try container.encodeNil()
        }
    }
}

extension Request {
    /// Reads one line. What is wrong with it becomes the error to send back.
    public static func read(_ line: [UInt8]) throws(ErrorReply) -> Request {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so they never get there.
        guard String(validating: line, as: UTF8.self) != nil else { throw ErrorReply(.parseError, "not UTF-8") }
        let data = Data(line)
        let envelope: Envelope
        do {
            envelope = try JSONDecoder().decode(Envelope.self, from: data)
        } catch {
            throw diagnose(data)
        }
        return try envelope.request()
    }

    /// What to say about a line that is not JSON. Read leniently (as JSON5), a number such as NaN can still be blamed
    /// on its field, and the id still be found; but nothing that the strict reading refused is ever acted on.
    private static func diagnose(_ data: Data) -> ErrorReply {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let notJSON = ErrorReply(.parseError, "not JSON")
        guard let envelope = try? decoder.decode(Envelope.self, from: data) else { return notJSON }
        do throws(ErrorReply) {
            let request = try envelope.request()
            return ErrorReply(.parseError, "not JSON", id: request.id ?? .null)
        } catch {
            return error
        }
    }
}

/// A line read as far as it can be without failing: each part carries its own outcome.
private struct Envelope: Decodable {
    var id: Result<RequestID?, Fault>
    var outcome: Result<Call, ErrorReply>

    init(from decoder: any Decoder) throws {
        let fields: Fields
        do {
            fields = try Fields(decoder)
        } catch {
            id = .success(.null)
            outcome = .failure(ErrorReply(.invalidRequest, "expected one JSON object a line"))
            return
        }
        do {
            id = .success(fields.contains("id") ? try fields.nested(RequestID.self, "id", expected: "an id") : nil)
        } catch let fault as Fault {
            id = .failure(fault)
        }
        do {
            outcome = .success(try Self.call(fields))
        } catch let error as ErrorReply {
            outcome = .failure(error)
        } catch let fault as Fault {
            outcome = .failure(ErrorReply(.invalidRequest, fault: fault))
        }
    }

    private static func call(_ fields: Fields) throws -> Call {
        guard let version = try fields.textIfPresent("jsonrpc") else {
            throw fields.fault("jsonrpc", "\"2.0\"", found: "nothing")
        }
        guard version == "2.0" else { throw fields.fault("jsonrpc", "\"2.0\"", found: "\"\(version)\"") }
        let method = try fields.text("method")
        try fields.refuseAll(but: ["jsonrpc", "id", "method", "params"])
        do {
            return try read(method, try fields.object("params"))
        } catch let fault as Fault {
            throw ErrorReply(.invalidParams, fault: fault)
        }
    }

    private static func read(_ method: String, _ parameters: Fields) throws -> Call {
        switch method {
        case "hello":
            try parameters.refuseAll(but: ["client", "gestures"])
            return .hello(client: try parameters.textIfPresent("client"), gestures: try parameters.flagIfPresent("gestures") ?? false)
        case "status":
            try parameters.refuseAll(but: [])
            return .status
        case "subscribe":
            try parameters.refuseAll(but: ["topics"])
            return .subscribe(Set(try parameters.choicesIfPresent("topics") ?? Announcement.Topic.allCases))
        default:
            if let question = try Question(method: method, parameters) { return .ask(question) }
            if Happening.reportable.contains(method),
               let happening = try Happening(name: method, parameters, besides: ["at"]) {
                return .report(happening, at: try parameters.integerIfPresent("at", in: 0...Int.max).map { Int64($0) })
            }
            let expected = "one of " + Call.methods.joined(separator: ", ")
            let found = "\"\(method.prefix(64))\""
            throw ErrorReply(.methodNotFound, fault: Fault(field: "method", expected: expected, found: found))
        }
    }

    func request() throws(ErrorReply) -> Request {
        let id: RequestID?
        switch self.id {
        case .success(let found): id = found
        case .failure(let fault): throw ErrorReply(.invalidRequest, fault: fault)
        }
        switch outcome {
        case .success(let call): return Request(id: id, call: call)
        case .failure(let error): throw error.answering(id)
        }
    }
}
