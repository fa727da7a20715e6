import Foundation
import Glibc
import GRDB
import Signals
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

/// Files of the database that somebody removes, renames or replaces while it is open, or before it is opened again.
@Suite struct DisplacementTests {
    private let scratch: Scratch
    private let directory: FilePath

    init() throws {
        scratch = try Scratch()
        directory = FilePath(scratch.file("state"))
    }

    private func entry(_ key: String, claim: String? = nil) -> Change {
        var row = LedgerRow(piece: "pet", household: "7", key: key, kind: "meal", body: "{}")
        row.claim = claim
        return .append(row)
    }

    private func path(_ suffix: String) -> String { "\(directory)/state.sqlite\(suffix)" }

    /// Waits until what was committed is in the database file, unless another connection reads an earlier state.
    private func waitForCheckpoint(_ store: StateStore) {
        // The check at the start reads, and holds the checkpoint up.
        store.check.wait()
        // The first is at its turn at the earliest when the last commit's work is over, the second behind what that left to do.
        for _ in 0..<2 { _ = store.wait(.seconds(60)) { _ in } }
    }

    /// Copies the database without its WAL, as a kill and the loss of the WAL leave it. Returns the folder.
    private func copyWithoutWAL() throws -> FilePath {
        let left = FilePath(scratch.file("left"))
        try FileManager.default.createDirectory(atPath: left.string, withIntermediateDirectories: true)
        for name in ["state.sqlite", "state.committed"] {
            try FileManager.default.copyItem(atPath: "\(directory)/\(name)", toPath: "\(left)/\(name)")
        }
        return left
    }

    private func keys(_ store: StateStore) async throws -> [String] { try await store.ledger().map(\.entry.key) }

    @Test(arguments: [[""], ["-wal"], ["-shm"], ["", "-wal", "-shm"], ["-wal", "-shm"]])
    func `files that are removed while it is open cost nothing that was kept, and are an issue`(_ suffixes: [String]) async throws {
        let store = StateStore(in: directory)
        #expect(store.open().unread == nil)
        _ = try await store.commit([entry("a"), entry("b", claim: "receipt"), .remember(piece: "pet", household: "7", body: "500")])
        for suffix in suffixes { #expect(unlink(path(suffix)) == 0) }
        // As the heartbeat does.
        _ = try await store.commit([])
        #expect(store.issues.count == 1 && store.issues[0].contains("removed or renamed while thrumd runs"), "\(store.issues)")
        for suffix in suffixes { #expect(store.issues[0].contains("state.sqlite\(suffix)")) }
        _ = try await store.commit([entry("c")])
        #expect(try await store.commit([entry("b2", claim: "receipt")]).known == ["b2"])
        // Nothing of it depends on a good end: these are the files as a kill would leave them.
        let left = FilePath(scratch.file("left"))
        try FileManager.default.copyItem(atPath: directory.string, toPath: left.string)
        let next = StateStore(in: left)
        #expect(next.open().unread == nil && next.issues == [] && next.damage == [])
        #expect(try await keys(next) == ["a", "b", "c"] && next.memory(piece: "pet", household: "7") == "500")
        var info = stat()
        #expect(stat(path(""), &info) == 0 && info.st_mode & 0o777 == 0o600)
    }

    @Test func `what is put in its place is kept beside it, and the database is back`() async throws {
        let store = StateStore(in: directory)
        #expect(store.open().unread == nil)
        _ = try await store.commit([entry("a")])
        try FileManager.default.copyItem(atPath: path(""), toPath: scratch.file("old"))
        _ = try await store.commit([entry("b")])
        #expect(rename(scratch.file("old"), path("")) == 0)
        _ = try await store.commit([entry("c")])
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.string).filter { $0.hasPrefix("state.sqlite.replaced-") }
        #expect(names.count == 1 && store.issues.first?.contains(names.first ?? "-") == true, "\(store.issues)")
        #expect(try await keys(store) == ["a", "b", "c"])
        #expect(store.close())
        let next = StateStore(in: directory)
        #expect(next.open().unread == nil && next.issues == [])
        #expect(try await keys(next) == ["a", "b", "c"])
    }

    @Test func `nothing is said to be kept while the database cannot be written anew, and all of it is kept when it can`() async throws {
        let store = StateStore(in: directory)
        #expect(store.open().unread == nil)
        _ = try await store.commit([entry("a")])
        // A folder of that name keeps the new file from being written, whoever tries.
        try FileManager.default.createDirectory(atPath: path("-new"), withIntermediateDirectories: false)
        #expect(unlink(path("-wal")) == 0)
        await #expect(throws: NotKept.self) { try await store.commit([self.entry("b")]) }
        #expect(store.issues.count == 1 && store.issues[0].contains("were touched"), "\(store.issues)")
        let asked = await withCheckedContinuation { continuation in
            store.action(ActionKey("c"), of: "pet", household: "7") { continuation.resume(returning: $0) }
        }
        #expect(throws: NotKept.self) { try asked.get() }
        try FileManager.default.removeItem(atPath: path("-new"))
        _ = try await store.commit([entry("d")])
        #expect(try await keys(store) == ["a", "b", "d"])
    }

    @Test func `a WAL that is gone after a kill is an issue that says how many commits are lost`() async throws {
        let store = StateStore(in: directory)
        #expect(store.open().unread == nil)
        _ = try await store.commit([entry("a")])
        waitForCheckpoint(store)
        _ = try await store.commit([.remember(piece: "pet", household: "7", body: "1")])
        _ = try await store.commit([.remember(piece: "pet", household: "7", body: "2")])
        // An entry has been followed by a checkpoint, memories alone have not.
        let left = try copyWithoutWAL()
        let next = StateStore(in: left)
        #expect(next.open().unread == nil)
        #expect(next.issues.count == 1 && next.issues[0].contains("lacks the last 2 of 3 commits that were said to be kept"), "\(next.issues)")
        #expect(try await keys(next) == ["a"], "a checkpoint follows what counts")
        #expect(next.close())
        let later = StateStore(in: left)
        #expect(later.open().unread == nil && later.issues == [], "it is told until the next start")
    }

    @Test func `an entry that somebody's reading kept out of the database file is moved there after the next commit`() async throws {
        let store = StateStore(in: directory)
        #expect(store.open().unread == nil)
        store.check.wait()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path(""), configuration: configuration)
        try await reader.writeWithoutTransaction { db in
            try db.beginTransaction(.deferred)
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM ledger")
        }
        _ = try await store.commit([entry("a")])
        waitForCheckpoint(store)
        try await reader.writeWithoutTransaction { try $0.rollback() }
        _ = try await store.commit([.remember(piece: "pet", household: "7", body: "1")])
        waitForCheckpoint(store)
        let next = StateStore(in: try copyWithoutWAL())
        #expect(next.open().unread == nil && next.issues == [], "\(next.issues)")
        #expect(try await keys(next) == ["a"])
    }

    @Test func `a database that is gone at the start is an issue, and none where nothing was ever kept`() async throws {
        let store = StateStore(in: directory)
        #expect(store.open() == StateStore.Found() && store.issues == [])
        _ = try await store.commit([entry("a")])
        #expect(store.close())
        #expect(unlink(path("")) == 0)
        let next = StateStore(in: directory)
        #expect(next.open() == StateStore.Found())
        #expect(next.issues.count == 1 && next.issues[0].contains("lacks the last 1 of 1 commits"))
    }
}
