import Fields
import Foundation
import Signals
import Testing
import Wire

/// The methods of the specification's examples.
private enum Calculation: Command {
    case subtract(Double, Double)
    case sum(Double, Double, Double)
    case getData
    case update
    case notify

    var result: any Encodable {
        switch self {
        case .subtract(let a, let b): a - b
        case .sum(let a, let b, let c): a + b + c
        case .getData: Data2()
        case .update, .notify: 0
        }
    }

    private struct Data2: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode("hello")
            try container.encode(5)
        }
    }
}

private let calculator: MethodTable = {
    @Sendable func number(_ fields: Fields, _ name: String) throws -> Double { try fields.number(name, in: -1000...1000) }
    @Sendable func five(_ fields: Fields) throws { for name in ["a", "b", "c", "d", "e"] { _ = try fields.numberIfPresent(name, in: -1000...1000) } }
    func method(_ name: String, _ read: @escaping @Sendable (Fields) throws -> Calculation) -> Method {
        Method(name, .look, "", result: "", examples: []) { .command(try read($0)) }
    }
    return MethodTable([
        method("subtract") { .subtract(try number($0, "minuend"), try number($0, "subtrahend")) },
        method("sum") { .sum(try number($0, "a"), try number($0, "b"), try number($0, "c")) },
        method("get_data") { _ in .getData },
        method("update") {
            try five($0)
            return .update
        },
        method("notify_sum") {
            try five($0)
            return .notify
        },
        method("notify_hello") {
            try five($0)
            return .notify
        },
    ])
}()

/// What a server with these methods answers; empty when it does not.
private func answer(_ line: String) -> String {
    func one(_ request: Result<UnreadRequest, ErrorReply>) -> [UInt8] {
        switch request.flatMap({ $0.read() }) {
        case .success(let request):
            guard let id = request.id, case .command(let calculation as Calculation) = request.call else { return [] }
            return Reply.line(result: calculation.result, id: id)
        case .failure(let error): return Reply.line(error: error)
        }
    }
    switch Incoming(Array(line.utf8), calculator) {
    case .single(let request): return String(decoding: one(request), as: UTF8.self)
    case .batch(let requests):
        let answers = requests.map(one).filter { !$0.isEmpty }
        return answers.isEmpty ? "" : String(decoding: Reply.batch(answers), as: UTF8.self)
    }
}

/// JSON with the error's words left out, which are for people; the specification's codes are not.
private func essence(_ json: String) throws -> NSObject? {
    guard !json.isEmpty else { return nil }
    func strip(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(strip) }
        guard var object = value as? [String: Any] else { return value }
        if let error = object["error"] as? [String: Any] { object["error"] = ["code": error["code"]] }
        return object
    }
    return strip(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)) as? NSObject
}

@Suite struct ConformanceTests {
    /// The examples of the JSON-RPC 2.0 specification, section 7 (https://www.jsonrpc.org/specification#examples), all of them.
    @Test(arguments: [
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#, #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#),
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#, #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#),
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
         #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#),
        (#"{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
         #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#),
        (#"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, ""),
        (#"{"jsonrpc": "2.0", "method": "foobar"}"#, ""),
        (#"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#, #"{"jsonrpc": "2.0", "error": {"code": -32601}, "id": "1"}"#),
        (#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#, #"{"jsonrpc": "2.0", "error": {"code": -32700}, "id": null}"#),
        (#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, #"{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}"#),
        (#"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]"#,
         #"{"jsonrpc": "2.0", "error": {"code": -32700}, "id": null}"#),
        ("[]", #"{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}"#),
        ("[1]", #"[{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}]"#),
        ("[1,2,3]", #"""
            [{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}, {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null},
             {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}]
            """#),
        (#"""
            [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
             {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
             {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
             {"foo": "boo"},
             {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
             {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
            """#,
         #"""
            [{"jsonrpc": "2.0", "result": 7, "id": "1"}, {"jsonrpc": "2.0", "result": 19, "id": "2"},
             {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}, {"jsonrpc": "2.0", "error": {"code": -32601}, "id": "5"},
             {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]
            """#),
        (#"[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]}, {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]"#, ""),
    ])
    func `the specification's examples are answered as it says`(request: String, expected: String) throws {
        #expect(try essence(answer(request)) == (try essence(expected)))
    }

    @Test(arguments: ["1", "-7", "-0", "2.50", "1e300", "1E+400", "9223372036854775807", "18446744073709551615", "18446744073709551617",
                      "123456789012345678901234567890.5", String(repeating: "9", count: 256), #""""#, #""a\"b""#, #""\u0041\/ü""#, "null"])
    func `an id of any kind comes back byte for byte`(id: String) throws {
        let answered = answer(#"{"jsonrpc":"2.0","id": \#(id) ,"method":"subtract","params":[2,1]}"#)
        #expect(answered.utf8.elementsEqual("{\"id\":\(id),\"jsonrpc\":\"2.0\",\"result\":1}\n".utf8))
        let refused = answer(#"{"jsonrpc":"2.0","id":\#(id),"method":"multiply"}"#)
        #expect(refused.hasSuffix(",\"id\":\(id),\"jsonrpc\":\"2.0\"}\n") && refused.hasPrefix(#"{"error":{"code":-32601,"#), "\(refused)")
    }

    @Test(arguments: ["true", "[]", "{}", String(repeating: "1", count: 257), "\"\(String(repeating: "a", count: 257))\""]) func `an id that is none is an invalid request`(id: String) throws {
        let answer = answer(#"{"jsonrpc":"2.0","id":\#(id),"method":"subtract","params":[2,1]}"#)
        #expect(try essence(answer) == (try essence(#"{"jsonrpc":"2.0","error":{"code":-32600},"id":null}"#)))
    }

    /// Section 4.2 knows two ways to give parameters; section 5.1 a code for wrong ones.
    @Test func `parameters without names are checked as those with names are`() throws {
        for parameters in ["[1]", "[1,2,3]", #"["a",1]"#, #"{"minuend":1}"#, #"{"minuend":1,"subtrahend":1e9}"#] {
            let answer = answer(#"{"jsonrpc":"2.0","id":1,"method":"subtract","params":\#(parameters)}"#)
            #expect(answer.contains("-32602"), "\(parameters): \(answer)")
        }
        #expect(answer(#"{"jsonrpc":"2.0","id":1,"method":"subtract","params":"x"}"#).contains("-32602"))
    }
}
