import Foundation
import Testing
import TestSupport

/// A pet in a real daemon: what was paid is on the disk, once, and SQL finds the balances that the piece tells.
@Suite struct UnhookedDaemonTests {
    private func start(_ scratch: Scratch, _ arguments: [String] = []) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "unhooked"] + arguments, environment: ["TZ": "UTC0"], scratch: scratch)
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

    @Test func `what is paid counts for who was there when it was asked, or for nobody`() async throws {
        let scratch = try Scratch()
        let made = try run("/usr/bin/python3", [repository + "/Tests/AcceptanceTests/pages/shop.py", scratch.path])
        let receipts = try JSONDecoder().decode(Receipts.self, from: made.output)
        let daemon = try await start(scratch, receipts.arguments)
        let client = try LineSocket(daemon.socket)
        // All in one write: the others' households come before it is known whether the keys have counted.
        try client.send(Array("""
            {"jsonrpc":"2.0","id":1,"method":"unhooked.feed","params":{"food":"kibble","key":"a"}}
            {"jsonrpc":"2.0","id":2,"method":"purchase.redeem","params":{"receipt":"\(receipts.gems)"}}
            {"jsonrpc":"2.0","id":3,"method":"unhooked.enter","params":{"household":"Ada"}}

            """.utf8))
        let answers = try (0..<3).map { _ in try client.receive() }
        let refused = answers.filter { $0.contains("household: expected the one that was here when it was asked, found another one") }
        #expect(refused.count == 2, "\(answers)")
        #expect(try number("movements", in: client.call("unhooked.ledger")) == 1)
        _ = try client.call("unhooked.enter")
        #expect(try number("movements", in: client.call("unhooked.ledger")) == 1)
        #expect(daemon.terminate() == 0)
    }

    /// Signed by Python.
    private struct Receipts: Decodable {
        var arguments: [String]
        var gems: String
        var refund: String
        var other: String
        var half: String
    }

    @Test func `a refund goes against the household that bought, whoever is there, and it finds so when it comes again`() async throws {
        let scratch = try Scratch()
        let made = try run("/usr/bin/python3", [repository + "/Tests/AcceptanceTests/pages/shop.py", scratch.path])
        let receipts = try JSONDecoder().decode(Receipts.self, from: made.output)
        let daemon = try await start(scratch, receipts.arguments)
        let client = try LineSocket(daemon.socket)
        func redeem(_ receipt: String) throws -> String { try client.call("purchase.redeem", #"{"receipt":"\#(receipt)"}"#) }
        func enter(_ name: String) throws { #expect(try client.call("unhooked.enter", #"{"household":"\#(name)"}"#).contains(name)) }
        func gems() throws -> Int { try number("wallet.gems", in: client.call("unhooked.ledger")) }
        try enter("A")
        #expect(try number("gems", in: redeem(receipts.gems)) == 500)
        #expect(try number("gems", in: client.call("unhooked.buy", #"{"cosmetic":"crown","key":"crown"}"#)) == 350)
        try enter("B")
        #expect(try redeem(receipts.half).contains(#""result":{}"#) && gems() == 0)
        #expect(try redeem(receipts.half).contains("taken back before, 250 of 500") && gems() == 0)
        try enter("A")
        #expect(try gems() == 100)
        try enter("B")
        #expect(try redeem(receipts.refund).contains(#""result":{}"#) && gems() == 0)
        try enter("A")
        #expect(try gems() == -150)
        #expect(daemon.terminate() == 0)
        let entries = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), """
            SELECT household, claim, amount FROM ledger JOIN posting ON entry = number
            WHERE account = 'wallet.gems' AND kind = 'refund' ORDER BY number
            """])
        #expect(entries.text == "A|refund:1|-250\nA|refund+250:1|-250\n", "\(entries.errors)")
    }

    @Test func `a receipt gives Gems once, and a refund takes them also when they are spent`() async throws {
        let scratch = try Scratch()
        let made = try run("/usr/bin/python3", [repository + "/Tests/AcceptanceTests/pages/shop.py", scratch.path])
        let receipts = try JSONDecoder().decode(Receipts.self, from: made.output)
        var daemon = try await start(scratch, receipts.arguments)
        var client = try LineSocket(daemon.socket)
        func redeem(_ receipt: String) throws -> String { try client.call("purchase.redeem", #"{"receipt":"\#(receipt)"}"#) }
        func gems() throws -> Int { try number("wallet.gems", in: client.call("unhooked.ledger")) }
        #expect(try number("gems", in: redeem(receipts.gems)) == 500)
        #expect(try redeem(receipts.gems).contains("which has counted"))
        #expect(try redeem(receipts.other).contains("productId: expected one of gems_100, gems_500, gems_1200, gems_2500"))
        #expect(try number("gems", in: client.call("unhooked.buy", #"{"cosmetic":"crown","key":"crown"}"#)) == 350)
        daemon.kill()
        daemon = try await start(scratch, receipts.arguments)
        client = try LineSocket(daemon.socket)
        #expect(try redeem(receipts.gems).contains("which has counted") && gems() == 350)
        #expect(try number("gems", in: redeem(receipts.refund)) == -150)
        #expect(try client.call("unhooked.buy", #"{"cosmetic":"night-sky","key":"sky"}"#).contains("120 Gems"))
        #expect(try redeem(receipts.refund).contains("taken back before, 500 of 500") && gems() == -150)
        #expect(daemon.terminate() == 0)
        let entries = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), """
            SELECT key, kind, amount FROM ledger JOIN posting ON entry = number WHERE account = 'wallet.gems' ORDER BY number
            """])
        #expect(entries.text == "receipt:1|purchase|500\ncrown|cosmetic|-150\nrefund:1|refund|-500\n", "\(entries.errors)")
    }

    @Test func `what analytics has sent is known after a kill, and each meal is in one batch`() async throws {
        let scratch = try Scratch()
        var daemon = try await start(scratch)
        var client = try LineSocket(daemon.socket)
        /// Of meals that were not sent yet; a journal is behind by half a second at most.
        func batch(of count: Int) throws -> (foods: [String], position: String) {
            for _ in 0..<600 {
                let answer = try client.call("telemetry.unsent", #"{"table":"food"}"#)
                let foods = answer.matches(of: /\\"food\\":\\"(\w+)\\"/).map { String($0.1) }
                if foods.count >= count { return (foods, String(try #require(answer.firstMatch(of: /"position":"([^"]+)"/)).1)) }
                usleep(50_000)
            }
            Issue.record("\(count) meals")
            return ([], "")
        }
        func feed(_ food: String) throws { #expect(try client.call("unhooked.feed", #"{"food":"\#(food)","key":"\#(food)"}"#).contains("movement")) }
        func mark(_ position: String) throws { #expect(try client.call("telemetry.sent", #"{"table":"food","position":"\#(position)"}"#).contains("result")) }
        try feed("kibble")
        try feed("broth")
        let first = try batch(of: 2)
        #expect(first.foods == ["kibble", "broth"])
        #expect(try batch(of: 2) == first, "what nobody has marked is there again")
        for _ in 0..<2 { try mark(first.position) }
        #expect(try batch(of: 0).foods.isEmpty)
        try feed("cream")
        let second = try batch(of: 1)
        #expect(second.foods == ["cream"])
        try mark(second.position)
        try mark(first.position)
        #expect(try batch(of: 0).foods.isEmpty, "an earlier position takes nothing back")
        daemon.kill()
        daemon = try await start(scratch)
        client = try LineSocket(daemon.socket)
        #expect(try client.call("unhooked.wear", #"{"category":"hat"}"#).contains("error"))
        #expect(try batch(of: 0).foods.isEmpty)
        #expect(try client.call("telemetry.sent", #"{"table":"food","position":"2020-01-01T00-00-00Z:1"}"#).contains("position"))
        #expect(try client.call("telemetry.unsent", #"{"table":"shoes"}"#).contains("one of days, food, purchases, gems, recoveries, health"))
        #expect(daemon.terminate() == 0)
    }
}
