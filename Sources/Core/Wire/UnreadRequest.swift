import Fields
import JSON
import Signals

/// A request of which it is known who asks and for what: that there is such a method, but not whether its parameters are good.
public struct UnreadRequest<Call: Callable>: Sendable {
    /// Nil for a notification.
    public let id: RequestID?
    /// One of `Call.methods`.
    public let method: String
    private let text: JSONText
    private let node: Int

    private init(id: RequestID?, method: String, text: JSONText, node: Int) {
        self.id = id
        self.method = method
        self.text = text
        self.node = node
    }

    static func result(_ text: JSONText, at node: Int, _ work: inout ReadingWork) -> Result<UnreadRequest, ErrorReply> {
        let reading = JSONReading(text, root: node)
        defer { work += reading.work }
        guard let fields = try? Fields(reading.decoder) else {
            return .failure(ErrorReply(.invalidRequest, "expected a JSON object"))
        }
        var id: RequestID?
        do {
            if fields.contains("id") { id = try fields.nested(RequestID.self, "id", expected: "an id") }
            let method = try method(fields)
            guard Fields.contains(Call.methods, method) else { return .failure(Call.unknown(method).answering(id)) }
            return .success(UnreadRequest(id: id, method: method, text: text, node: node))
        } catch {
            // A request that is none is answered even without an id: nobody can tell whether an answer was wanted.
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
    public func read() -> Result<Request<Call>, ErrorReply> {
        var work = ReadingWork()
        return read(&work)
    }

    /// The same. Adds what it costs to `work`.
    func read(_ work: inout ReadingWork) -> Result<Request<Call>, ErrorReply> {
        let whole = JSONReading(text, root: node)
        defer { work += whole.work }
        do {
            let call = if let list = whole.field("params", of: node), whole.kind(list) == .list {
                try Call.read(method, text, list: list, &work)
            } else {
                try Call(method: method, try Fields(whole.decoder).object("params"))
            }
            guard let call else { return .failure(Call.unknown(method).answering(id)) }
            return .success(Request(id: id, call: call))
        } catch {
            return .failure(ErrorReply(.invalidParams, error).answering(id))
        }
    }
}

extension Callable {
    /// Reads parameters without names: they have those of the method, in their order, and null leaves one out. Nil when there is no such
    /// method. Throws `Fault`.
    static func read(_ method: String, _ text: JSONText, list: Int, _ work: inout ReadingWork) throws -> Self? {
        let names = parameterNames(of: method)
        let count = Int(text.nodes[list].count)
        guard count <= names.count else { throw tooMany(count, of: names) }
        let reading = JSONReading(text, root: list, names: names)
        defer { work += reading.work }
        return try Self(method: method, try Fields(reading.decoder))
    }

    static func tooMany(_ count: Int, of names: [String]) -> Fault {
        let expected = names.isEmpty ? "none" : "at most \(names.count) without a name (\(names.joined(separator: ", ")))"
        return Fault(field: "params", expected: expected, found: "\(count)")
    }

    fileprivate static func unknown(_ method: String) -> ErrorReply {
        let expected = "one of " + methods.joined(separator: ", ")
        let start = String(String.UnicodeScalarView(method.unicodeScalars.prefix(64)))
        return ErrorReply(.methodNotFound, fault: Fault(field: "method", expected: expected, found: "\"\(start)\""))
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
