import JSON

/// What one line holds: a request, or a batch. A malformed request is the error to send back.
///
/// The line was read once, and is within `limits`. Parameters are not read yet.
public enum Incoming: Sendable {
    case single(Result<UnreadRequest, ErrorReply>)
    /// At least one, at most `batchLimit`.
    case batch([Result<UnreadRequest, ErrorReply>])

    /// Their answers are kept until the last is there.
    public static var batchLimit: Int { 64 }

    /// `table` has the methods that there are.
    public init(_ line: [UInt8], _ table: MethodTable) {
        var work = ReadingWork()
        self.init(line, table, &work)
    }

    /// The same. Adds what it costs to `work`.
    init(_ line: [UInt8], _ table: MethodTable, _ work: inout ReadingWork) {
        do throws(JSONRefusal) {
            self.init(try JSONText(line, within: .line, &work), table, &work)
        } catch {
            self = .single(.failure(error.reply))
        }
    }

    private init(_ text: JSONText, _ table: MethodTable, _ work: inout ReadingWork) {
        if text.nodes[0].kind == .list {
            let count = Int(text.nodes[0].count)
            if text.hasUnnumbers {
                self = .single(.failure(Self.hasUnnumbers))
            } else if (1...Self.batchLimit).contains(count) {
                self = .batch(text.children(of: 0).map { UnreadRequest.result(text, at: $0, table, &work) })
            } else {
                self = .single(.failure(ErrorReply(.invalidRequest, "a batch has 1 to \(Self.batchLimit) requests", id: .null)))
            }
        } else {
            let request = UnreadRequest.result(text, at: 0, table, &work)
            self = .single(text.hasUnnumbers ? request.flatMap { .failure(Self.blame($0, &work)) } : request)
        }
    }

    /// What to say about a request with a number that JSON has no word for. It is blamed on its field where it is in one, and the id is
    /// still found; but it is never acted on.
    private static func blame(_ request: UnreadRequest, _ work: inout ReadingWork) -> ErrorReply {
        switch request.read(&work) {
        case .success(let request): hasUnnumbers.answering(request.id ?? .null)
        case .failure(let error): error
        }
    }

    private static var hasUnnumbers: ErrorReply { ErrorReply(.parseError, "not JSON: it has no NaN and no Infinity") }
}

extension JSONLimits {
    /// Of what comes from a client. The deepest good request, a curve's point in a batch, is 9 deep. The one with the most values, an AHAP
    /// pattern of 64 events with all parameters there are and 64 more that change them all, has 1,866.
    static let line = JSONLimits(depth: 16, values: 1_920, name: 256)
}

extension JSONRefusal {
    fileprivate var reply: ErrorReply {
        switch self {
        case .notJSON(let reason): ErrorReply(.parseError, reason)
        case .tooMuch(let limit): ErrorReply(.invalidRequest, limit)
        }
    }
}
