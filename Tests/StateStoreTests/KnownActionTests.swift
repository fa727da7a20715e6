import Foundation
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

    private func find(_ key: ActionKey, _ store: StateStore, _ household: String = "7") async throws -> StateStore.KnownAction? {
        try await withCheckedContinuation { continuation in
            store.action(key, of: "pet", household: household) { continuation.resume(returning: $0) }
        }.get()
    }

    @Test func `an action that has counted is known by its key, with its answer, for its household`() async throws {
        let scratch = try Scratch()
        let store = StateStore(in: FilePath(scratch.path))
        _ = try await store.commit([row("a", answer: #"{"sum":5}"#), row("b")])
        #expect(try await find(ActionKey("a"), store) == StateStore.KnownAction(household: "7", answer: #"{"sum":5}"#))
        #expect(try await find(ActionKey("b"), store) == StateStore.KnownAction(household: "7"))
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
        #expect(try await find(ActionKey("a", for: .everybody), store, "8") == StateStore.KnownAction(household: "7"))
        #expect(try await store.commit([row("a", "8", isForEverybody: true), row("b", "8")]).known == ["a"])
        #expect(try await store.ledger().map { $0.entry.household + $0.entry.key } == ["7a", "8b"])
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `while the disk takes nothing, what waits for it is known, and nothing else may count`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        disk.fill()
        let long = "\"" + String(repeating: "x", count: 10_000) + "\""
        await #expect(throws: NotKept.self) { try await store.commit([row("a", answer: long)]) }
        let known = try #require(try await find(ActionKey("a"), store))
        #expect(known.answer == long && known.notKept?.contains("full") == true)
        await #expect(throws: NotKept.self) { try await find(ActionKey("b"), store) }
        try disk.makeRoom()
        _ = try await store.commit([])
        #expect(try await find(ActionKey("a"), store) == StateStore.KnownAction(household: "7", answer: long))
        #expect(try await find(ActionKey("b"), store) == nil)
        #expect(store.close())
    }
}
