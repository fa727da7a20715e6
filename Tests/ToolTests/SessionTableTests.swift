import Journal
import Signals
import SystemPackage
import Testing
import TestSupport
@testable import Tool
import Units

@Suite struct SessionTableTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Of a session of `direct` in this theme, so many seconds long; cut off where that is nil.
    private func entry(_ name: String, started: String, theme: String, seconds: Int64?, isFull: Bool = false) throws -> SessionEntry {
        var own = Theme.standard
        own.name = theme
        let header = JournalHeader(sampleRate: .standard, seed: 1, experience: "direct", started: started, theme: own)
        let end = seconds.map { [JournalEntry.end(.idle, at: Frame($0 * 48_000))] } ?? []
        let entries = [.header(header), .event(Event(client: .connection(1), .mark("a")), at: .zero)] + end
        let path = try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name)
        return SessionEntry(FilePath(path), named: name, bytes: 1_536, isFull: isFull)
    }

    @Test func `sessions are a table: a heading, and columns that begin or end at one place`() throws {
        let table = SessionTable([
            try entry("a.jsonl", started: "2026-11-23T13:00:05.123Z", theme: "glass", seconds: 5_025),
            try entry("b.jsonl", started: "then", theme: "t", seconds: nil),
            SessionEntry(FilePath(try scratch.write("no journal\n", to: "c.jsonl")), named: "c.jsonl", bytes: 10_240),
        ])
        // 1.5 KiB are 2 KiB, 5,025 s are 1:23:45.
        #expect(table.lines == [
            "started (UTC)        piece   theme     length    size  end   journal",
            "2026-11-23 13:00:05  direct  glass  1:23:45.0   2 KiB  idle  a.jsonl",
            "then                 direct  t         0:00.0   2 KiB  -     b.jsonl  (cut off or still running)",
            "-                    -       -              -  10 KiB  -     c.jsonl  (cannot be read: line 1: expected one JSON object, found something else)",
        ])
        #expect(SessionTable([]).lines.isEmpty)
    }

    @Test func `what a journal that was read to its end says stands behind its name`() throws {
        let entry = try entry("a.jsonl", started: "2026-11-23T13:00:05Z", theme: "glass", seconds: 2, isFull: true)
        #expect(SessionTable([entry]).lines[1].hasSuffix("  a.jsonl  (somebody there for 0:00.0)"), "\(SessionTable([entry]).lines)")
    }
}
