import struct Experience.LedgerEntry
import struct Experience.Posting
import struct Experience.Transfer
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

/// Double entry in the database, as others see it: what is expected comes from Python's SQLite.
@Suite struct LedgerTests {
    private func store(_ scratch: Scratch) -> StateStore { StateStore(in: FilePath(scratch.file("state"))) }

    private func row(_ key: String, _ transfers: [Transfer], of household: String = "7") -> Change {
        .append(LedgerRow(piece: "pet", household: household, LedgerEntry(key: key, kind: "move", transfers: transfers)))
    }

    /// What Python prints, and what it complains about.
    private func python(_ scratch: Scratch, _ program: String) throws -> (text: String, errors: String) {
        let finished = try run("/usr/bin/python3", ["-c", "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1])\n" + program,
                                                    scratch.file("state/state.sqlite")])
        return (finished.text, finished.errors)
    }

    @Test func `balances are the sums of postings, by account and currency, and sum to zero`() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        var random = SplitMix64(seed: 11)
        func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        var changes: [Change] = []
        for number in 0..<300 {
            let transfers = (0..<below(4)).map { _ in
                Transfer(below(100), of: ["energy", "gems"][below(2)], from: "a\(below(4))", to: "a\(below(4))")
            }
            changes.append(row("\(number)", transfers, of: "\(below(2))"))
        }
        _ = try await store.commit(changes)
        let balances = try await store.balances(of: "pet", household: "1")
        let printed = balances.map { "\($0.account) \($0.currency) \($0.amount)\n" }.joined()
        let expected = try python(scratch, """
            from collections import defaultdict
            sums = defaultdict(int)
            for entry, account, currency, amount in db.execute("SELECT entry, account, currency, amount FROM posting"):
                if db.execute("SELECT household FROM ledger WHERE number = ?", [entry]).fetchone()[0] == "1": sums[account, currency] += amount
            for (account, currency), amount in sorted(sums.items()): print(account, currency, amount)
            """)
        #expect(printed == expected.text && expected.errors == "")
        #expect(balances.count == 8 && balances.map(\.amount).reduce(0, +) == 0 && balances.contains { $0.amount != 0 })
        #expect(try await store.households(of: "pet") == ["0", "1"])
        let entries = try await store.ledger(of: "pet", household: "1")
        let last = try #require(entries.dropLast(10).last)
        var sums: [String: Int] = [:]
        for posting in entries.dropLast(10).flatMap(\.entry.postings) { sums[posting.account + posting.currency, default: 0] += posting.amount }
        for balance in try await store.balances(of: "pet", household: "1", upTo: last.number) {
            #expect(sums[balance.account + balance.currency] == balance.amount)
        }
        #expect(try await store.ledger(of: "pet", household: "1", after: last.number, atMost: 4) == Array(entries.suffix(10).prefix(4)))
    }

    /// Each by a connection of its own, with SQLite's usual settings.
    @Test(arguments: [
        ("db.execute(\"INSERT INTO posting VALUES (1, 7, 'wallet', 'energy', 5)\")", "append-only"),
        ("db.execute(\"UPDATE posting SET amount = 6\")", "append-only"),
        ("db.execute(\"DELETE FROM posting\")", "append-only"),
        ("db.execute(\"REPLACE INTO posting VALUES (1, 0, 'wallet', 'energy', 5)\")", "append-only"),
        ("db.execute(\"UPDATE ledger SET kind = 'x'\")", "append-only"),
        ("db.execute(\"DELETE FROM ledger\")", "append-only"),
        ("db.execute(\"REPLACE INTO ledger VALUES (1, 'pet', '7', 'a', 'x', '1', 0, 0, NULL, NULL)\")", "append-only"),
        ("db.execute(\"REPLACE INTO ledger VALUES (2, 'pet', '7', 'a', 'x', '1', 0, 0, NULL, NULL)\")", "append-only"),
        ("db.execute(\"INSERT INTO posting VALUES (2, 0, 'wallet', 'energy', 5)\")\n"
            + "db.execute(\"INSERT INTO ledger VALUES (2, 'pet', '7', 'b', 'x', '1', 0, 0, NULL, NULL)\")", "sum to zero"),
        ("db.execute(\"INSERT INTO posting VALUES (2, 0, 'wallet', 'energy', 5), (2, 1, 'shop', 'gems', -5)\")\n"
            + "db.execute(\"INSERT INTO ledger (number, piece, household, key, kind, body, created, sum) "
            + "VALUES (NULL, 'pet', '7', 'b', 'x', '1', 0, 0)\")", "sum to zero"),
        ("db.execute(\"PRAGMA foreign_keys = ON\")\ndb.execute(\"INSERT INTO posting VALUES (2, 0, 'wallet', 'energy', 5)\")\ndb.commit()",
         "FOREIGN KEY"),
    ])
    func `the database takes no entry whose postings do not sum to zero, and no change`(_ program: String, _ complaint: String) async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        _ = try await store.commit([row("a", [Transfer(3, of: "energy", from: "wallet", to: "shop")])])
        #expect(try python(scratch, program).errors.contains(complaint))
        #expect(try await store.balances(of: "pet", household: "7").map(\.amount) == [3, -3])
    }

    @Test(arguments: ["UPDATE posting SET amount = 30 WHERE place = 0", "UPDATE posting SET account = 'x'", "DELETE FROM posting WHERE entry = 2",
                      "DELETE FROM ledger WHERE number = 2"])
    func `a posting that somebody has changed, and one whose entry is missing, is told, and nothing is set aside`(_ sql: String) async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        for key in ["a", "b", "c"] { _ = try await first.commit([row(key, [Transfer(3, of: "energy", from: "wallet", to: "shop")])]) }
        #expect(first.close())
        #expect(try python(scratch, """
            for trigger, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall(): db.execute("DROP TRIGGER " + trigger)
            db.execute("\(sql)")
            db.commit()
            """).errors == "")
        let next = store(scratch)
        _ = next.open()
        next.check.wait()
        #expect(next.issues.count == 1 && next.issues[0].contains("the ledger's entry") && next.damage == [], "\(next.issues)")
        #expect(try await next.commit([row("c", []), row("d", [])]).known == ["c"])
    }
}
