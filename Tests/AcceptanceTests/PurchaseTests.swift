import Foundation
import Testing
import TestSupport

/// Purchases in a real daemon with the piggy bank, by receipts that Python has signed.
@Suite struct PurchaseTests {
    private struct Made: Decodable {
        struct Wrong: Decodable {
            var name: String
            var receipt: String
        }

        var root: String
        var good: String
        var refund: String
        var second: String
        var other: String
        var stale: String
        var staleRefund: String
        var stalePart: String
        var half: String
        var more: String
        var less: String
        var all: String
        var nothing: String
        var greedy: String
        var wrong: [Wrong]
    }

    private func made() throws -> Made {
        let program = repository + "/Tests/SignedReceiptsTests/receipts.py"
        let finished = try run("/usr/bin/python3", ["-W", "ignore", program, "\(Int(Date().timeIntervalSince1970))"])
        return try JSONDecoder().decode(Made.self, from: finished.output)
    }

    private func start(_ scratch: Scratch, _ made: Made) async throws -> Daemon {
        let root = try scratch.write(made.root, to: "root.pem")
        return try await Daemon(["--output", "null", "--experience", "piggy-bank", "--receipt-root", root, "--receipt-bundle-id",
                                 "org.example.bank"], scratch: scratch, program: Programs.metronomed)
    }

