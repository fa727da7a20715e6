import Foundation
import GRDB
import Signals
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

@Suite struct KnownActionTests {
    private func row(_ key: String, _ household: String = "7", answer: String? = nil, isForEverybody: Bool = false) -> Change {
        var row = LedgerRow(piece: "pet", household: household, key: key, kind: "buy", body: "null")
        row.answer = answer
        row.claim = isForEverybody ? key : nil
        return .append(row)
    }

    /// No load makes it give up, unless `limit` says so.
    private func find(_ key: ActionKey, _ store: StateStore, _ household: String = "7",
                      within limit: Duration = .seconds(600)) async throws -> StateStore.KnownAction? {
        try await withCheckedContinuation { continuation in
            store.action(key, of: "pet", household: household, within: limit) { continuation.resume(returning: $0) }
        }.get()
    }

    private func known(_ household: String = "7", answer: String? = nil) -> StateStore.KnownAction {
        StateStore.KnownAction(piece: "pet", household: household, kind: "buy", answer: answer)
    }

    @Test func `an action that has counted is known by its key, with its answer, for its household`() async throws {
        let scratch = try Scratch()
        let store = StateStore(in: FilePath(scratch.path))
        _ = try await store.commit([row("a", answer: #"{"sum":5}"#), row("b")])
        #expect(try await find(ActionKey("a"), store) == known(answer: #"{"sum":5}"#))
        #expect(try await find(ActionKey("b"), store) == known())
        #expect(try await find(ActionKey("a"), store, "8") == nil)
        #expect(try await find(ActionKey("c"), store) == nil)
        #expect(try await find(ActionKey("a", for: .everybody), store) == nil)
        #expect(store.close())
        let next = StateStore(in: FilePath(scratch.path))
        _ = next.open()
        next.check.wait()
        #expect(try await find(ActionKey("a"), next)?.answer == #"{"sum":5}"# && next.damage == [])
    }

    @Test func `one that counts for everybody is recorded once, whatever household asks`() async throws {
        let store = StateStore(in: FilePath(try Scratch().path))
        _ = try await store.commit([row("a", isForEverybody: true)])
        #expect(try await find(ActionKey("a", for: .everybody), store, "8") == known())
        #expect(try await store.commit([row("a", "8", isForEverybody: true), row("b", "8")]).known == ["a"])
        #expect(try await store.ledger().map { $0.entry.household + $0.entry.key } == ["7a", "8b"])
    }

    @Test func `a household's own key is none of everybody's, and keeps nothing from counting`() async throws {
        let scratch = try Scratch()
        let store = StateStore(in: FilePath(scratch.path))
        let receipt = ActionKey("receipt:1", for: .everybody)
        // Of the household that buys, and of another; before and after.
        #expect(try await store.commit([row("receipt:1"), row("receipt:1", "8"), row("receipt:1", isForEverybody: true)]).known == [])
        #expect(try await find(receipt, store) == known())
        #expect(try await store.commit([row("receipt:2", isForEverybody: true), row("receipt:2")]).known == [])
        #expect(try await store.commit([row("receipt:2", "9", isForEverybody: true), row("receipt:2")]).known == ["receipt:2", "receipt:2"])
        #expect(try await store.ledger().map { $0.entry.claim == nil } == [true, true, false, false, true])
        let other = try await DatabaseQueue(path: scratch.file("state.sqlite")).write { db in
            #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO ledger SELECT 9, piece, '9', key, kind, body, created, sum, answer, claim FROM ledger WHERE number = 3") }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM ledger")
        }
        #expect(other == 5)
    }

    @Test func `a commit that has not been written yet is known, whoever asked before it`() async throws {
        let store = StateStore(in: FilePath(try Scratch().path))
        _ = store.open()
        // The disk is busy: what follows waits in this order, and all that is asked is answered together.
        let disk = DispatchSemaphore(value: 0)
        store.work { disk.wait() }
        async let other = find(ActionKey("z"), store)
        #expect(try await eventually { store.shared.withLock { $0.questions.count == 1 } })
        _ = store.enqueue([row("a", answer: "1")], nil)
        async let found = find(ActionKey("a"), store)
        #expect(try await eventually { store.shared.withLock { $0.questions.count == 2 } })
        disk.signal()
        #expect(try await found == known(answer: "1"))
        #expect(try await other == nil)
    }

    @Test func `a disk that does not answer is not waited for, and nothing is to count meanwhile`() async throws {
        let store = StateStore(in: FilePath(try Scratch().path))
        _ = store.open()
        let disk = DispatchSemaphore(value: 0)
        store.work { disk.wait() }
        await #expect(throws: NotKept.self) { try await find(ActionKey("a"), store, within: .milliseconds(10)) }
        disk.signal()
        #expect(try await find(ActionKey("a"), store) == nil)
    }

    @Test func `a household is found by either Unicode form of its name`() async throws {
        let store = StateStore(in: FilePath(try Scratch().path))
        let (composed, decomposed) = ("Zo\u{E9}", "Zoe\u{301}")
        _ = try await store.commit([.remember(piece: "pet", household: composed, body: "1"), row("a", composed)])
        #expect(try await find(ActionKey("a"), store, decomposed)?.kind == "buy")
        #expect(try await store.ledger(of: "pet", household: decomposed).count == 1)
        #expect(try await store.balances(of: "pet", household: decomposed) == [])
    }

    @Test func `support reads while the disk is busy with what is committed`() async throws {
        let store = StateStore(in: FilePath(try Scratch().path))
        _ = store.open()
        _ = try await store.commit([row("a")])
        let disk = DispatchSemaphore(value: 0)
        store.work { disk.wait() }
        #expect(try await store.ledger(of: "pet", household: "7").map(\.entry.key) == ["a"])
        #expect(try await store.households(of: "pet") == ["7"])
        disk.signal()
        // Without sorting, and without a look at other households.
        let plan = try await store.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT * FROM ledger WHERE piece = 'a' AND household = 'b' AND number > 1 ORDER BY number")
                .map { $0["detail"] as String }
        }
        #expect(plan.count == 1 && plan[0].contains("USING INDEX ledger_household (piece=? AND household=? AND number>?)"), "\(plan)")
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `while the disk takes nothing, what waits for it is known, and nothing else may count`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        disk.fill()
        let long = "\"" + String(repeating: "x", count: 10_000) + "\""
        await #expect(throws: NotKept.self) { try await store.commit([row("a", answer: long)]) }
        let waiting = try #require(try await find(ActionKey("a"), store))
        #expect(waiting.answer == long && waiting.notKept?.contains("full") == true)
        await #expect(throws: NotKept.self) { try await find(ActionKey("b"), store) }
        try disk.makeRoom()
        _ = try await store.commit([])
        #expect(try await find(ActionKey("a"), store) == known(answer: long))
        #expect(try await find(ActionKey("b"), store) == nil)
        #expect(store.close())
    }
}
