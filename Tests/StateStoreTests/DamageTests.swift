import Foundation
import GRDB
import Signals
import SystemPackage
import Testing
import TestSupport
import Venue

@testable import StateStore

/// Databases that a power cut, a bad disk or somebody has left damaged.
@Suite struct DamageTests {
    /// How many entries the ledger of `made` has, each with a memory of its number.
    private static let entries = 40

    private func changes(_ number: Int) -> [Change] {
        // Long enough for a few pages, and different in each.
        let body = #"{"number":\#(number),"filler":"\#(String(repeating: "\(number % 10)", count: 700))"}"#
        return [.append(LedgerRow(piece: "pet", household: "7", key: "\(number)", kind: "meal", body: body)),
                .remember(piece: "pet", household: "7", body: "\(number)")]
    }

    /// The files of a store whose process was killed: half of the entries in the database, half in the WAL.
    private func made(in scratch: Scratch) async throws -> [String: Data] {
        let folder = FilePath(scratch.file("made"))
        let first = StateStore(in: folder)
        for number in 0..<(Self.entries / 2) { _ = try await first.commit(changes(number)) }
        #expect(first.close())
        let second = StateStore(in: folder)
        _ = second.open()
        // Who reads keeps the WAL from being moved into the database.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: "\(folder)/state.sqlite", configuration: configuration)
        try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT * FROM ledger") }
        for number in (Self.entries / 2)..<Self.entries { _ = try await second.commit(changes(number)) }
        var files: [String: Data] = [:]
        for name in ["state.sqlite", "state.sqlite-wal"] { files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) }
        try reader.inDatabase { try $0.execute(sql: "ROLLBACK") }
        withExtendedLifetime(second) {}
        return files
    }

    /// Opens what is in `files`: the ledger must be a beginning of what was written, with the memory that belongs to it, or the database
    /// set aside, or what is altered be told. Returns how many entries are there; nil when it was set aside or altered.
    private func opened(_ files: [String: Data], _ scratch: Scratch, _ what: Comment) async throws -> Int? {
        let folder = scratch.file(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (name, data) in files { try data.write(to: URL(filePath: "\(folder)/\(name)")) }
        let store = StateStore(in: FilePath(folder))
        #expect(store.open().unread == nil, what)
        store.check.wait()
        _ = try await store.commit([])
        let keys = try await store.ledger().map(\.entry.key)
        #expect(keys == (0..<keys.count).map(String.init), what)
        let isAside = !store.damage.isEmpty
        let isAltered = store.issues.contains { $0.contains("not as they were written") }
        if !isAside, !isAltered {
            #expect(try await store.ledger().map { Change.append($0.entry) } == (0..<keys.count).map { changes($0)[0] }, what)
            #expect(store.memory(piece: "pet", household: "7") == (keys.isEmpty ? nil : "\(keys.count - 1)"), what)
        }
        // Whatever was found, what is committed from now on is kept.
        #expect(try await store.commit([.append(LedgerRow(piece: "pet", household: "7", key: "new", kind: "meal", body: "1"))]) == Commit(), what)
        #expect(store.close() && store.issues.isEmpty == !isAltered, what)
        try FileManager.default.removeItem(atPath: folder)
        return isAside || isAltered ? nil : keys.count
    }

    @Test func `a WAL that is cut off anywhere leaves a beginning of what was committed`() async throws {
        let scratch = try Scratch()
        let files = try await made(in: scratch)
        let wal = try #require(files["state.sqlite-wal"])
        #expect(try await opened(files, scratch, "whole") == Self.entries)
        var counts: [Int] = []
        for cut in stride(from: 0, through: wal.count, by: wal.count / 40) {
            var torn = files
            torn["state.sqlite-wal"] = wal.prefix(cut)
            counts.append(try #require(try await opened(torn, scratch, "cut at \(cut)")))
        }
        #expect(counts == counts.sorted() && counts.first == Self.entries / 2 && Set(counts).count > 10)
    }

    @Test(arguments: [0x00, 0xFF, 0x5A] as [UInt8])
    func `a WAL of which a sector is overwritten leaves a beginning of what was committed`(filling: UInt8) async throws {
        let scratch = try Scratch()
        let files = try await made(in: scratch)
        let wal = try #require(files["state.sqlite-wal"])
        for start in stride(from: 0, to: wal.count - 512, by: wal.count / 20) {
            var torn = files
            torn["state.sqlite-wal"]?.replaceSubrange(start..<(start + 512), with: repeatElement(filling, count: 512))
            let count = try await opened(torn, scratch, "\(filling) at \(start)")
            #expect(try #require(count) >= Self.entries / 2)
        }
    }

    @Test(arguments: [nil, 0x00, 0xFF, 0x5A] as [UInt8?])
    func `a database that is cut off or overwritten is whole, or set aside`(filling: UInt8?) async throws {
        let scratch = try Scratch()
        var files = try await made(in: scratch)
        files["state.sqlite-wal"] = nil
        let main = try #require(files["state.sqlite"])
        var aside = 0
        let starts = Array(stride(from: 512, to: main.count - 512, by: main.count / 30))
        for start in starts {
            var torn = files
            if let filling {
                torn["state.sqlite"]?.replaceSubrange(start..<(start + 512), with: repeatElement(filling, count: 512))
            } else {
                torn["state.sqlite"] = main.prefix(start)
            }
            let count = try await opened(torn, scratch, "\(filling.map { "\($0)" } ?? "cut") at \(start)")
            if let count { #expect(count == Self.entries / 2) } else { aside += 1 }
        }
        // Most of so small a database is empty pages, of which nothing is lost.
        #expect(aside >= 5, "\(aside) of \(starts.count)")
    }

    @Test func `a damaged database is set aside under a name with the time, with its WAL, and a new one begun`() async throws {
        let scratch = try Scratch()
        let files = try await made(in: scratch)
        let folder = scratch.file("state")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("no database, and long enough to be one".utf8).write(to: URL(filePath: folder + "/state.sqlite"))
        try files["state.sqlite-wal"]?.write(to: URL(filePath: folder + "/state.sqlite-wal"))
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                                                  ofItemAtPath: folder + "/" + name)
        }
        let store = StateStore(in: FilePath(folder))
        #expect(store.open() == StateStore.Found())
        let damage = try #require(store.damage.first)
        #expect(damage.written == 1_700_000_000 && damage.path == FilePath(folder + "/state.sqlite"))
        let aside = try #require(damage.aside)
        #expect(aside.string.firstMatch(of: /state\.sqlite\.damaged-20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$/) != nil)
        #expect(try Data(contentsOf: URL(filePath: aside.string)) == Data("no database, and long enough to be one".utf8))
        #expect(FileManager.default.fileExists(atPath: "\(aside)-wal"))
        #expect(try await store.commit([.hear(HearingDay(number: 5, dose: 1))]) == Commit())
    }

    @Test func `a text of which one bit has changed is told, and takes nothing else with it`() async throws {
        let scratch = try Scratch()
        var files = try await made(in: scratch)
        files["state.sqlite-wal"] = nil
        // The filler of entry 7: a digit becomes another.
        let range = try #require(files["state.sqlite"]?.firstRange(of: Data(String(repeating: "7", count: 100).utf8))).lowerBound
        files["state.sqlite"]?[range] ^= 1
        #expect(try await opened(files, scratch, "a bit") == nil)
    }

    @Test func `what has counted for everybody counts no second time after its database was set aside`() async throws {
        let scratch = try Scratch()
        let folder = scratch.file("state")
        let first = StateStore(in: FilePath(folder))
        for number in 0..<Self.entries {
            _ = try await first.commit(changes(number))
            var claim = LedgerRow(piece: "pet", household: "7", key: "receipt:\(number)", kind: "purchase", body: "null")
            claim.claim = claim.key
            _ = try await first.commit([.append(claim)])
        }
        #expect(first.close())
        // The memory's text: the whole database is set aside for that.
        let path = folder + "/state.sqlite"
        let overwritten = """
            import sqlite3,sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("UPDATE memory SET body = '17'")
            c.commit()
            """
        #expect(try run("/usr/bin/python3", ["-c", overwritten, path]).status == 0)
        let store = StateStore(in: FilePath(folder))
        _ = store.open()
        #expect(store.damage.count == 1)
        let known = try await withCheckedContinuation { continuation in
            store.action(ActionKey("receipt:7", for: .everybody), of: "pet", household: "8") { continuation.resume(returning: $0) }
        }.get()
        #expect(known == StateStore.KnownAction(piece: "pet", household: "7", kind: "purchase"))
        #expect(try await store.ledger().map(\.entry.key) == (0..<Self.entries).map { "receipt:\($0)" })
        #expect(store.close())
    }

    @Test func `the checksum is FNV-1a`() {
        // By python3: h = 0xcbf29ce484222325; for b in b"a\xffbc\xff": h = (h ^ b) * 0x100000001b3 % 2**64; h - 2**64 if h >> 63 else h
        #expect(RowSum.of("a", "bc") == -6871556058050395989)
    }

    @Test func `what is no regular file is set aside`() async throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("state.sqlite"), 0o600) == 0)
        let store = StateStore(in: FilePath(scratch.path))
        #expect(store.open() == StateStore.Found())
        #expect(store.damage.first?.reason == "it is no regular file")
        #expect(try await store.commit([.hear(HearingDay(number: 5, dose: 1))]) == Commit())
    }

    @Test func `another program's database is set aside`() async throws {
        let scratch = try Scratch()
        let other = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE memory (x)')"
        #expect(try run("/usr/bin/python3", ["-c", other, scratch.file("state.sqlite")]).status == 0)
        let store = StateStore(in: FilePath(scratch.path))
        #expect(store.open() == StateStore.Found())
        #expect(store.damage.count == 1)
        #expect(try await store.commit([.hear(HearingDay(number: 5, dose: 1))]) == Commit())
    }

    @Test func `damage that shows while it is used costs nothing that households are known for`() async throws {
        let scratch = try Scratch()
        let folder = scratch.file("state")
        let store = StateStore(in: FilePath(folder))
        for number in 0..<Self.entries { _ = try await store.commit(changes(number)) }
        store.check.wait()
        // SQLite keeps pages in memory until somebody else has written.
        let overwritten = """
            import sqlite3,sys
            c = sqlite3.connect(sys.argv[1], isolation_level=None)
            c.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            size = c.execute("PRAGMA page_size").fetchone()[0] * c.execute("PRAGMA page_count").fetchone()[0]
            c.execute("INSERT INTO cursor VALUES ('a', 'b', 0)")
            with open(sys.argv[1], "r+b") as f:
                f.seek(4096)
                f.write(b"\\xff" * (size - 4096))
            """
        #expect(try run("/usr/bin/python3", ["-c", overwritten, folder + "/state.sqlite"]).status == 0)
        _ = try? await store.commit([.hear(HearingDay(number: 5, dose: 1))])
        #expect(try await store.commit([.hear(HearingDay(number: 5, dose: 2))]) == Commit())
        #expect(store.damage.count == 1)
        #expect(store.close())
        let next = StateStore(in: FilePath(folder))
        #expect(next.open().hearingDay == HearingDay(number: 5, dose: 2))
        #expect(next.memory(piece: "pet", household: "7") == "\(Self.entries - 1)")
    }
}
