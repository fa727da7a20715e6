import Files
import Fleet
@testable import FleetTool
import Foundation
import Journal
import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct StationJournalsTests {
    /// A journal of so many scrolls, each with a touch before it.
    private func text(scrolls: Int, end: Bool = true, padding: Int = 0) -> String {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-01T12:00:00Z", theme: .standard)
        var lines = [String(decoding: JournalLine.encode(.header(header)).dropLast(), as: UTF8.self)]
        let extra = padding > 0 ? #","text":"\#(String(repeating: "x", count: padding))""# : ""
        for index in 0..<scrolls {
            lines.append(#"{"frame":\#(index * 100),"event":"touch","client":1,"phase":"began","x":0.5,"y":0.8}"#)
            lines.append(#"{"frame":\#(index * 100),"event":"feed.scroll","client":1,"index":\#(index)\#(extra)}"#)
        }
        if end { lines.append(#"{"frame":\#(scrolls * 100),"end":"idle"}"#) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Has a file be one that was last written to in 2026.
    private func age(_ path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_767_225_600)], ofItemAtPath: path)
    }

    private func journals(_ scratch: Scratch) -> StationJournals { StationJournals(SessionFolder(FilePath(scratch.path)), events: ["feed.scroll"]) }

    /// Sends all there is to a hub that takes everything; returns the lines of each journal's rows as they came.
    private func drain(_ journals: inout StationJournals, _ outbox: inout Outbox) throws -> [String: [Int]] {
        var found: [String: [Int]] = [:]
        while true {
            let parts = try journals.parts(after: outbox)
            guard !parts.isEmpty else { return found }
            for part in parts { found[part.journal, default: []] += part.rows.map(\.line) }
            let batch = outbox.send(parts, over: 1, at: .zero)
            _ = outbox.take(Committed(connection: 1, number: batch.number,
                                      lines: Dictionary(uniqueKeysWithValues: parts.map { ($0.journal, $0.through) })))
        }
    }

    private func expected(_ scrolls: Int) -> [Int] { [1] + (0..<scrolls).map { 3 + 2 * $0 } + [2 + 2 * scrolls] }

    @Test func `finished journals wait until all of them is committed, and one that goes on does not`() throws {
        let scratch = try Scratch()
        for name in ["a", "b"] { try age(scratch.write(text(scrolls: 3), to: name + ".jsonl")) }
        _ = try scratch.write(text(scrolls: 3, end: false), to: "running.jsonl")
        _ = try scratch.write(text(scrolls: 3), to: "a.disturbed.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        #expect(try journals.waiting() == 2)
        let parts = try journals.parts(after: outbox)
        let batch = outbox.send(parts, over: 1, at: .zero)
        #expect(try journals.waiting() == 2, "nothing is committed")
        #expect(outbox.rowsWaiting == 2 * 5, "of each its beginning, its scrolls and its end")
        _ = outbox.take(Committed(connection: 1, number: batch.number, lines: Dictionary(uniqueKeysWithValues: parts.map { ($0.journal, $0.through) })))
        _ = try drain(&journals, &outbox)
        #expect(try journals.waiting() == 0 && outbox.rowsWaiting == 0)
    }

    @Test func `the first journal that is not sent is told, be it finished or not, and of all that are sent the last`() throws {
        let scratch = try Scratch()
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        #expect(try journals.firstUnsent(closes: false) == nil)
        for name in ["a", "b"] { try age(scratch.write(text(scrolls: 3), to: name + ".jsonl")) }
        _ = try scratch.write(text(scrolls: 3, end: false), to: "running.jsonl")
        #expect(try journals.firstUnsent(closes: false) == "a")
        let parts = try journals.parts(after: outbox)
        let first = try #require(parts.first)
        let batch = outbox.send(parts, over: 1, at: .zero)
        _ = outbox.take(Committed(connection: 1, number: batch.number, lines: [first.journal: first.through]))
        _ = try journals.parts(after: outbox)
        #expect(try journals.firstUnsent(closes: false) == "b", "only one is committed")
        _ = try drain(&journals, &outbox)
        #expect(try journals.firstUnsent(closes: false) == "running")
        try FileManager.default.removeItem(atPath: scratch.file("running.jsonl"))
        #expect(try journals.firstUnsent(closes: false) == "b")
    }

    @Test func `a day that is over is closed once, when all of a journal is committed`() throws {
        let scratch = try Scratch()
        for name in ["2026-01-01T12-00-00Z", "2026-01-01T12-00-00Z-2", "2026-01-02T12-00-00Z", "2026-01-03T12-00-00Z", "by-hand"] {
            try age(scratch.write(text(scrolls: 1), to: name + ".jsonl"))
        }
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        // Days in UTC: 2026-01-01 begins at 1767225600.
        let day = { (instant: Int) in "2026-01-0\((instant - 1_767_225_600) / 86_400 + 1)" }
        func unclosed(_ most: Int = 9) throws -> (day: String, journals: [Closing.Journal])? {
            try journals.unclosed(before: "2026-01-03", atMost: most, day: day)
        }
        #expect(try unclosed() == nil, "nothing is committed")
        _ = try drain(&journals, &outbox)
        let first = try #require(try unclosed())
        #expect(first.day == "2026-01-01" && first.journals.map(\.name) == ["2026-01-01T12-00-00Z/7", "2026-01-01T12-00-00Z-2/7"])
        let bytes = Array(text(scrolls: 1).utf8)
        #expect(first.journals.allSatisfy { $0.bytes == bytes.count && $0.digest == Digest.hexadecimal(Digest.of(bytes)) })
        #expect(try unclosed(1)?.journals.count == 1)
        #expect(try journals.firstUnsent(closes: true) == "2026-01-01T12-00-00Z")
        journals.close(first.journals)
        #expect(journals.memory(outbox)["2026-01-01T12-00-00Z"]?.isClosed == true)
        #expect(try journals.firstUnsent(closes: true) == "2026-01-02T12-00-00Z")
        let second = try #require(try unclosed())
        #expect(second.day == "2026-01-02" && second.journals.map(\.name) == ["2026-01-02T12-00-00Z/7"])
        journals.close(second.journals)
        #expect(try unclosed() == nil, "the third day goes on")
        #expect(try journals.firstUnsent(closes: true) == "2026-01-03T12-00-00Z")
    }

    @Test func `a journal that is stuck has no later ones spared when 30 days of journals have followed`() throws {
        let scratch = try Scratch()
        let old = try scratch.write(text(scrolls: 4, padding: 5_000), to: "a.jsonl")
        let new = try scratch.write(text(scrolls: 3), to: "b.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        func modify(_ path: String, days: Double) throws {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_767_225_600 + days * 86_400)], ofItemAtPath: path)
        }
        try modify(old, days: 0)
        try modify(new, days: 30)
        for _ in 0..<100 {
            let parts = try journals.parts(after: outbox)
            guard !parts.isEmpty else { break }
            let batch = outbox.send(parts, over: 1, at: .zero)
            guard batch.payload.count <= 3_000 else {
                outbox.withdraw()
                journals.shrink(after: batch)
                continue
            }
            _ = outbox.take(Committed(connection: 1, number: batch.number,
                                      lines: Dictionary(uniqueKeysWithValues: parts.map { ($0.journal, $0.through) })))
        }
        func look(_ times: Int) throws { for _ in 0..<times { _ = try journals.parts(after: outbox) } }
        try look(StationJournals.looks)
        #expect(try journals.firstUnsent(closes: false) == "a", "30 days are not over")
        try modify(new, days: 31)
        try look(StationJournals.looks - 1)
        #expect(try journals.firstUnsent(closes: false) == "a", "it may be the disk")
        try look(1)
        #expect(try journals.firstUnsent(closes: false) == "b")
    }

    @Test func `every scroll of every journal is sent once, in batches`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(text(scrolls: 1_300), to: "2026-01-01T12-00-00Z.jsonl")
        _ = try scratch.write(text(scrolls: 3), to: "2026-01-01T13-00-00Z.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        let first = try journals.parts(after: outbox)
        #expect(first.map(\.rows.count) == [BatchRoom.mostRows])
        let found = try drain(&journals, &outbox)
        #expect(found == ["2026-01-01T12-00-00Z/7": expected(1_300), "2026-01-01T13-00-00Z/7": expected(3)])
        let rest = try journals.parts(after: outbox)
        #expect(rest.isEmpty)
    }

    @Test func `events that are large go in more batches`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(text(scrolls: 40, padding: 100_000), to: "a.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        let first = try journals.parts(after: outbox)
        #expect(first.map(\.rows.count) == [1], "the header, because the next is larger than a batch")
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["a/7": expected(40)])
    }

    @Test func `batches shrink until the broker takes them, and a row that it never takes stops its own journal alone`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(text(scrolls: 4, padding: 5_000), to: "a.jsonl")
        _ = try scratch.write(text(scrolls: 30), to: "b.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        var found: [String: [Int]] = [:]
        for _ in 0..<100 {
            let parts = try journals.parts(after: outbox)
            guard !parts.isEmpty else { break }
            let batch = outbox.send(parts, over: 1, at: .zero)
            guard batch.payload.count <= 3_000 else {
                outbox.withdraw()
                journals.shrink(after: batch)
                continue
            }
            for part in parts { found[part.journal, default: []] += part.rows.map(\.line) }
            _ = outbox.take(Committed(connection: 1, number: batch.number,
                                      lines: Dictionary(uniqueKeysWithValues: parts.map { ($0.journal, $0.through) })))
        }
        #expect(found == ["a/7": [1], "b/7": expected(30)])
        let rest = try journals.parts(after: outbox)
        #expect(rest.isEmpty)
    }

    @Test func `a start later, only what is new is sent, by what was kept`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(text(scrolls: 3), to: "a.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        _ = try drain(&journals, &outbox)
        let rest = try journals.parts(after: outbox)
        #expect(rest.isEmpty)
        let kept = journals.memory(outbox)
        #expect(kept["a"]?.line == 8 && kept["a"]?.bytes != nil)
        _ = try scratch.write(text(scrolls: 2), to: "b.jsonl")
        journals = self.journals(scratch)
        journals.remember(kept)
        outbox = Outbox(Outbox.RetryDelays(), lines: Dictionary(uniqueKeysWithValues: kept.values.map { ($0.name, $0.line) }))
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["b/7": expected(2)])
    }

    @Test func `a journal that is being written waits for its end`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(text(scrolls: 3, end: false), to: "a.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        let rest = try journals.parts(after: outbox)
        #expect(rest.isEmpty)
        _ = try scratch.write(text(scrolls: 3), to: "a.jsonl")
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["a/7": expected(3)])
    }

    @Test func `a journal that was cut off is sent once another has been written`() throws {
        let scratch = try Scratch()
        let torn = try scratch.write(text(scrolls: 3, end: false) + #"{"frame":300,"eve"#, to: "a.jsonl")
        try age(torn)
        _ = try scratch.write(text(scrolls: 1), to: "b.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["a/7": expected(3).dropLast(), "b/7": expected(1)])
    }

    @Test func `a journal that goes on after all is sent from there on`() throws {
        let scratch = try Scratch()
        let path = try scratch.write(text(scrolls: 3, end: false), to: "a.jsonl")
        try age(path)
        _ = try scratch.write(text(scrolls: 1), to: "b.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        _ = try drain(&journals, &outbox)
        _ = try scratch.write(text(scrolls: 5), to: "a.jsonl")
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["a/7": [9, 11, 12]])
    }

    @Test func `what is above a bad line is sent, and what was set aside is not`() throws {
        let scratch = try Scratch()
        let lines = text(scrolls: 3).split(separator: "\n")
        _ = try scratch.write((lines[..<5] + [#"{"nonsense":1}"#] + lines[5...]).joined(separator: "\n") + "\n", to: "a.jsonl")
        _ = try scratch.write(text(scrolls: 3), to: "2026-01-01T12-00-00Z.disturbed.jsonl")
        _ = try scratch.write("no journal\n", to: "c.jsonl")
        var (journals, outbox) = (journals(scratch), Outbox(Outbox.RetryDelays()))
        let sent = try drain(&journals, &outbox)
        #expect(sent == ["a/7": [1, 3, 5]])
    }

    @Test func `a folder that is not there has nothing to send`() throws {
        let scratch = try Scratch()
        var journals = StationJournals(SessionFolder(FilePath(scratch.file("none"))), events: [])
        let rest = try journals.parts(after: Outbox(Outbox.RetryDelays()))
        #expect(rest.isEmpty)
    }
}
