import Foundation
import Testing
import TestSupport

/// A household's run in a real daemon: it rolls over at 04:00 local time, and what was answered is on the disk.
@Suite(.serialized) struct PiggyBankDaemonTests {
    private func start(_ scratch: Scratch, zone: String = "UTC0") async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "piggy-bank", "--idle", "0.2"], environment: ["TZ": zone], scratch: scratch,
                         program: Programs.metronomed)
    }

    private func sum(_ client: LineSocket) throws -> Int {
        let answer = try JSONSerialization.jsonObject(with: Data(try client.call("bank.sum").utf8)) as? [String: Any]
        return try #require((answer?["result"] as? [String: Any])?["sum"] as? Int)
    }

    /// The sum that the answer tells.
    private func put(_ amount: Int, _ key: String, _ client: LineSocket) throws -> Int {
        let answer = try client.call("bank.put", #"{"amount":\#(amount),"key":"\#(key)"}"#)
        return try #require(answer.firstMatch(of: /"sum":(\d+)/).flatMap { Int($0.1) }, "\(answer)")
    }

    /// Keys and amounts in the database, as Python's own SQLite reads it, and the sum that is remembered.
    private func database(_ scratch: Scratch) throws -> (ledger: [String], sum: Int) {
        let read = try run("/usr/bin/python3", ["-c", #"""
            import json, sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            for key, amount in db.execute("SELECT key, amount FROM ledger JOIN posting ON entry = number WHERE account = 'bank' ORDER BY number"):
                print(key, amount)
            [(body,)] = db.execute("SELECT body FROM memory WHERE piece = 'piggy-bank'")
            print(json.loads(body)["sum"])
            """#, scratch.file("state/state.sqlite")])
        let lines = read.text.split(separator: "\n").map(String.init)
        return (lines.dropLast(), try #require(lines.last.flatMap { Int($0) }, "\(read.errors)"))
    }

    /// A zone of POSIX in which it is `seconds` before 04:00 now.
    private func zone(_ seconds: Int) -> String {
        // Ahead of UTC by so much, between -12 and 12 hours.
        let ahead = (4 * 3600 - seconds - Int(Date().timeIntervalSince1970) % 86_400 + 36 * 3600) % 86_400 - 12 * 3600
        let magnitude = abs(ahead)
        // POSIX has west of Greenwich positive.
        return "TST\(ahead > 0 ? "-" : "+")\(magnitude / 3600):\(magnitude / 60 % 60):\(magnitude % 60)"
    }

    /// A machine that is busy may start the daemon only after 04:00; then its run has begun too late, and the same is tried with more time.
    /// In the attempt that counts all is as it should be.
    @Test func `its run outlasts the visit, and at four another goes on from what it remembered`() async throws {
        for seconds in [4, 12, 30] {
            let scratch = try Scratch()
            let four = Date(timeIntervalSinceNow: Double(seconds))
            let daemon = try await start(scratch, zone: zone(seconds))
            let client = try LineSocket(daemon.socket)
            #expect(try put(5, "a", client) == 5)
            guard Date() < four - 2 else { continue }
            #expect(try await eventually { daemon.journals.count == 2 })
            #expect(Date() >= four - 1, "not before its time")
            #expect(try sum(client) == 5 && put(3, "b", client) == 8)
            #expect(daemon.terminate() == 0)
            let journals = try daemon.journals.map { try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n") }
            #expect(journals[0].last?.contains(#""end":"rollover""#) == true, "\(journals[0].last ?? "")")
            let visits = journals[0].filter { $0.contains(#""event":"visit""#) }.map { $0.contains(#""phase":"began""#) }
            #expect(visits == [true, false])
            let arrival = try #require(journals[1].first { $0.contains(#""event":"arrival""#) })
            #expect(arrival.contains(#""memory":{"sum":5}"#), "\(arrival)")
            let kept = try database(scratch)
            #expect(kept.ledger == ["a 5", "b 3"] && kept.sum == 8)
            return
        }
        Issue.record("the daemon was never up two seconds before four")
    }

    @Test func `an action asked for again is answered as the first time, also after a kill, and the exported ledger has it once`() async throws {
        let scratch = try Scratch()
        var daemon = try await start(scratch)
        var client = try LineSocket(daemon.socket)
        #expect(try put(5, "a", client) == 5 && put(7, "b", client) == 12)
        let again = #"{"id":1,"jsonrpc":"2.0","result":{"alreadyKept":["a"],"result":{"sum":5}}}"#
        #expect(try client.call("bank.put", #"{"amount":5,"key":"a"}"#) == again)
        #expect(try client.call("bank.take", #"{"amount":13,"key":"c"}"#).contains("at most what is in it, 12"))
        #expect(try client.call("bank.take", #"{"amount":12,"key":"c"}"#).contains(#""sum":0"#))
        daemon.kill()
        daemon = try await start(scratch)
        client = try LineSocket(daemon.socket)
        #expect(try client.call("bank.put", #"{"amount":5,"key":"a"}"#) == again && sum(client) == 0)
        // Python's reader of CSV.
        let exported = try run(Programs.metronomeTool, ["ledger", "export", "--household", "home", "--socket", daemon.socket])
        #expect(exported.status == 0, "\(exported.errors)")
        try exported.output.write(to: URL(filePath: scratch.file("home.csv")))
        let rows = try run("/usr/bin/python3", ["-c", """
            import csv, sys
            for row in csv.DictReader(open(sys.argv[1], newline="")):
                print(row["household"], row["key"], row["kind"], row["account"], row["amount"], row["currency"])
            """, scratch.file("home.csv")])
        #expect(rows.text.split(separator: "\n") == [
            "home a put saver -5 coins", "home a put bank 5 coins", "home b put saver -7 coins", "home b put bank 7 coins",
            "home c take saver 12 coins", "home c take bank -12 coins",
        ], "\(rows.errors)")
        let balances = try run(Programs.metronomeTool, ["ledger", "balances", "--socket", daemon.socket])
        #expect(balances.text == "bank  0 coins\nsaver  0 coins\n", "\(balances.errors)")
    }

    @Test func `what was answered is on the disk after a kill at any moment, and nothing twice`() async throws {
        let scratch = try Scratch()
        var daemon = try await start(scratch)
        var client = try LineSocket(daemon.socket)
        var expected = 0
        var dice = Dice(17)
        for coin in 1...12 {
            if coin % 4 == 0 {
                // While the coin is on its way, or just kept, or just answered.
                let process = daemon.process
                let delay = UInt32(dice.roll(3_000))
                let killer = Thread { usleep(delay); process.signal(SIGKILL) }
                killer.start()
                _ = try? put(coin, "coin-\(coin)", client)
                _ = daemon.process.finish()
                daemon = try await start(scratch)
                client = try LineSocket(daemon.socket)
                #expect(try [expected, expected + coin].contains(sum(client)))
            }
            // Nobody knows whether it was put in: once more, by its key.
            expected += coin
            #expect(try put(coin, "coin-\(coin)", client) == expected)
            if coin % 4 == 1 {
                daemon.kill()
                let kept = try database(scratch)
                #expect(kept.ledger == (1...coin).map { "coin-\($0) \($0)" } && kept.sum == expected)
                daemon = try await start(scratch)
                client = try LineSocket(daemon.socket)
                #expect(try sum(client) == expected)
            }
        }
        daemon.kill()
        let kept = try database(scratch)
        #expect(kept.ledger == (1...12).map { "coin-\($0) \($0)" } && kept.sum == 78)
    }

    @Test func `a database that is removed while it runs is there again with everything, and that is an issue`() async throws {
        let scratch = try Scratch()
        let daemon = try await start(scratch)
        let client = try LineSocket(daemon.socket)
        #expect(try put(500, "a", client) == 500)
        for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] { #expect(unlink(scratch.file("state/" + name)) == 0) }
        // Without anything that is to be kept.
        #expect(try await eventually { try (daemon.status()["issues"] as? [String])?.contains { $0.contains("was written anew") } == true })
        #expect(try client.call("bank.put", #"{"amount":500,"key":"a"}"#).contains(#""alreadyKept":["a"]"#))
        daemon.kill()
        #expect(try database(scratch) == (["a 500"], 500))
    }

    @Test func `of two with one state directory one keeps books`() async throws {
        let scratch = try Scratch()
        let first = try await start(scratch)
        #expect(try put(5, "a", LineSocket(first.socket)) == 5)
        let other = try Scratch()
        let second = try await Daemon(["--output", "null", "--experience", "piggy-bank"],
                                      environment: ["STATE_DIRECTORY": scratch.file("state")], scratch: other,
                                      program: Programs.metronomed)
        let refused = try LineSocket(second.socket).call("bank.put", #"{"amount":5,"key":"b"}"#)
        #expect(refused.contains("not-kept") && refused.contains("another thrumd (process \(first.process.identifier))"), "\(refused)")
        #expect(second.terminate() == 0 && first.terminate() == 0)
        #expect(try database(scratch) == (["a 5"], 5))
    }
}
