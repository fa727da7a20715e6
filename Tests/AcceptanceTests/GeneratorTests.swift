import Experience
import Foundation
import Registry
import Testing
import TestSupport

/// Clients that others' generators make of what `rpc.discover` answers.
@Suite struct GeneratorTests {
    @Test func `two generators make clients of every piece's document, which TypeScript and Python take`() async throws {
        let scratch = try Scratch()
        var documents: [String] = []
        for piece in Registry.pieces.declarations.map(\.name) {
            let daemon = try await Daemon(["--output", "null", "--experience", piece])
            let answer = try LineSocket(daemon.socket).call("rpc.discover")
            #expect(daemon.terminate() == 0)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
            let document = try JSONSerialization.data(withJSONObject: try #require(object["result"]))
            documents.append(try scratch.write(String(decoding: document, as: UTF8.self), to: piece + ".json"))
        }
        let made = try run("/usr/bin/python3", [repository + "/Tests/AcceptanceTests/generators/generate.py", scratch.path] + documents,
                           environment: ["PYTHONPATH": repository + "/.build/python-generators"])
        #expect(made.status == 0, "\(made.text)\(made.errors)")
        #expect(made.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == 3 * documents.count + 2, "\(made.text)")
    }
}
