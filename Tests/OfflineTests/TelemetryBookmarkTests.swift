import ColorScroller
import Experience
import Foundation
import Journal
import JournalFile
import Offline
import Registry
import SystemPackage
import Testing
import TestSupport
import Units

/// Parts of an export that begin to read where the part before ended. What is expected of them are the parts that read from the beginning.
@Suite struct TelemetryBookmarkTests {
    private let scratch: Scratch
    private let table: TelemetryTable
    private let text: TelemetryText

    init() throws {
        scratch = try Scratch()
        table = try #require(ColorScroller.declaration.telemetry.first { $0.topic != nil })
        text = TelemetryText(.csv, table)
    }

    /// A made-up session's lines with their sums.
    private func lines(_ swipes: Int, seed: UInt64 = 3) throws -> [String] {
        let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == "frantic" })
        var simulation = Simulation(ColorScroller.self, visitor, seed: seed, turns: swipes, idle: Seconds(45))
        var (sum, lines): (JournalSum, [String]) = (JournalSum(), [])
        while let step = simulation.next() { lines.append(String(decoding: sum.seal(JournalLine.encode(step.entry)), as: UTF8.self)) }
        return lines
    }

    /// Adds to the file as thrumd does, which stays the same file.
    private func append(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
        try file.seekToEnd()
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    private func isSame(_ a: TelemetryExport.Part, _ b: TelemetryExport.Part) -> Bool {
        a.text == b.text && a.rows == b.rows && a.notes == b.notes && a.next == b.next && a.end == b.end && a.progress == b.progress
    }

    @Test func `an export in forty parts reads its journal twice, and not forty times`() throws {
        let journal = FilePath(try scratch.write(lines(4_000).joined(), to: "s.jsonl"))
        let size = try Int64(Data(contentsOf: URL(fileURLWithPath: journal.string)).count)
        let export = TelemetryExport(text, of: [journal], ColorScroller.self)
        var (read, slowly, parts) = (Int64(0), Int64(0), 0)
        var cursor: TelemetryExport.Cursor?
        var bookmark: TelemetryBookmark?
        repeat {
            let part = try export.part(from: cursor, limit: 100, at: bookmark.map { [$0] } ?? [])
            if parts % 10 == 0 || part.next == nil {
                let whole = try export.part(from: cursor, limit: 100)
                #expect(isSame(part, whole))
                slowly += whole.bytesRead
            }
            (read, parts, cursor, bookmark) = (read + part.bytesRead, parts + 1, part.next, part.bookmark)
        } while cursor != nil
        #expect(parts == 40 && slowly == 5 * size)
        // Each part reads whole blocks of 64 KiB.
        #expect(size > 1 << 20 && read <= 2 * size + Int64(parts) << 16, "\(read) of \(size)")
        #expect(bookmark == nil, "what is over is not gone on with")
    }

    @Test(arguments: [false, true]) func `a journal that grows has the same parts, wherever it was cut, and only what is new is read`(
        isForGood: Bool
    ) throws {
        let whole = Array(try lines(120).joined().utf8)
        let journal = FilePath(try scratch.write("", to: "s.jsonl"))
        let export = TelemetryExport(text, of: [journal], ColorScroller.self, isForGood: isForGood)
        let header = whole.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        // Between lines and within them; the last step ends the session.
        let ends = Array(stride(from: header + 1, to: whole.count, by: 1_777)) + [whole.count]
        var (written, cursor, bookmarks): (Int, TelemetryExport.Cursor?, [TelemetryBookmark]) = (0, nil, [])
        var told = ""
        for end in ends {
            try append(whole[written..<end], to: journal)
            written = end
            // Rows that are for good come when the session has ended.
            for limit in [3, 1, 50] + (end == whole.count ? [50, 50] : []) {
                let part = try export.part(from: cursor, limit: limit, at: bookmarks)
                #expect(try isSame(part, export.part(from: cursor, limit: limit)), "\(end) bytes, \(limit) rows")
                told += part.text
                bookmarks = part.bookmark.map { [$0] } ?? bookmarks
                cursor = part.next ?? part.end
            }
        }
        let all = try TelemetryLog(journal, of: table, Registry.pieces)
        if isForGood { #expect(told == text.heading + text.lines(all)) }
    }

    @Test func `while a visit goes on only what is new is read, however often somebody asks`() throws {
        let whole = Array(try lines(2_000).joined().utf8)
        let journal = FilePath(try scratch.write("", to: "s.jsonl"))
        let export = TelemetryExport(text, of: [journal], ColorScroller.self, isForGood: true)
        var (read, written, bookmarks): (Int64, Int, [TelemetryBookmark]) = (0, 0, [])
        // The last line, of a hundred bytes or so, is the end.
        let steps = 10
        for step in 1...steps {
            let about = (whole.count - 2_000) * step / steps
            let end = try #require(whole[..<about].lastIndex(of: UInt8(ascii: "\n"))) + 1
            try append(whole[written..<end], to: journal)
            written = end
            for _ in 0..<3 {
                let part = try export.part(from: TelemetryExport.Cursor(session: "s", row: 0), limit: 100, at: bookmarks)
                #expect(part.rows == 0 && part.end == TelemetryExport.Cursor(session: "s", row: 0))
                read += part.bytesRead
                bookmarks = part.bookmark.map { [$0] } ?? bookmarks
            }
        }
        // A question may cost a place's last bytes again, and nothing like the journal.
        #expect(whole.count > 1 << 18 && read <= Int64(written + (3 * steps) << 10), "\(read) of \(written)")
        try append(whole[written...], to: journal)
        let last = try export.part(from: TelemetryExport.Cursor(session: "s", row: 0), limit: 100, at: bookmarks)
        #expect(last.rows == 100 && last.bytesRead < Int64(whole.count) / 2, "\(last.bytesRead) of \(whole.count)")
        #expect(try isSame(last, export.part(from: TelemetryExport.Cursor(session: "s", row: 0), limit: 100)))
    }

    @Test func `what a journal had before it was replaced is not taken for what it has now`() throws {
        let journal = FilePath(try scratch.write(lines(60).joined(), to: "s.jsonl"))
        let export = TelemetryExport(text, of: [journal], ColorScroller.self)
        let first = try export.part(from: nil, limit: 20)
        let bookmark = try #require(first.bookmark)
        let other = try lines(80, seed: 9).joined()
        // In the same file, and in another one of the same name.
        for options in [[], .atomic] as [Data.WritingOptions] {
            try Data(other.utf8).write(to: URL(fileURLWithPath: journal.string), options: options)
            let part = try export.part(from: first.next, limit: 20, at: [bookmark])
            #expect(try isSame(part, export.part(from: first.next, limit: 20)))
        }
    }

    @Test func `a journal that breaks while it is exported is left out from then on, as by whoever reads all of it`() throws {
        let lines = try lines(60)
        let journal = FilePath(try scratch.write(lines.dropLast(10).joined(), to: "s.jsonl"))
        let export = TelemetryExport(text, of: [journal], ColorScroller.self)
        let first = try export.part(from: nil, limit: 20)
        try append("{\"event\":\"nothing\"}\n".utf8, to: journal)
        let part = try export.part(from: first.next, limit: 20, at: [try #require(first.bookmark)])
        #expect(try isSame(part, export.part(from: first.next, limit: 20)) && part.rows == 0 && part.notes.count == 1)
    }

    @Test func `a bookmark of another table, another journal or a later row is not used`() throws {
        let journals = try ["a", "b"].map { FilePath(try scratch.write(lines(60).joined(), to: $0 + ".jsonl")) }
        let export = TelemetryExport(text, of: journals, ColorScroller.self)
        let bookmark = try #require(try export.part(from: nil, limit: 20).bookmark)
        for cursor in [nil, TelemetryExport.Cursor(session: "a", row: 3), TelemetryExport.Cursor(session: "b", row: 20)] {
            #expect(try isSame(export.part(from: cursor, limit: 7, at: [bookmark]), export.part(from: cursor, limit: 7)))
        }
        let unlocks = TelemetryText(.csv, try #require(ColorScroller.declaration.telemetry.first { $0.name == "unlocks" }))
        let other = TelemetryExport(unlocks, of: journals, ColorScroller.self)
        let cursor = TelemetryExport.Cursor(session: "a", row: 0)
        #expect(try isSame(other.part(from: cursor, limit: 2, at: [bookmark]), other.part(from: cursor, limit: 2)))
    }
}
