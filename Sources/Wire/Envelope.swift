import FoundationEssentials
import Signals

/// A request read as far as it can be without failing: each part carries its own outcome.
struct Envelope<Call: Callable>: Decodable {
    private var id: Result<RequestID?, Fault>
    private var outcome: Result<Call, ErrorReply>

    init(from decoder: any Decoder) throws {
        let fields: Fields
        do {
            fields = try Fields(decoder)
        } catch {
            id = .success(.null)
            outcome = .failure(ErrorReply(.invalidRequest, "expected a JSON object"))
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

    func request() -> Result<Request<Call>, ErrorReply> {
        switch (id, outcome) {
        case (.failure(let fault), _): .failure(ErrorReply(.invalidRequest, fault: fault))
        case (.success(let id), .success(let call)): .success(Request(id: id, call: call))
        // A request that is none is answered even without an id: nobody can tell whether an answer was wanted.
        case (.success(let id), .failure(let error)): .failure(error.answering(error.code == .invalidRequest ? id ?? .null : id))
        }
    }

    private static func call(_ fields: Fields) throws -> Call {
        guard let version = try fields.textIfPresent("jsonrpc") else {
            throw fields.fault("jsonrpc", "\"2.0\"", found: "nothing")
        }
        guard version == "2.0" else { throw fields.fault("jsonrpc", "\"2.0\"", found: "\"\(version)\"") }
        let method = try fields.text("method", limit: LineFramer.standardLimit)
        try fields.refuseAll(but: ["jsonrpc", "id", "method", "params"])
        do {
            let call = if let values = fields.list("params", of: JSONValue.self) {
                try byPosition(method, values)
            } else {
                try Call(method: method, try fields.object("params"))
            }
            if let call { return call }
        } catch let fault as Fault {
            throw ErrorReply(.invalidParams, fault: fault)
        }
        let expected = "one of " + Call.methods.joined(separator: ", ")
        throw ErrorReply(.methodNotFound, fault: Fault(field: "method", expected: expected, found: "\"\(method.prefix(64))\""))
    }

    /// Parameters without names become named ones.
    private static func byPosition(_ method: String, _ values: [JSONValue]) throws -> Call? {
        guard Call.methods.contains(method) else { return nil }
        let names = Call.parameterNames(of: method)
        guard values.count <= names.count else { throw Call.tooMany(values.count, of: names) }
        // Null leaves one out.
        return try Call.read(method, Dictionary(uniqueKeysWithValues: zip(names, values).filter { $0.1 != .null }))
    }
}

extension Callable {
    /// Reads parameters that are not JSON text yet. Nil when there is no such method. Throws `Fault`.
    static func read(_ method: String, _ parameters: [String: JSONValue]) throws -> Self? {
        let decoder = JSONDecoder()
        decoder.userInfo[.method] = method
        return try decoder.decode(Named<Self>.self, from: try JSONEncoder().encode(parameters)).call
    }

    static func tooMany(_ count: Int, of names: [String]) -> Fault {
        let expected = names.isEmpty ? "none" : "at most \(names.count) without a name (\(names.joined(separator: ", ")))"
        return Fault(field: "params", expected: expected, found: "\(count)")
    }
}

private struct Named<Call: Callable>: Decodable {
    var call: Call?

    init(from decoder: any Decoder) throws {
        guard let method = decoder.userInfo[.method] as? String else { preconditionFailure("the method is given above") }
        call = try Call(method: method, try Fields(decoder))
    }
}

extension CodingUserInfoKey {
    fileprivate static var method: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "method") else { preconditionFailure("any text is a key") }
        return key
    }
}
