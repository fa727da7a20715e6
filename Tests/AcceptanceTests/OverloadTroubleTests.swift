import Foundation
import Testing
import TestSupport

@Suite(.serialized) struct OverloadTroubleTests {
    @Test func `events that are refused are a trouble with their number, until ten seconds after the last`() async throws {
        let daemon = try await Daemon(["--output", "null", "--max-rate", "1000000"])
        let client = try LineSocket(daemon.socket)
        func refused() throws -> Int { (try daemon.status()["synth"] as? [String: Any])?["overload"] as? Int ?? -1 }
        func trouble() throws -> String? {
            (try daemon.status()["troubles"] as? [String])?.first { $0.hasPrefix("events come faster than they can be played") }
        }
        #expect(try trouble() == nil)
        let flood = Array(repeatElement(Array((#"{"jsonrpc":"2.0","method":"chime","params":{"name":"unlock"}}"# + "\n").utf8), count: 5_000).joined())
        // Until it is more than can be played, which depends on the machine: it was at the first of these.
        for _ in 1...40 where try refused() == 0 {
            try client.send(flood)
            _ = try client.call("ping")
        }
        let count = try refused()
        try #require(count > 0)
        #expect(try trouble() == "events come faster than they can be played: \(count) refused in the last 10 s")
        #expect(try thrum("status", "--socket", daemon.socket).status == 1)
        #expect(try await eventually { try trouble() == nil })
        #expect(try refused() == count)
        #expect(daemon.terminate() == 0)
    }
}