    private func redeem(_ receipt: String, _ client: LineSocket) throws -> String {
        let quoted = String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
        return try client.call("purchase.redeem", #"{"receipt":\#(quoted)}"#)
    }

    @Test func `a receipt counts once for ever, wrong ones never, and a refund takes back also what is spent`() async throws {
        let scratch = try Scratch()
        let made = try made()
        var daemon = try await start(scratch, made)
        var client = try LineSocket(daemon.socket)
        #expect(try redeem(made.good, client).contains(#""sum":100"#))
        let used = "key: expected one that has not counted for anybody, found receipt:1000, which has counted"
        #expect(try redeem(made.good, client).contains(used))
        #expect(try redeem(made.second, client).contains(#""sum":1100"#))
        #expect(try redeem(made.other, client).contains("productId: expected one of coins_100, coins_500, found coins_9000"))
        for wrong in made.wrong { #expect(try redeem(wrong.receipt, client).contains(#""error""#), "\(wrong.name)") }
        #expect(try client.call("bank.take", #"{"amount":1000,"key":"spent"}"#).contains(#""sum":100"#))
        #expect(try client.call("bank.take", #"{"amount":100,"key":"all"}"#).contains(#""sum":0"#))
        daemon.kill()
        daemon = try await start(scratch, made)
        client = try LineSocket(daemon.socket)
        #expect(try redeem(made.good, client).contains(used))
        #expect(try redeem(made.refund, client).contains(#""sum":-100"#))
        #expect(try redeem(made.refund, client).contains("a refund of more than was taken back before, 100 of 100"))
        #expect(try client.call("bank.take", #"{"amount":1,"key":"more"}"#).contains("at most what is in it, -100"))
        // A refund that comes first leaves nothing to count.
        #expect(try redeem(made.staleRefund, client).contains("a purchase that was not refunded before it counted"))
        for _ in 0..<2 { #expect(try redeem(made.staleRefund, client).contains("found one that was revoked before it counted")) }
        #expect(try redeem(made.stale, client).contains("found receipt:1003, which is revoked"))
        #expect(try client.call("bank.sum").contains(#""sum":-100"#))
        #expect(daemon.terminate() == 0)
        let entries = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), """
            SELECT key, kind, ifnull(sum(amount), 0) FROM ledger LEFT JOIN posting ON entry = number AND account = 'bank' GROUP BY number
            """])
        #expect(entries.text.split(separator: "\n") == [
            "receipt:1000|purchase|100", "receipt:1001|purchase|1000", "spent|take|-1000", "all|take|-100", "refund:1000|refund|-100",
            "receipt:1003|revoked|0",
        ], "\(entries.errors)")
        // The journal has what was verified, and no receipt.
        let journal = try String(contentsOfFile: #require(daemon.journals.last), encoding: .utf8)
        #expect(journal.contains(#""event":"bank.bought""#) && journal.contains(#""revocationDate":"#) && !journal.contains("eyJ"))
    }

    @Test func `refunds take the given part of what was bought, once, and never more`() async throws {
        let scratch = try Scratch()
        let made = try made()
        var daemon = try await start(scratch, made)
        var client = try LineSocket(daemon.socket)
        // A part of a purchase that has not counted yet is refused, and the purchase may still come.
        #expect(try redeem(made.half, client).contains("expected a refund of a purchase that has counted"))
        #expect(try redeem(made.good, client).contains(#""sum":100"#))
        #expect(try redeem(made.second, client).contains(#""sum":1100"#))
        #expect(try redeem(made.nothing, client).contains("found one of 0 %"))
        // Half of 1,000, whatever the receipt says of the ledger.
        #expect(try redeem(made.half, client).contains(#""sum":600"#))
        for receipt in [made.half, made.less] {
            #expect(try redeem(receipt, client).contains("a refund of more than was taken back before, 500 of 1000"))
        }
        // 67.932 % of 1,000, rounded down, less 500.
        #expect(try redeem(made.more, client).contains(#""sum":421"#))
        daemon.kill()
        daemon = try await start(scratch, made)
        client = try LineSocket(daemon.socket)
        #expect(try redeem(made.all, client).contains(#""sum":100"#))
        #expect(try redeem(made.all, client).contains("taken back before, 1000 of 1000"))
        // A refund of 100 pieces, of which one was bought.
        #expect(try redeem(made.greedy, client).contains(#""sum":0"#))
        #expect(try redeem(made.stalePart, client).contains("found one of a part of another"))
        #expect(try redeem(made.stale, client).contains(#""sum":100"#))
        #expect(try redeem(made.stalePart, client).contains(#""sum":50"#))
        #expect(daemon.terminate() == 0)
        let entries = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), """
            SELECT claim, amount FROM ledger JOIN posting ON entry = number AND account = 'bank' WHERE kind = 'refund' ORDER BY number
            """])
        #expect(entries.text.split(separator: "\n") == [
            "refund:1001|-500", "refund+500:1001|-179", "refund+679:1001|-321", "refund:1000|-100", "refund:1003|-50",
        ], "\(entries.errors)")
    }

    @Test func `a purchase and its refund that come together count both or neither, and a key of one's own defeats no receipt`() async throws {
        let scratch = try Scratch()
        let made = try made()
        let daemon = try await start(scratch, made)
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("bank.put", #"{"amount":7,"key":"receipt:1000"}"#).contains(#""sum":7"#))
        func together(_ receipts: [String]) throws -> [String] {
            let lines = receipts.enumerated().map { number, receipt in
                #"{"jsonrpc":"2.0","id":\#(900 + number),"method":"purchase.redeem","params":{"receipt":"\#(receipt)"}}"# + "\n"
            }
            try client.send(Array(lines.joined().utf8))
            return try receipts.map { _ in try client.receive() }
        }
        // They are verified by several threads, so either may be the first.
        let both = try together([made.good, made.refund, made.good, made.refund])
        let sums = both.filter { $0.contains(#""sum":107"#) || $0.contains(#""sum":7"#) }
        #expect(sums.count == 2 || sums.isEmpty && both.contains { $0.contains("not refunded before it counted") }, "\(both)")
        #expect(try client.call("bank.sum").contains(#""sum":7"#))
        let refunds = try together([made.staleRefund, made.staleRefund, made.stale])
        #expect(try client.call("bank.sum").contains(#""sum":7"#), "\(refunds)")
        #expect(daemon.terminate() == 0)
        let entries = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), "SELECT sum(amount) FROM posting WHERE account = 'bank'"])
        #expect(entries.text == "7\n")
    }

    @Test func `with neither root nor key there are no purchases, and a file that is none is told`() async throws {
        let scratch = try Scratch()
        let daemon = try await Daemon(["--output", "null", "--experience", "piggy-bank"], scratch: scratch, program: Programs.metronomed)
        let client = try LineSocket(daemon.socket)
        #expect(try redeem("x", client).contains("there are no purchases: neither receipt-root nor receipt-key is set"))
        #expect(daemon.terminate() == 0)
        let file = try scratch.write("no certificate", to: "root.pem")
        for (flags, words) in [
            (["--receipt-root", file, "--receipt-bundle-id", "a"], "receipt-root: expected a certificate's file, PEM or DER"),
            (["--receipt-root", file, "--receipt-key", file], "receipt-key: expected either receipt-root or receipt-key, found both"),
            (["--receipt-key", scratch.file("none")], "receipt-key: expected a public key's file, PEM, of the curve P-256"),
        ] {
            let refused = try run(Programs.thrumd, ["--output", "null"] + flags)
            #expect(refused.status == 78 && refused.errors.contains(words), "\(refused.errors)")
        }
    }
}
