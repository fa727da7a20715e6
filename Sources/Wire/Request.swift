import FoundationEssentials
import Signals

/// What a server understands: methods, each with its parameters.
public protocol Callable: Sendable {
    /// Nil when there is no such method. Throws `Fault` for a parameter that is wrong.
    init?(method: String, _ parameters: Fields) throws
    /// Every method there is.
    static var methods: [String] { get }
    /// The names of a method's parameters, in the order in which they may be given without names.
    static func parameterNames(of method: String) -> [String]
}

/// One JSON-RPC 2.0 request, understood.
public struct Request<Call: Callable>: Sendable {
    /// Nil for a notification, which gets no answer, not even an error.
    public var id: RequestID?
    public var call: Call

    public init(id: RequestID?, call: Call) {
        self.id = id
        self.call = call
    }
}

extension Request: Equatable where Call: Equatable {}

/// What one line holds: a request, or several that are answered together. What is wrong with one is the error to send back.
public enum Incoming<Call: Callable>: Sendable {
    case single(Result<Request<Call>, ErrorReply>)
    /// At least one, at most `batchLimit`.
    case batch([Result<Request<Call>, ErrorReply>])

    /// Their answers are kept until the last is there.
    public static var batchLimit: Int { 64 }

    public init(_ line: [UInt8]) {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so they never get there.
        guard String(validating: line, as: UTF8.self) != nil else {
            self = .single(.failure(ErrorReply(.parseError, "not UTF-8")))
            return
        }
        let data = Data(line)
        let isBatch = line.first { !" \t\r".utf8.contains($0) } == UInt8(ascii: "[")
        do {
            if isBatch {
                let envelopes = try JSONDecoder().decode([Envelope<Call>].self, from: data)
                self = (1...Self.batchLimit).contains(envelopes.count) ? .batch(envelopes.map { $0.request() })
                    : .single(.failure(ErrorReply(.invalidRequest, "a batch has 1 to \(Self.batchLimit) requests")))
            } else {
                self = .single(try JSONDecoder().decode(Envelope<Call>.self, from: data).request())
            }
        } catch {
            self = .single(.failure(isBatch ? ErrorReply(.parseError, "not JSON") : Self.diagnose(line)))
        }
    }

    /// What to say about a line that is not JSON. A number such as NaN, which JSON has no word for, is still blamed on its field, and
    /// the id still found; but nothing that the strict reading refused is ever acted on.
    private static func diagnose(_ line: [UInt8]) -> ErrorReply {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let envelope = try? decoder.decode(Envelope<Call>.self, from: Data(UnnumberWords.quoted(in: line))) else {
            return ErrorReply(.parseError, "not JSON")
        }
        switch envelope.request() {
        case .success(let request): return ErrorReply(.parseError, "not JSON", id: request.id ?? .null)
        case .failure(let error): return error
        }
    }
}
