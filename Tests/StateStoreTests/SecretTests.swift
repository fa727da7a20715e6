import SystemPackage
import Testing
import TestSupport

@testable import StateStore

@Suite struct SecretTests {
    private func open(_ scratch: Scratch) -> StateStore {
        let store = StateStore(in: FilePath(scratch.file("state")))
        _ = store.open()
        return store
    }

    private func protect(_ household: String, _ hash: String?) -> Change { .protect(piece: "pet", household: household, hash: hash) }

    @Test func `a household's secret outlasts a restart, and can be changed and taken away`() async throws {
        let scratch = try Scratch()
        var store = open(scratch)
        _ = try await store.commit([protect("Ada", "a"), protect("Bob", "b")])
        _ = try await store.commit([protect("Ada", "c")])
        #expect(store.close())
        store = open(scratch)
        #expect(store.secret(piece: "pet", household: "Ada") == "c" && store.secret(piece: "pet", household: "Bob") == "b")
        #expect(store.secret(piece: "cat", household: "Ada") == nil && store.secretCount(of: "pet") == 2)
        _ = try await store.commit([protect("Ada", nil)])
        #expect(store.secret(piece: "pet", household: "Ada") == nil)
        #expect(store.close())
        store = open(scratch)
        #expect(store.secret(piece: "pet", household: "Ada") == nil && store.secretCount(of: "pet") == 1)
        #expect(store.close())
    }

    @Test func `a name in either of its Unicode forms has one secret`() async throws {
        let scratch = try Scratch()
        var store = open(scratch)
        _ = try await store.commit([protect("Andr\u{E9}", "a")])
        _ = try await store.commit([protect("Andre\u{301}", "b")])
        #expect(store.close())
        store = open(scratch)
        #expect(store.secret(piece: "pet", household: "Andr\u{E9}") == "b" && store.secretCount(of: "pet") == 1)
        #expect(store.close())
        let rows = try run("/usr/bin/sqlite3", [scratch.file("state/state.sqlite"), "SELECT count(*) FROM household_secret"])
        #expect(rows.text == "1\n", "\(rows.errors)")
    }

    @Test func `secrets are written again into a database in the place of one that was removed`() async throws {
        let scratch = try Scratch()
        let store = open(scratch)
        _ = try await store.commit([protect("Ada", "a")])
        _ = try run("/bin/sh", ["-c", "rm \(scratch.file("state"))/state.sqlite*"])
        _ = try await store.commit([protect("Bob", "b")])
        #expect(store.close())
        let again = open(scratch)
        #expect(again.secret(piece: "pet", household: "Ada") == "a" && again.secret(piece: "pet", household: "Bob") == "b")
        #expect(again.close())
    }
}
