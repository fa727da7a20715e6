import Foundation
import GRDB
import Synchronization
import SystemPackage
import Testing
import TestSupport
import Units
import Venue

@testable import StateStore

@Suite struct StateStoreTests {
    private func store(_ scratch: Scratch) -> StateStore { StateStore(in: FilePath(scratch.file("state"))) }

    private func entry(_ key: String, _ body: String = "{}") -> LedgerRow {
        LedgerRow(piece: "pet", household: "7", key: key, kind: "meal", body: body)
    }

    @Test func `what was committed is there at the next start, in a folder that is made for it`() async throws {
        let scratch = try Scratch()
        let first = StateStore(in: FilePath(scratch.file("a/b")))
        #expect(first.open() == StateStore.Found())
        let changes: [Change] = [
            .remember(piece: "pet", household: "7", body: #"{"health":3}"#), .append(entry("k1", #"{"amount":5}"#)),
            .hear(HearingDay(number: 20_779, dose: 12.5)), .choose(ChosenPreset(name: "quiet-day", since: 1_795_348_800)),
            .turn(ChosenVolume(level: Decibels(-12.5), by: "anna", since: nil)), .move(cursor: "hub", to: "a.jsonl:17"),
        ]
        #expect(try await first.commit(changes) == Commit())
        #expect(first.close())
        let next = StateStore(in: FilePath(scratch.file("a/b")))
        let chosen = ChosenPreset(name: "quiet-day", since: 1_795_348_800)
        #expect(next.open() == StateStore.Found(hearingDay: HearingDay(number: 20_779, dose: 12.5), preset: chosen,
                                                        volume: ChosenVolume(level: Decibels(-12.5), by: "anna", since: nil),
                                                        cursors: ["hub": "a.jsonl:17"]))
        #expect(next.memory(piece: "pet", household: "7") == #"{"health":3}"#)
        #expect(next.memory(piece: "pet", household: "8") == nil)
        #expect(try await next.ledger().map(\.entry) == [entry("k1", #"{"amount":5}"#)])
        #expect(try await next.position(ofCursor: "hub") == "a.jsonl:17")
        #expect(next.issues == [] && next.damage == [])
    }

    @Test func `an entry whose key is in the ledger already is recorded once, and that is said`() async throws {
        let store = store(try Scratch())
        #expect(try await store.commit([.append(entry("a")), .append(entry("b"))]).known == [])
        #expect(try await store.commit([.append(entry("b", "[1]")), .append(entry("c"))]).known == ["b"])
        #expect(try await store.commit([.append(entry("d")), .append(entry("d"))]).known == ["d"])
        // Another household's keys are its own.
        var other = entry("a")
        other.household = "8"
        #expect(try await store.commit([.append(other)]).known == [])
        let ledger = try await store.ledger()
        #expect(ledger.map(\.entry) == [entry("a"), entry("b"), entry("c"), entry("d"), other])
        #expect(try await store.ledger(after: ledger[2].number, atMost: 1).map(\.entry.key) == ["d"])
    }

    @Test func `of changes that are committed together all are kept or none`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        await #expect(throws: NotKept.self) {
            try await first.commit([.hear(HearingDay(number: 1)), .append(self.entry("a")), .append(self.entry("b", "no JSON"))])
        }
        // Trying again would not help: it is let go of, and said for good.
        #expect(first.issues.first?.contains("was refused (1 since the start): CHECK constraint failed") == true)
        #expect(try await first.ledger() == [])
        #expect(try await first.commit([.append(entry("a"))]).known == [])
        #expect(first.issues.count == 1)
        #expect(first.close())
        #expect(store(scratch).open().hearingDay == nil)
    }

    @Test func `a memory is known as soon as it is told`() throws {
        let store = store(try Scratch())
        store.commit([.remember(piece: "pet", household: "7", body: "1")])
        store.commit([.remember(piece: "pet", household: "7", body: "2")])
        #expect(store.memory(piece: "pet", household: "7") == "2")
    }

    @Test func `a body that is too long is refused`() async throws {
        let store = store(try Scratch())
        let long = "\"" + String(repeating: "x", count: StateStore.longestBody) + "\""
        await #expect(throws: NotKept.self) { try await store.commit([.remember(piece: "pet", household: "7", body: long)]) }
        #expect(store.memory(piece: "pet", household: "7") == nil)
        #expect(store.issues == ["what was to outlast a restart was refused (1 since the start): "
                                    + "a body of \(StateStore.longestBody + 2) bytes: at most \(StateStore.longestBody) are kept"])
    }

    @Test func `the ledger is append-only for everybody, and commits wait for the disk`() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        _ = try await store.commit([.append(entry("a"))])
        let path = scratch.file("state/state.sqlite")
        for sql in ["DELETE FROM ledger", "UPDATE ledger SET kind = 'x'"] {
            #expect(try run("/usr/bin/python3", ["-c", "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])", path, sql])
                .errors.contains("append-only"))
        }
        // 2 is FULL, by https://www.sqlite.org/pragma.html#pragma_synchronous.
        let (synchronous, mode) = try store.file.withLock { file in
            try file.read { (try Int.fetchOne($0, sql: "PRAGMA synchronous"), try String.fetchOne($0, sql: "PRAGMA journal_mode")) }
        }
        #expect(synchronous == 2 && mode == "wal")
    }

    @Test func `what stands there already costs the disk nothing`() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        let changes: [Change] = [.hear(HearingDay(number: 5, dose: 1)), .choose(ChosenPreset(name: "a")), .choose(ChosenPreset(name: "a")),
                                 .remember(piece: "pet", household: "7", body: "1"), .move(cursor: "hub", to: "1")]
        _ = try await store.commit(changes)
        func size() throws -> Int { try Data(contentsOf: URL(filePath: scratch.file("state/state.sqlite-wal"))).count }
        let before = try size()
        for _ in 0..<10 { _ = try await store.commit(changes) }
        #expect(try size() == before)
        _ = try await store.commit([.hear(HearingDay(number: 5, dose: 2))])
        #expect(try size() > before)
    }

    @Test func `a preset that is given back is gone`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.choose(ChosenPreset(name: "a"))])
        _ = try await first.commit([.choose(nil)])
        #expect(first.close())
        #expect(store(scratch).open() == StateStore.Found())
    }

    @Test func `a database that is removed while it is used is made again, with what households are known for`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.remember(piece: "pet", household: "7", body: "1"), .append(entry("a"))])
        try FileManager.default.removeItem(atPath: scratch.file("state"))
        _ = try await first.commit([.hear(HearingDay(number: 5, dose: 1))])
        #expect(first.issues.count == 1 && first.issues[0].contains("removed or renamed while thrumd runs"))
        #expect(first.close())
        let next = store(scratch)
        #expect(next.open().hearingDay == HearingDay(number: 5, dose: 1))
        #expect(next.memory(piece: "pet", household: "7") == "1" && next.issues == [])
        #expect(try await next.ledger().map(\.entry.key) == ["a"])
    }

    @Test func `a database of another version is left alone, and that is an issue`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.hear(HearingDay(number: 5, dose: 1))])
        #expect(first.close())
        let path = scratch.file("state/state.sqlite")
        let newer = "import sqlite3,sys; c = sqlite3.connect(sys.argv[1]); c.execute(\"INSERT INTO grdb_migrations VALUES ('99')\"); c.commit()"
        #expect(try run("/usr/bin/python3", ["-c", newer, path]).status == 0)
        let next = store(scratch)
        #expect(next.open().unread?.contains("was written by another version of thrumd") == true)
        await #expect(throws: NotKept.self) { try await next.commit([.hear(HearingDay(number: 5, dose: 2))]) }
        #expect(next.issues.count == 1 && next.damage == [])
        #expect(try !FileManager.default.contentsOfDirectory(atPath: scratch.file("state")).contains { $0.contains("damaged") })
    }

    @Test func `a second one of the same directory keeps nothing, and says whose it is, until the first is gone`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.remember(piece: "pet", household: "7", body: "1"), .append(entry("a"))])
        let second = store(scratch)
        #expect(second.open().unread?.contains("another thrumd (process \(getpid())) keeps its state in") == true)
        await #expect(throws: NotKept.self) {
            try await second.commit([.remember(piece: "pet", household: "7", body: "9"), .append(self.entry("b"))])
        }
        #expect(second.issues.count == 1 && second.issues[0].contains("keeps no books") && second.refusal != nil)
        #expect(second.memory(piece: "pet", household: "7") == "9", "what it was told it knows until it ends")
        #expect(first.issues == [] && first.refusal == nil)
        #expect(try await first.ledger().map(\.entry.key) == ["a"])
        #expect(first.close())
        // What it did not read it does not overwrite.
        _ = try await second.commit([])
        #expect(second.refusal == nil)
        await #expect(throws: NotKept.self) { try await second.commit([.append(self.entry("c"))]) }
        #expect(try await second.ledger().map(\.entry.key) == ["a"])
        #expect(second.close())
        let next = store(scratch)
        #expect(next.open().unread == nil && next.memory(piece: "pet", household: "7") == "1")
    }

    @Test func `whose lock was removed keeps nothing while another has taken it`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.append(entry("a"))])
        try FileManager.default.removeItem(atPath: scratch.file("state/lock"))
        let second = store(scratch)
        #expect(second.open().unread == nil)
        await #expect(throws: NotKept.self) { try await first.commit([.append(self.entry("b"))]) }
        #expect(first.issues.contains { $0.contains("keeps no books") })
        _ = try await second.commit([.append(entry("c"))])
        #expect(try await second.ledger().map(\.entry.key) == ["a", "c"])
    }

    @Test func `commits are answered in the order in which they were made`() async throws {
        let store = store(try Scratch())
        let order = Mutex<[Int]>([])
        for number in 0..<100 {
            store.commit([.append(entry("\(number)"))]) { _ in order.withLock { $0.append(number) } }
        }
        _ = try await store.commit([])
        #expect(order.withLock { $0 } == Array(0..<100))
        #expect(try await store.ledger().map(\.entry.key) == (0..<100).map(String.init))
    }

    /// A disk that takes 50 ms a commit has three changes waiting for it when there are 60 a second.
    @Test func `changes that come while the disk is busy are one commit, with the newest memory and all entries`() async throws {
        let store = store(try Scratch())
        _ = store.open()
        _ = try await store.commit([])
        func rows() throws -> Int { try store.file.withLock { try $0.read(\.totalChangesCount) } }
        let before = try rows()
        let isFree = DispatchSemaphore(value: 0)
        store.work { isFree.wait() }
        let answers = Mutex<[Int]>([])
        for number in 0..<5_000 {
            var changes: [Change] = [.remember(piece: "pet", household: "7", body: "\(number)")]
            if number % 1_000 == 0 { changes.append(.append(entry("\(number)"))) }
            store.commit(changes) { if case .success = $0 { answers.withLock { $0.append(number) } } }
        }
        isFree.signal()
        _ = try await store.commit([])
        #expect(answers.withLock { $0 } == Array(0..<5_000))
        // A row of memory, five of the ledger, and the count of commits.
        #expect(try rows() - before == 7)
        #expect(store.memory(piece: "pet", household: "7") == "4999")
        #expect(try await store.ledger().map(\.entry.key) == ["0", "1000", "2000", "3000", "4000"])
    }

    @Test func `a start does not read the ledger, and what is altered in it is found beside what goes on`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit((0..<3_000).map { .append(entry("\($0)", #""some text""#)) } + [.remember(piece: "pet", household: "7", body: "1")])
        #expect(first.close())
        let path = scratch.file("state/state.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let text = try #require(bytes.range(of: Data("some text".utf8), options: .backwards))
        bytes[text.lowerBound] ^= 1
        try bytes.write(to: URL(filePath: path))
        var file = StateFile(in: FilePath(scratch.file("state")))
        let content = try file.content()
        #expect(content.memories.count == 1 && file.damage == [])
        file.end()
        let next = store(scratch)
        #expect(next.open() == StateStore.Found() && next.memory(piece: "pet", household: "7") == "1")
        next.check.wait()
        _ = try await next.commit([.append(entry("new"))])
        #expect(next.issues.count == 1 && next.issues[0].contains("(1): the checksum of the ledger's entry "), "\(next.issues)")
        #expect(try await next.ledger(after: 2_999).map(\.entry.key) == ["2999", "new"] && next.damage == [])
        #expect(next.close())
        let last = store(scratch)
        _ = last.open()
        #expect(last.memory(piece: "pet", household: "7") == "1")
    }

    /// THRUMDEV_LEDGER says how many entries there are: 1,000 by default. With 100,000 the printed times are worth reading.
    @Test func `a start with a long ledger finds all of it whole`() async throws {
        let count = ProcessInfo.processInfo.environment["THRUMDEV_LEDGER"].flatMap { Int($0) } ?? 1_000
        let scratch = try Scratch()
        let first = store(scratch)
        for start in stride(from: 0, to: count, by: 10_000) {
            _ = try await first.commit((start..<min(start + 10_000, count)).map { .append(entry("\($0)", #"{"amount":1,"note":"a line as pieces write it"}"#)) })
        }
        #expect(first.close())
        let next = store(scratch)
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(next.open().unread == nil)
        let open = begin.duration(to: clock.now)
        next.check.wait()
        print("\(count) entries: open after \(open), looked through after \(begin.duration(to: clock.now))")
        #expect(next.damage.isEmpty)
        #expect(try await next.ledger().count == count)
        #expect(next.close())
    }
}
