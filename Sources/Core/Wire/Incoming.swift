import Fields
import JSON

/// The content of one line from a client: a request, or a batch of them. A malformed request stands here as the error to send back.
///
/// The line has been parsed once, and is within `JSONLimits.line`. Parameters have not been read yet.
public enum Incoming: Sendable {
    case single(Result<UnreadRequest, ErrorReply>)
    /// A batch of 1 to `batchLimit` requests.
    case batch([Result<UnreadRequest, ErrorReply>])

    /// The largest number of requests in a batch. The answers to a batch are held back until the last one is ready, so their number must be
    /// limited.
    public static var batchLimit: Int { 64 }

    /// Parses a line. `table` contains the methods that a request may name.
    public init(_ line: [UInt8], _ table: MethodTable) {
        var work = ReadingWork()
        self.init(line, table, &work)
    }

    /// Parses a line, and adds the work that it took to `work`.
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

    /// Returns the error for a request with a NaN or an Infinity, which JSON does not allow. The error has the request's id, and names the
    /// field with that number where possible. Such a request is never carried out.
    private static func blame(_ request: UnreadRequest, _ work: inout ReadingWork) -> ErrorReply {
        switch request.read(&work) {
        case .success(let request): hasUnnumbers.answering(request.id ?? .null)
        case .failure(let error): error
        }
    }

    private static var hasUnnumbers: ErrorReply { ErrorReply(.parseError, "not JSON: it has no NaN and no Infinity") }
}

extension JSONLimits {
    /// Limits for a line from a client. The deepest valid request, which has a curve's point in a batch, has 9 levels. The one with the
    /// most values, 1,866, has an AHAP pattern of 64 events with all possible parameters and 64 more parameters that change all events.
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

/// A request whose method and id are known, but whose parameters have not been read.
public struct UnreadRequest: Sendable {
    /// The request's id; nil for a notification.
    public let id: RequestID?
    public let method: Method
    private let text: JSONText
    private let node: Int

    private init(id: RequestID?, method: Method, text: JSONText, node: Int) {
        self.id = id
        self.method = method
        self.text = text
        self.node = node
    }

    static func result(_ text: JSONText, at node: Int, _ table: MethodTable, _ work: inout ReadingWork)
        -> Result<UnreadRequest, ErrorReply> {
        let reading = JSONReading(text, root: node)
        defer { work += reading.work }
        guard let fields = try? Fields(reading.decoder) else {
            return .failure(ErrorReply(.invalidRequest, "expected a JSON object"))
        }
        var id: RequestID?
        do {
            if let idNode = reading.field("id", of: node) { id = try RequestID(reading, at: idNode) }
            let name = try method(fields)
            guard let method = table[name] else { return .failure(table.refusal(of: name).answering(id)) }
            return .success(UnreadRequest(id: id, method: method, text: text, node: node))
        } catch {
            // A malformed request is answered even if it has no id, because nobody can know whether an answer was wanted.
            return .failure(ErrorReply(.invalidRequest, error).answering(id ?? .null))
        }
    }

    private static func method(_ fields: Fields) throws -> String {
        guard let version = try fields.textIfPresent("jsonrpc", limit: 8) else {
            throw fields.fault("jsonrpc", "\"2.0\"", found: "nothing")
        }
        guard version.utf8.elementsEqual("2.0".utf8) else { throw fields.fault("jsonrpc", "\"2.0\"", found: "\"\(version)\"") }
        let method = try fields.text("method", limit: 64)
        try fields.refuseAll(but: ["jsonrpc", "id", "method", "params"])
        return method
    }

    /// Reads the parameters, and returns the complete request.
    public func read() -> Result<Request, ErrorReply> {
        var work = ReadingWork()
        return read(&work)
    }

    /// Reads the parameters, and adds the work that it took to `work`.
    func read(_ work: inout ReadingWork) -> Result<Request, ErrorReply> {
        let whole = JSONReading(text, root: node)
        defer { work += whole.work }
        do {
            let call = if let list = whole.field("params", of: node), whole.kind(list) == .list {
                try method.read(text, list: list, &work)
            } else {
                try method.read(try Fields(whole.decoder).object("params"))
            }
            return .success(Request(id: id, call: call))
        } catch {
            return .failure(ErrorReply(.invalidParams, error).answering(id))
        }
    }
}

extension ErrorReply {
    /// Creates the error reply for what a reader of fields has thrown.
    init(_ code: Code, _ error: any Error) {
        if let fault = error as? Fault {
            self.init(code, fault: fault)
        } else {
            self.init(code, "\(error)")
        }
    }
}

/// The id that ties an answer to its request: a JSON number, a string or null. The answer repeats it byte for byte, so that long numbers
/// keep all their digits.
public struct RequestID: Equatable, Sendable {
    /// The id as JSON text.
    let literal: [UInt8]

    public static let null = RequestID(literal: "null")

    /// The largest number of bytes in a number, or in a string without escapes. It is limited because the answer repeats the id.
    private static let longest = 256

    public static func integer(_ value: Int64) -> RequestID { RequestID(literal: "\(value)") }

    /// Creates an id from its JSON text.
    init(literal: String) { self.literal = Array(literal.utf8) }

    /// Reads the id at `node`. Throws a `Fault` where the value is no number, string or null, or is too long.
    init(_ reading: JSONReading, at node: Int) throws(Fault) {
        let literal = reading.text.slice(node)
        let isID = switch reading.kind(node) {
        case .null: true
        case .number: literal.count <= Self.longest
        case .text: reading.string(node).map { $0.utf8.count <= Self.longest } ?? false
        case .object, .list, .name, .yes, .no, .unnumber: false
        }
        guard isID else { throw Fault(field: "id", expected: "a number or text of at most \(Self.longest) bytes, or null") }
        self.literal = Array(literal)
    }
}

/// Splits a stream of bytes into lines of at most `limit` bytes.
public struct LineFramer: Sendable {
    public enum Line: Equatable, Sendable {
        /// A whole line, without the newline (or the carriage return and newline) at its end.
        case complete([UInt8])
        /// A line was longer than the limit. The rest of it, up to its newline, is dropped.
        case oversized
    }

    /// The protocol's longest line in bytes: 64 KiB.
    public static let standardLimit = 65_536

    public let limit: Int
    private var partial: [UInt8] = []
    private var isDiscarding = false

    public init(limit: Int = standardLimit) { self.limit = limit }

    /// Adds the next bytes, and returns the lines that they complete, in order. It never holds more than `limit` bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) -> [Line] {
        bytes.withContiguousStorageIfAvailable { cut($0) } ?? Array(bytes).withUnsafeBufferPointer { cut($0) }
    }

    private mutating func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(newline ?? rest.endIndex)]
            if !isDiscarding, partial.count + part.count > limit {
                isDiscarding = true
                partial = []
                lines.append(.oversized)
            }
            if !isDiscarding { partial.append(contentsOf: part) }
            guard let newline else { break }
            rest = rest[(newline + 1)...]
            if !isDiscarding {
                if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
                lines.append(.complete(partial))
                partial = []
            }
            isDiscarding = false
        }
        return lines
    }
}
