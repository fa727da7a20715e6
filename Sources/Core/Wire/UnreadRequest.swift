import Fields
import JSON
import Signals

/// A request with a known method and id, whose parameters have not been read.
public struct UnreadRequest: Sendable {
    /// Nil for a notification.
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
            if let place = reading.field("id", of: node) { id = try RequestID(reading, at: place) }
            let name = try method(fields)
            guard let method = table[name] else { return .failure(table.refusal(of: name).answering(id)) }
            return .success(UnreadRequest(id: id, method: method, text: text, node: node))
        } catch {
            // A malformed request is answered even without an id: it is unknown whether an answer was wanted.
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

    /// The whole request, with its parameters.
    public func read() -> Result<Request, ErrorReply> {
        var work = ReadingWork()
        return read(&work)
    }

    /// The same. Adds what it costs to `work`.
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
    /// For what a reader of fields throws.
    init(_ code: Code, _ error: any Error) {
        if let fault = error as? Fault {
            self.init(code, fault: fault)
        } else {
            self.init(code, "\(error)")
        }
    }
}
