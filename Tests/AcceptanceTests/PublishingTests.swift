import Foundation
import Testing
import TestSupport

/// Publishing in a real daemon, by the tool on the control socket and by somebody else's token.
@Suite struct PublishingTests {
    private let port = freePort()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start() async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "piggy-bank", "--http", "\(port)", "--idle", "0.2"], scratch: scratch,
                         program: Programs.metronomed)
    }

    private func config(_ arguments: String..., on daemon: Daemon) throws -> Finished {
        try run(Programs.metronomeTool, ["config"] + arguments + ["--socket", daemon.socket])
    }

    private func terms(bonus: Int) throws -> String {
        try scratch.write(#"{"bonus": \#(bonus), "capacity": 1000000, "stickers": []}"#, to: "terms-\(bonus).json")
    }

    /// Whoever has the token of the name `ben`.
    private func ben(_ token: String, _ method: String, _ parameters: String) throws -> String {
        let page = try WebSocketClient(port: port, headers: ["Authorization: Bearer \(token)"])
        try page.send(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
        return try page.receive().text
    }

    private func worth(_ key: String, _ daemon: Daemon) throws -> Int {
        func sum(_ answer: String) throws -> Int { try #require(answer.firstMatch(of: /"sum":(\d+)/).flatMap { Int($0.1) }, "\(answer)") }
        let client = try LineSocket(daemon.socket)
        let before = try sum(client.call("bank.sum"))
        return try sum(client.call("bank.put", #"{"amount":10,"key":"\#(key)"}"#)) - before
    }

    @Test func `two people publish, a kill right after the answer loses nothing, and a rollback is the same bytes`() async throws {
        var daemon = try await start()
        let token = try run(Programs.thrum, ["token", "add", "ben", "--role", "operator", "--socket", daemon.socket]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let wrong = try config("propose", "terms", terms(bonus: 5_000), on: daemon)
        #expect(wrong.status == 65 && wrong.errors.contains("terms.bonus: expected a whole number from 0 to 1000, found 5000"), "\(wrong.errors)")
        let proposed = try config("propose", "terms", terms(bonus: 5), on: daemon)
        #expect(proposed.status == 0 && proposed.text.contains("  bonus     0 → 5\n") && !proposed.text.contains("\u{1B}"), "\(proposed)")
        let alone = try config("approve", "terms", "1", on: daemon)
        #expect(alone.status == 65 && alone.errors.contains("two people publish"), "\(alone.errors)")
        #expect(try config("publish", "terms", "1", on: daemon).status == 65)
        #expect(try ben(token, "config.approve", #"{"kind":"terms","version":1}"#).contains(#""by":"ben""#))
        #expect(try worth("a", daemon) == 10)
        #expect(try config("publish", "terms", "1", on: daemon).status == 0)
        daemon.kill()
        daemon = try await start()
        #expect(try worth("b", daemon) == 15)
        // Ben changes it, and then wants the former back.
        let other = #"{"kind":"terms","document":{"bonus":7,"capacity":1000000,"stickers":[]}}"#
        #expect(try ben(token, "config.propose", other).contains(#""version":2"#))
        for step in ["approve", "publish"] { #expect(try config(step, "terms", "2", on: daemon).status == 0) }
        #expect(try worth("c", daemon) == 17)
        let back = try config("rollback", "terms", on: daemon)
        #expect(back.status == 0 && back.text.contains("bonus  7 → 5"), "\(back)")
        #expect(try ben(token, "config.approve", #"{"kind":"terms","version":3}"#).contains(#""state":"approved""#))
        #expect(try ben(token, "config.publish", #"{"kind":"terms","version":3}"#).contains(#""state":"published""#))
        #expect(try worth("d", daemon) == 15)
        let history = try config("history", on: daemon).text
        #expect(history.contains("* terms 3 after 2  proposed by ") && history.contains("approved by ben"), "\(history)")
        let exported = try config("export", on: daemon).text
        #expect(daemon.terminate() == 0)
        // As Python's own SQLite reads them.
        let bodies = try run("/usr/bin/python3", ["-c", """
            import sqlite3, sys
            for (body,) in sqlite3.connect(sys.argv[1]).execute("SELECT hex(CAST(body AS BLOB)) FROM document ORDER BY version"): print(body)
            """, scratch.file("state/state.sqlite")]).text.split(separator: "\n")
        #expect(bodies.count == 3 && bodies[0] == bodies[2] && bodies[0] != bodies[1])
        // The journal says by what each coin was counted.
        let events = try daemon.journals.flatMap { try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n") }
            .compactMap { $0.firstMatch(of: /"event":"configuration".*"version":(\d+)/).map { String($0.1) } }
        // At the start after the kill, and both after. Of what came just before the kill the journal may not have had the line yet.
        #expect([["1", "1", "2", "3"], ["1", "2", "3"]].contains(events), "\(events)")
        try await applied(exported)
    }

    /// Another machine, that was off all the while.
    private func applied(_ exported: String) async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "piggy-bank"], program: Programs.metronomed)
        let lines = exported.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        let late = try config("apply", daemon.scratch.write(lines[1], to: "late"), on: daemon)
        #expect(late.status == 65 && late.errors.contains("late:1: version: expected one that follows 0"), "\(late.errors)")
        for _ in 0..<2 {
            let whole = try config("apply", daemon.scratch.write(exported, to: "all"), on: daemon)
            #expect(whole.status == 0 && whole.text.split(separator: "\n").count == 3, "\(whole.errors)")
        }
        #expect(try worth("a", daemon) == 15)
        #expect(try config("export", on: daemon).text == exported)
        #expect(daemon.terminate() == 0)
    }
}
