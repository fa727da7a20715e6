import struct Experience.LedgerEntry
import struct Experience.Transfer
import Synchronization
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

/// Why a commit was refused.
private final class Answered: Sendable {
    private let words = Mutex<String?>(nil)

    var reason: String? { words.withLock { $0 } }

    func note(_ result: Result<Commit, NotKept>) {
        if case .failure(let problem) = result { words.withLock { $0 = problem.reason } }
    }
}

/// Households that operators remove and merge.
@Suite struct ClosedHouseholdTests {
    private let scratch: Scratch
    private let store: StateStore

    init() async throws {
        scratch = try Scratch()
        store = StateStore(in: FilePath(scratch.file("state")))
        _ = store.open()
        for (name, gems, energy) in [("ana", 500, 20), ("anna", 40, 0), ("bob", 7, 7)] {
            let transfers = [Transfer(gems, of: "gems", from: "issued", to: "wallet"),
                             Transfer(energy, of: "energy", from: "issued", to: "wallet")]
            _ = try await store.commit([
                .append(LedgerRow(piece: "pet", household: name, LedgerEntry(key: "welcome", kind: "gift", transfers: transfers))),
                .remember(piece: "pet", household: name, body: "\(gems)"),
            ])
        }
    }

    private func balances(_ name: String) async throws -> [String] {
        try await store.balances(of: "pet", household: name).filter { $0.amount != 0 }.map { "\($0.account) \($0.amount) \($0.currency)" }
    }

    @Test func `households are listed by name, a part at a time, with what the ledger has of each`() async throws {
        let first = try await store.keptHouseholds(of: "pet", atMost: 2)
        #expect(first.map(\.name) == ["ana", "anna"] && first.map(\.entries) == [1, 1] && first.allSatisfy { $0.updated > 1_700_000_000 })
        #expect(try await store.keptHouseholds(of: "pet", after: "anna", atMost: 2).map(\.name) == ["bob"])
        #expect(try await store.keptHouseholds(of: "pet", after: "bob", atMost: 2) == [])
        #expect(try await store.keptHouseholds(of: "cat", atMost: 2) == [])
    }

    @Test func `a household of which only a secret is kept is listed as such, and removed`() async throws {
        for name in ["abe", "bob"] { _ = try await store.commit([.protect(piece: "pet", household: name, hash: "hash")]) }
        let all = try await store.keptHouseholds(of: "pet", atMost: 9)
        #expect(all.map(\.name) == ["abe", "ana", "anna", "bob"] && all.map(\.hasOnlySecret) == [true, false, false, false])
        #expect(try await store.keptHouseholds(of: "pet", after: "abe", atMost: 1).map(\.name) == ["ana"])
        try await store.remove("abe", of: "pet", note: "{}")
        #expect(store.secret(piece: "pet", household: "abe") == nil && store.secretCount(of: "pet") == 1)
        #expect(try await store.keptHouseholds(of: "pet", atMost: 9).map(\.name) == ["ana", "anna", "bob"])
        await #expect(throws: StateStore.NotClosed.unknown("abe")) { try await store.remove("abe", of: "pet", note: "{}") }
    }

    @Test func `a household that is removed is forgotten, and its balances go back to zero, now and after a restart`() async throws {
        try await store.remove("ana", of: "pet", note: #"{"by":"root"}"#)
        #expect(store.memory(piece: "pet", household: "ana") == nil && store.memoryCount(of: "pet") == 2)
        #expect(try await balances("ana") == [])
        let last = try #require(try await store.ledger(of: "pet", household: "ana").last)
        #expect(last.entry.kind == "removed" && last.entry.body == #"{"by":"root"}"#)
        #expect(last.entry.postings.map(\.amount).sorted() == [-500, -20, 20, 500])
        #expect(store.close())
        let next = StateStore(in: FilePath(scratch.file("state")))
        _ = next.open()
        #expect(next.memory(piece: "pet", household: "ana") == nil && next.memory(piece: "pet", household: "anna") == "40")
        // It may come again, and go again.
        _ = try await next.commit([.remember(piece: "pet", household: "ana", body: "1")])
        try await next.remove("ana", of: "pet", note: "null")
        #expect(try await next.ledger(of: "pet", household: "ana").map(\.entry.kind) == ["gift", "removed", "removed"])
        #expect(next.close())
    }

    @Test func `a household that is merged gives all its balances to the other one, which remembers both`() async throws {
        try await store.merge("ana", into: "anna", of: "pet", note: "null") { gone, left in "\((Int(gone) ?? 0) + (Int(left) ?? 0))" }
        #expect(store.memory(piece: "pet", household: "ana") == nil && store.memory(piece: "pet", household: "anna") == "540")
        #expect(try await balances("ana") == [])
        #expect(try await balances("anna") == ["issued -20 energy", "issued -540 gems", "wallet 20 energy", "wallet 540 gems"])
        #expect(try await balances("bob") == ["issued -7 energy", "issued -7 gems", "wallet 7 energy", "wallet 7 gems"])
        #expect(try await store.ledger(of: "pet", household: "anna").map(\.entry.kind) == ["gift", "joined"])
        #expect(store.close())
    }

    @Test func `what is not there, or does not go together, changes nothing`() async throws {
        await #expect(throws: StateStore.NotClosed.unknown("nobody")) { try await store.remove("nobody", of: "pet", note: "null") }
        await #expect(throws: StateStore.NotClosed.unknown("nobody")) {
            try await store.merge("ana", into: "nobody", of: "pet", note: "null") { $1 + $0 }
        }
        await #expect(throws: StateStore.NotClosed.misfit("too much")) {
            try await store.merge("ana", into: "anna", of: "pet", note: "null") { _, _ throws(StateStore.NotClosed) in
                throw .misfit("too much")
            }
        }
        #expect(try await balances("ana").count == 4 && store.memory(piece: "pet", household: "ana") == "500")
        // It is not closed for good.
        _ = try await store.commit([.remember(piece: "pet", household: "ana", body: "501")])
        #expect(store.close())
    }

    @Test func `a database that does not take it keeps both as they were, and does not take it later either`() async throws {
        // No JSON: the database refuses the whole of it.
        await #expect(throws: StateStore.NotClosed.self) {
            try await store.merge("ana", into: "anna", of: "pet", note: "null") { _, _ in "no JSON" }
        }
        #expect(store.memory(piece: "pet", household: "ana") == "500" && store.memory(piece: "pet", household: "anna") == "40")
        _ = try await store.commit([.remember(piece: "pet", household: "bob", body: "8")])
        #expect(try await balances("ana").count == 4)
        #expect(try await store.ledger(of: "pet", household: "anna").count == 1)
        #expect(store.close())
        let next = StateStore(in: FilePath(scratch.file("state")))
        _ = next.open()
        #expect(next.memory(piece: "pet", household: "ana") == "500")
        #expect(next.close())
    }

    @Test func `while a household is closed nothing else is kept of it, so that nothing comes back by a refund`() async throws {
        let (store, refused) = (store, Answered())
        try await store.merge("ana", into: "anna", of: "pet", note: "null") { _, left in
            store.commit([.remember(piece: "pet", household: "ana", body: "9")]) { refused.note($0) }
            store.commit([.remember(piece: "pet", household: "bob", body: "9")])
            return left
        }
        #expect(refused.reason == "ana is being removed, or merged with another household")
        #expect(store.memory(piece: "pet", household: "ana") == nil && store.memory(piece: "pet", household: "bob") == "9")
        #expect(store.close())
    }
}
