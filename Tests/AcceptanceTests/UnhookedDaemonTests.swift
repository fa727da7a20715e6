import Testing
import TestSupport

/// A pet in a real daemon: what was paid is on the disk, once, and SQL finds the balances that the piece tells.
@Suite struct UnhookedDaemonTests {
    private func start(_ scratch: Scratch) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "unhooked"], environment: ["TZ": "UTC0"], scratch: scratch)
    }

    private func number(_ name: String, in answer: String) throws -> Int {
        try #require(answer.firstMatch(of: try Regex("\"\(name)\":(-?\\d+)", as: (Substring, Substring).self)).flatMap { Int($0.1) }, "\(answer)")
    }

    @Test func `a meal is paid for once, also when it is asked for again after a kill`() async throws {
        let scratch = try Scratch()
        let meal = #"{"food":"kibble","key":"breakfast"}"#
        var daemon = try await start(scratch)
        var client = try LineSocket(daemon.socket)
        for _ in 0..<2 {
            let answer = try client.call("unhooked.feed", meal)
            #expect(try number("energy", in: answer) == 100 && number("movement", in: answer) == 2)
        }
        daemon.kill()
        daemon = try await start(scratch)
        client = try LineSocket(daemon.socket)
        #expect(try number("energy", in: client.call("unhooked.feed", meal)) == 100)
        let ledger = try client.call("unhooked.ledger")
        #expect(try number("wallet.energy", in: ledger) == 100 && number("spent.food", in: ledger) == 50)
        #expect(try client.call("unhooked.feed", #"{"food":"feast","key":"lunch"}"#).contains("140 Energy"))
        #expect(daemon.terminate() == 0)
        let sums = try run("/usr/bin/python3", ["-c", """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            for row in db.execute("SELECT account, sum(amount) FROM posting GROUP BY account ORDER BY account"): print(*row)
            """, scratch.file("state/state.sqlite")])
        #expect(sums.text == "issued.energy -150\nspent.food 50\nwallet.energy 100\n", "\(sums.errors)")
    }
}
