import ColorScroller
import Experience
import Fields
import Foundation
import Journal
import JournalFile
import Offline
import Registry
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct TelemetryExportTests {
    private let scratch: Scratch
    private let table: TelemetryTable
    /// Of 60, 0, 7 and 40 swipes.
    private let journals: [FilePath]

    init() throws {
        scratch = try Scratch()
        table = try #require(ColorScroller.declaration.telemetry.first { $0.topic != nil })
        let scratch = scratch
        journals = try [60, 0, 7, 40].enumerated().map { index, swipes in
            // Every swipe shows another card.
            let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == "frantic" })
            var simulation = Simulation(ColorScroller.self, visitor, seed: UInt64(index), turns: swipes, idle: Seconds(45))
            var text = ""
            while let step = simulation.next() { text += String(decoding: JournalLine.encode(step.entry), as: UTF8.self) }
            return FilePath(try scratch.write(text, to: "s\(index).jsonl"))
        }
    }

    private func whole(_ format: TelemetryText.Format) throws -> String {
        let text = TelemetryText(format, table, namesSessions: true)
        return try text.heading + journals.map { text.lines(try TelemetryLog($0, of: table, Registry.pieces)) }.joined()
    }

    @Test(arguments: TelemetryText.Format.allCases, [1, 5, 33, 5000])
    func `an export in parts is the export in one, and no part has more rows than it may`(format: TelemetryText.Format, limit: Int) throws {
        let export = TelemetryExport(TelemetryText(format, table, namesSessions: true), of: journals, ColorScroller.self)
        var parts = [try export.part(from: nil, limit: limit)]
        while let cursor = parts[parts.count - 1].next, parts.count < 1000 {
            parts.append(try export.part(from: TelemetryExport.Cursor(cursor.text), limit: limit))
        }
        #expect(try parts.map(\.text).joined() == whole(format))
        #expect(parts.allSatisfy { $0.rows <= limit } && parts.reduce(0) { $0 + $1.rows } == 107)
        #expect(parts.map(\.progress) == parts.map(\.progress).sorted() && parts.last?.progress == 1)
    }

    @Test func `a log keeps the rows that it was asked for, and counts the others`() throws {
        let log = try TelemetryLog(journals[0], of: table, rows: 20..<30, Registry.pieces)
        #expect(log.rows.count == 10 && log.first == 20 && log.count == 60)
        let all = try TelemetryLog(journals[0], of: table, Registry.pieces)
        #expect(log.rows == Array(all.rows[20..<30]))
    }

    @Test func `a part goes through a limited number of journals, also where none has a row`() throws {
        let missing = (0..<150).map { FilePath(scratch.file("missing\($0).jsonl")) }
        let export = TelemetryExport(TelemetryText(.csv, table), of: missing, ColorScroller.self)
        let first = try export.part(from: nil, limit: 10)
        #expect(first.rows == 0 && first.notes.count == 64 && first.next?.session == "missing64")
        #expect(first.notes[0].hasPrefix("missing0: ") && first.notes[0].hasSuffix("; left out"))
        let third = try export.part(from: TelemetryExport.Cursor(session: "missing128", row: 0), limit: 10)
        #expect(third.next == nil && third.notes.count == 22)
    }

    @Test func `each unlock of ColorScroller is a row, and each row says of which visit it is`() throws {
        let table = try #require(ColorScroller.declaration.telemetry.first { $0.name == "unlocks" })
        var rows = 0
        for journal in journals {
            let log = try TelemetryLog(journal, of: table, Registry.pieces)
            let lines = TelemetryText(.csv, table).lines(log).split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            // The session's own record counts them as well, and the journal's cues have a chime for each.
            let record = try #require(log.record?.body as? SessionRecord)
            let chimes = try String(contentsOfFile: journal.string, encoding: .utf8).matches(of: /"cue":"chime","name":"unlock"/).count
            #expect(lines.count == record.unlockCount && lines.count == chimes)
            #expect(lines.allSatisfy { $0.count == 10 && ["common", "rare", "special"].contains($0[6]) && $0.last ?? "" == journal.stem ?? "" })
            #expect(Set(lines.map { $0[4] }).count == lines.count, "a skin is unlocked once")
            rows += lines.count
        }
        #expect(rows > 5)
        #expect(TelemetryText(.csv, table).heading == "seconds,timestamp,date,card_index,skin,name,rarity,pause_seconds,after_damage,session\r\n")
        #expect(TelemetryText(.csv, table, namesSessions: true).heading.hasPrefix("session,seconds,") )
    }

    @Test func `an outbox gives each row once, also of journals that grow and after others were removed`() throws {
        let outbox = TelemetryOutbox(table, as: .jsonl, in: SessionFolder(FilePath(scratch.path)), ColorScroller.self)
        var (sent, position, batches) = ("", TelemetryOutbox.Position?.none, 0)
        func send(_ limit: Int) throws -> Bool {
            let batch = try outbox.batch(after: position, limit: limit)
            #expect(try batch.text == outbox.batch(after: position, limit: limit).text && batch.rows <= limit)
            #expect(batch.notes.isEmpty, "a journal under way is not cut off")
            if let end = batch.position, let position { #expect(try end == position || outbox.isBeyond(end, position)) }
            (sent, position, batches) = (sent + batch.text, batch.position ?? position, batches + 1)
            return batch.isLast
        }
        // The last journal is not whole yet.
        let whole = try whole(.jsonl)
        let last = try String(contentsOfFile: journals[3].string, encoding: .utf8)
        _ = try scratch.write(String(last.prefix(last.utf8.count / 2)), to: "s3.jsonl")
        while try !send(25) {}
        #expect(try send(25) && sent.count < whole.count && whole.hasPrefix(sent), "rows whose mark is not known yet are held back")
        _ = try scratch.write(last, to: "s3.jsonl")
        // What was sent can be removed.
        for journal in journals[..<2] { try FileManager.default.removeItem(atPath: journal.string) }
        while try !send(25) {}
        #expect(sent == whole && batches > 5)
        // The one that the position is in, too: then it goes on with the next.
        try FileManager.default.removeItem(atPath: journals[3].string)
        _ = try scratch.write(last, to: "s4.jsonl")
        #expect(try send(1_000) && position == .init(session: "s4", row: 40))
        #expect(throws: Fault.self) { try outbox.check(.init(session: "s3", row: 1)) }
    }

    @Test(arguments: ["", "s0", "s0:", "s0:-1", "s0:x"]) func `what no answer gave is no cursor`(text: String) {
        #expect(TelemetryExport.Cursor(text) == nil)
    }

    @Test func `a cursor of a session that is not there is refused by name`() throws {
        let export = TelemetryExport(TelemetryText(.csv, table), of: journals, ColorScroller.self)
        let fault = #expect(throws: Fault.self) { try export.part(from: .init(session: "gone", row: 0), limit: 1) }
        #expect(fault?.field == "cursor" && fault?.found == "\"gone:0\"")
    }
}
