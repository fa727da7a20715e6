import Foundation
import Testing
import TestSupport

/// Who holds something and is not heard of, and who does not read.
@Suite struct UnresponsiveClientTests {
    private func released(_ daemon: Daemon, _ reason: String) throws -> Int {
        (try daemon.status()["released"] as? [String: Int])?[reason] ?? -1
    }

    @Test func `a finger of which nothing is heard for max-hold is let go, and that is told and journaled; one that moves is not`() async throws {
        let daemon = try await Daemon(["--output", "null", "--max-hold", "3"])
        let watcher = try LineSocket(daemon.socket)
        _ = try watcher.call("subscribe", #"{"topics":["fault"]}"#)
        let (forgotten, alive) = (try LineSocket(daemon.socket), try LineSocket(daemon.socket))
        _ = try forgotten.call("touch", #"{"phase":"began"}"#)
        _ = try alive.call("touch", #"{"phase":"began"}"#)
        let number = try #require(try forgotten.call("hello").firstMatch(of: /"client":(\d+)/)?.1)
        // A ping is no news of the finger.
        #expect(try await eventually {
            _ = try alive.call("touch", #"{"phase":"moved"}"#)
            _ = try forgotten.call("ping")
            return try released(daemon, "held") == 1
        })
        let told = try watcher.receive()
        #expect(told.contains(#""method":"fault""#) && told.contains(#""client":\#(number),"released":"held""#), "\(told)")
        #expect(try daemon.isHeld, "the other finger is still down")
        #expect(try await eventually { try !daemon.isHeld })
        #expect(try released(daemon, "held") == 2)
        // It may begin anew.
        #expect(try forgotten.call("touch", #"{"phase":"began"}"#).contains(#""frame":"#))
        #expect(try daemon.isHeld)
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        #expect(journal.split(separator: "\n").contains { $0.hasPrefix(#"{"client":\#(number),"#) && $0.contains(#""event":"left""#) }, "\(journal)")
        #expect(daemon.process.errors.contains("held for longer than max-hold"), "\(daemon.process.errors)")
    }

    @Test func `250 clients that ask for the longest answers and read none take up no memory for long`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        func memory() throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(daemon.process.identifier)/status", encoding: .utf8)
            return try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
        }
        let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
        let batch = "[" + Array(repeating: discover, count: 64).joined(separator: ",") + "]"
        func crowd() async throws {
            let deaf = try (0..<250).map { _ in try LineSocket(daemon.socket) }
            for client in deaf { try client.send(batch) }
            // All have been read, and what could be answered is.
            #expect(try await eventually { (try daemon.status()["clients"] as? Int) == 251 })
            usleep(500_000)
            _ = try daemon.status()
        }
        let before = try memory()
        try await crowd()
        // 250 times 128 KiB, and as much while they are put together.
        let first = try memory()
        #expect(first < before + 65_536)
        #expect(try await eventually { (try daemon.status()["clients"] as? Int) == 1 })
        try await crowd()
        #expect(try memory() < first + 16_384, "and no more for the next such crowd")
        #expect(daemon.terminate() == 0)
    }

    @Test func `a client that may only watch plans nothing`() async throws {
        let port = freePort()
        let daemon = try await Daemon(["--output", "null", "--http", "\(port)", "--http-local-role", "watch"])
        let watcher = try WebSocketClient(port: port)
        try watcher.send(#"{"jsonrpc":"2.0","id":1,"method":"stop","params":{"delay":60000}}"#)
        let answer = try watcher.receive().text
        #expect(answer.contains("a client that may only watch stops at once, and plans nothing"), "\(answer)")
        try watcher.send(#"{"jsonrpc":"2.0","id":2,"method":"stop"}"#)
        #expect(try watcher.receive().text.contains(#""result""#))
        #expect(daemon.terminate() == 0)
    }
}
