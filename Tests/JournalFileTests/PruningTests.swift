import Foundation
import Journal
import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct PruningTests {
    private static let day = 86_400
    /// 2026-02-01T00:00:00Z.
    private static let now = 1_769_904_000

    /// Journals of 8,000 bytes, one a day from 2026-01-01 on, each last written to on its day.
    private func folder(days: Int) throws -> Scratch {
        let scratch = try Scratch()
        for day in 1...days { try put(name(day), age: Self.now - (1_767_225_600 + (day - 1) * Self.day), in: scratch) }
        return scratch
    }

    private func name(_ day: Int) -> String { "2026-01-\(day < 10 ? "0" : "")\(day)T00-00-00Z.jsonl" }

    /// `age` in seconds.
    private func put(_ name: String, age: Int, _ text: String? = nil, in scratch: Scratch) throws {
        var theme = Theme.standard
        // A header with all that the standard theme has would be longer.
        (theme.chimes, theme.haptics, theme.textures) = ([:], [:], [:])
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: theme)
        let line = String(decoding: JournalLine.encode(.header(header)), as: UTF8.self)
        let padding = String(repeating: " ", count: 8_000 - line.utf8.count)
        let path = try scratch.write(text ?? String(line.dropLast()) + padding + "\n", to: name)
        let date = Date(timeIntervalSince1970: Double(Self.now - age))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func prune(_ scratch: Scratch, _ retention: Retention, except current: String? = nil) throws -> SessionFolder.Pruned {
        try SessionFolder(FilePath(scratch.path)).prune(keeping: retention, except: current.map { FilePath(scratch.file($0)) }, now: Self.now)
    }

    @Test func `the oldest go until the others are no more than allowed`() throws {
        let scratch = try folder(days: 9)
        let pruned = try prune(scratch, Retention(bytes: 24_500))
        #expect(pruned.removed == 6 && pruned.bytes == 48_000 && pruned.left == 24_000 && pruned.failure == nil)
        #expect(try scratch.contents == (7...9).map(name))
        #expect(try prune(scratch, Retention(bytes: 24_000)).removed == 0, "as many as allowed are not too many")
    }

    /// A journal of that many bytes, last written to on its day.
    private func put(_ day: Int, bytes: Int, in scratch: Scratch) throws {
        try put(name(day), age: Self.now - (1_767_225_600 + (day - 1) * Self.day), in: scratch)
        let file = try FileHandle(forWritingTo: URL(filePath: scratch.file(name(day))))
        try file.truncate(atOffset: UInt64(bytes))
        try file.close()
    }

    @Test func `a flood goes before older visits, the largest first, and where all are large the oldest goes`() throws {
        let scratch = try folder(days: 9)
        try put(8, bytes: 50_000, in: scratch)
        try put(9, bytes: 60_000, in: scratch)
        #expect(try prune(scratch, Retention(bytes: 120_000)).removed == 1)
        #expect(try scratch.contents == (1...8).map(name))
        #expect(try prune(scratch, Retention(bytes: 56_000)).removed == 1)
        #expect(try scratch.contents == (1...7).map(name))
        let large = try Scratch()
        for day in 1...4 { try put(day, bytes: 50_000 + day, in: large) }
        #expect(try prune(large, Retention(bytes: 110_000)).removed == 2)
        #expect(try large.contents == [name(3), name(4)])
    }

    @Test func `what is still to be sent outlasts its age, and for room it goes after everything else`() throws {
        func prune(_ scratch: Scratch, _ retention: Retention) throws -> SessionFolder.Pruned {
            try SessionFolder(FilePath(scratch.path)).prune(keeping: retention, sparingFrom: "2026-01-04T00-00-00Z", now: Self.now)
        }
        let old = try folder(days: 9)
        let aged = try prune(old, Retention(age: Seconds(1)))
        #expect(aged.removed == 3 && aged.spared == 0)
        #expect(try old.contents == (4...9).map(name))
        let small = try folder(days: 9)
        let pruned = try prune(small, Retention(bytes: 32_500))
        #expect(pruned.removed == 5 && pruned.spared == 2 && pruned.left == 32_000)
        #expect(try small.contents == (6...9).map(name))
        // A flood is spared like the others, and is the first of them to go.
        let flooded = try folder(days: 9)
        try put(8, bytes: 50_000, in: flooded)
        let first = try prune(flooded, Retention(bytes: 100_000))
        #expect(first.removed == 2 && first.spared == 0 && first.left == 98_000)
        let second = try prune(flooded, Retention(bytes: 60_000))
        #expect(second.removed == 2 && second.spared == 1 && second.left == 40_000)
        #expect(try flooded.contents == [4, 5, 6, 7, 9].map(name))
    }

    @Test func `the session that is being written takes no more from others than its part, however much it writes`() throws {
        let scratch = try folder(days: 9)
        try put(10, bytes: 1_000_000, in: scratch)
        #expect(try prune(scratch, Retention(bytes: 160_000), except: name(10)).removed == 0)
        let pruned = try prune(scratch, Retention(bytes: 64_000), except: name(10))
        #expect(pruned.removed == 2 && pruned.bytes == 16_000 && pruned.left == 60_000)
        #expect(try scratch.contents == (3...10).map(name))
    }

    @Test func `what is too old goes, however little it is`() throws {
        let scratch = try folder(days: 31)
        // That of the 30th was written to two days ago.
        #expect(try prune(scratch, Retention(bytes: 1 << 40, age: Seconds(Double(2 * Self.day)))).removed == 29)
        #expect(try scratch.contents == [name(30), name(31)])
    }

    @Test func `the journal being written stays, though by a clock that was set back it is the oldest`() throws {
        let scratch = try folder(days: 3)
        #expect(try prune(scratch, Retention(bytes: 0, age: .zero), except: name(1)).removed == 2)
        #expect(try scratch.contents == [name(1)])
    }

    @Test func `of a clock that was not set nobody knows how old a journal is, and it is the first to make room`() throws {
        let scratch = try folder(days: 1)
        let undated = "1970-01-01T00-00-09Z.jsonl"
        try put(undated, age: Self.now - 9, in: scratch)
        #expect(try prune(scratch, Retention(age: Seconds(Double(365 * Self.day)))).removed == 0)
        #expect(try prune(scratch, Retention(bytes: 8_000)).removed == 1)
        #expect(try scratch.contents == [name(1)])
    }

    @Test func `what is no journal of ours stays, and does not count`() throws {
        let scratch = try folder(days: 2)
        let others = ["visit.jsonl", "2026-01-01.jsonl", "2026-01-01T00-00-00Z.wav", "2026-01-01T00-00-00Z-1.jsonl", "2026-01-01T00-00-00Z-b.jsonl"]
        for other in others { try put(other, age: 400 * Self.day, in: scratch) }
        try put("2025-01-01T00-00-00Z.jsonl", age: 400 * Self.day, "a list of mine\n", in: scratch)
        try put("2025-01-02T00-00-00Z-2.jsonl", age: 400 * Self.day, in: scratch)
        // Cut off before its header was written.
        try put("2025-01-03T00-00-00Z.jsonl", age: 400 * Self.day, "", in: scratch)
        #expect(try prune(scratch, Retention(age: Seconds(Double(365 * Self.day)))).removed == 2)
        #expect(try scratch.contents == (others + ["2025-01-01T00-00-00Z.jsonl", name(1), name(2)]).sorted())
        #expect(try prune(scratch, Retention(bytes: 16_000)).removed == 0)
    }

    @Test func `those of one second go in their order`() throws {
        let scratch = try Scratch()
        for number in ["", "-2", "-9", "-10", "-11"] { try put("2026-01-01T00-00-00Z\(number).jsonl", age: 0, in: scratch) }
        #expect(try prune(scratch, Retention(bytes: 16_000)).removed == 3)
        #expect(try scratch.contents == ["2026-01-01T00-00-00Z-10.jsonl", "2026-01-01T00-00-00Z-11.jsonl"])
    }

    @Test func `without limits, and without a folder, nothing goes`() throws {
        let scratch = try folder(days: 2)
        #expect(try prune(scratch, Retention()).removed == 0)
        #expect(try SessionFolder(FilePath(scratch.file("none"))).prune(keeping: Retention(bytes: 0)).removed == 0)
        #expect(try scratch.contents.count == 2)
        #expect(throws: Errno.notDirectory) { try SessionFolder(FilePath(scratch.file(name(1)))).prune(keeping: Retention(bytes: 0)) }
    }
}
