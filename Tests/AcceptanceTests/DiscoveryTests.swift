import Experience
import Fields
import Foundation
import Registry
import Testing
import TestSupport

private struct Document: Decodable {
    struct Result: Decodable { var methods: [Method] }
    struct Method: Decodable {
        var name: String
        var params: [Parameter]
    }
    struct Parameter: Decodable {
        var name: String
        var required: Bool
    }
    var result: Result
}

@Suite struct DiscoveryTests {
    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `the daemon describes itself in a document that is valid OpenRPC`(experience: String) async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", experience])
        let answer = try LineSocket(daemon.socket).call("rpc.discover")
        #expect(daemon.terminate() == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        let document = try JSONSerialization.data(withJSONObject: try #require(object["result"]))
        let path = try daemon.scratch.write(String(decoding: document, as: UTF8.self), to: "openrpc.json")
        // Debian's own Python: that is where its packages are.
        let validation = try run("/usr/bin/python3", [
            "-m", "jsonschema", "-i", path, repository + "/Tests/AcceptanceTests/openrpc.schema.json",
        ])
        #expect(validation.status == 0, "\(validation.text)\(validation.errors)")

        // What a schema cannot say: names are unique, and what must be there comes first.
        let methods = try JSONDecoder().decode(Document.self, from: Data(answer.utf8)).result.methods
        #expect(Set(methods.map(\.name)).count == methods.count)
        for method in methods {
            #expect(Set(method.params.map(\.name)).count == method.params.count, "\(method.name)")
            #expect(method.params == method.params.sorted { $0.required && !$1.required }, "\(method.name)")
        }
    }

    /// A call of each query that cannot be asked without parameters.
    private static let parameters = ["feed.cards": #"{"first":0}"#]

    /// Every question's, and an event's; by Debian's own jsonschema.
    @Test(arguments: Registry.pieces.declarations.map(\.name))
    func `answers are as they are described`(experience: String) async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", experience, "--seed", "7"])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("param.set", #"{"name":"chance-early","value":1}"#)
        var calls = ["status", "hello", "ping", "subscribe", "session.status", "session.list", "journal.path", "device.list", "fault.list", "output.latency",
                     "output.sinks", "chime.list", "haptic.list", "param.list", "tap"].map { ($0, "{}") }
        for query in try #require(Registry.pieces.named(experience)).declaration.queries {
            let parameters = Self.parameters[query.name] ?? "{}"
            #expect(parameters != "{}" || !query.fields.contains(where: \.isRequired), "DiscoveryTests.parameters lacks those of \(query.name)")
            calls.append((query.name, parameters))
        }
        if experience == "colorscroller" {
            calls += ["force-unlock-all", "p-churn"].map { ("param.get", #"{"name":"\#($0)"}"#) }
        }
        if experience == "unhooked" {
            calls += [("unhooked.feed", #"{"food":"kibble","key":"one"}"#), ("unhooked.ledger", "{}")]
        }
        var lines = [try client.call("rpc.discover")]
        let watcher = try LineSocket(daemon.socket)
        let topics = ["session", "scroll", "unlock", "toast", "palette", "intervention", "leaderboard", "event", "cue", "device", "fault",
                      "state", "meters"].map { #""\#($0)""# }.joined(separator: ",")
        _ = try watcher.call("subscribe", #"{"topics":[\#(topics)]}"#)
        for _ in 0..<12 { _ = try client.call("swipe") }
        for (method, parameters) in calls {
            var answer = ""
            // What is told comes in between.
            repeat { answer = answer.isEmpty ? try client.call(method, parameters) : try client.receive() } while !answer.contains(#""id":"#)
            lines.append(#"{"method":"\#(method)",\#(answer.dropFirst())"#)
        }
        for (method, parameters) in [("touch", #"{"phase":"began"}"#), ("tone", #"{"frequency":440,"level":-20}"#), ("chime.play", #"{"name":"unlock"}"#),
                                     ("haptic.play", #"{"pattern":[{"time":0,"intensity":1,"sharpness":1}]}"#), ("output.mute", #"{"on":true}"#),
                                     ("output.ceiling", #"{"level":-9}"#)] {
            _ = try client.call(method, parameters)
        }
        _ = try client.call("session.end")
        var told: Set<String> = []
        let wanted = Set(["session", "event", "cue", "state", "meters"] + (experience == "colorscroller" ? ["scroll", "unlock", "toast"] : []))
        while !wanted.isSubset(of: told), lines.count < 1_000 {
            let line = try watcher.receive()
            told.insert(String(line.split(separator: "\"")[7]))
            lines.append(line)
        }
        #expect(wanted.isSubset(of: told), "\(told)")
        #expect(daemon.terminate() == 0)
        let path = try daemon.scratch.write(lines.joined(separator: "\n"), to: "answers")
        let validation = try run("/usr/bin/python3", ["-c", """
            import json, jsonschema, sys
            document, *answers = [json.loads(line) for line in open(sys.argv[1])]
            components = document["result"]["components"]
            schemas = {method["name"]: {**method["result"]["schema"], "components": components} for method in document["result"]["methods"]}
            def close(schema):
                if "properties" in schema: schema["additionalProperties"] = False
                for part in [*schema.get("properties", {}).values(), *[schema[name] for name in ["items"] if name in schema]]: close(part)
            topics = {topic["name"]: {**topic["schema"], "components": components} for topic in document["result"]["x-notifications"]}
            for name, schema in components["schemas"].items():
                if name != "EventAnnouncement": close(schema)
            for answer in answers:
                if "result" in answer: jsonschema.validate(answer["result"], schemas[answer["method"]])
                else: jsonschema.validate(answer["params"], topics[answer["method"]])
            print(len(answers))
            """, path])
        #expect(validation.text == "\(lines.count - 1)\n", "\(validation.errors.suffix(2_000))")
    }

    @Test func `topics of pieces that do not run are taken, and named as silent`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let client = try LineSocket(daemon.socket)
        let mixed = try client.call("subscribe", #"{"topics":["unlock","cat","meters","pet"]}"#)
        #expect(mixed.contains(#""silent":["cat","pet"]"#) && mixed.contains(#""topics":["cat","meters","pet","unlock"]"#), "\(mixed)")
        #expect(try !client.call("subscribe", #"{"topics":["unlock","session"]}"#).contains(#""silent":["#))
        #expect(try client.call("subscribe", #"{"topics":["unlok"]}"#).contains("did you mean unlock?"))
        #expect(daemon.terminate() == 0)
    }

    @Test func `what is described is what there is`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        let methods = try JSONDecoder().decode(Document.self, from: Data(try client.call("rpc.discover").utf8)).result.methods
        for method in methods {
            // A parameter that nobody has: the error names those that there are, or that there are none.
            let answer = try client.call(method.name, #"{"nonsense":1}"#)
            let named = method.params.isEmpty ? "no fields" : "only " + method.params.map(\.name).joined(separator: ", ")
            #expect(answer.contains("nonsense: expected \(named), found this field"), "\(answer)")
        }
        #expect(try client.call("fly").contains("rpc.discover lists all methods"))
        #expect(daemon.terminate() == 0)
    }
}

extension Document.Parameter: Equatable {}
