import Classifier
import Experience
import Files
import Foreteller
import Foundation
import Journal
import JournalFile
import ModelFile
import Offline
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// What a table with a label says of how its sessions ended.
@Suite struct TelemetryEndTests {
    private let scratch: Scratch
    private let table: TelemetryTable

    init() throws {
        scratch = try Scratch()
        table = try #require(Foreteller.declaration.telemetry.first)
    }

    /// Writes a session of some taps, a second apart. `end` nil: it has none.
    @discardableResult
    private func session(_ name: String, taps: Int = 4, end: SessionEnd?, seed: UInt64 = 7, box: String? = nil,
                         model: JournalHeader.Model = JournalHeader.Model(name: "rising")) throws -> FilePath {
        let signed = box.map { JournalProvenance(box: $0, key: $0, theme: $0, sounds: [:]) }
        var entries = [JournalEntry.header(JournalHeader(
            sampleRate: .standard, seed: seed, experience: "foreteller", started: "then", theme: .standard,
            rules: JournalHeader.Rules(version: 1, opening: []), model: model, signed: signed))]
        for tap in 0..<taps { entries.append(.event(Event(client: .connection(1), .tap(Tap())), at: Frame(Int64(tap) * 48_000), cues: [])) }
        if let end { entries.append(.end(end, at: Frame(Int64(taps) * 48_000))) }
        return FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name + ".jsonl"))
    }

    private func rows(_ journal: FilePath) throws -> [[Substring]] {
        try TelemetryText(.csv, table).lines(TelemetryLog(journal, of: table, [Foreteller.self])).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
    }

    @Test func `the columns follow the label`() {
        #expect(TelemetryText(.csv, table).heading == "taps,margin,late,ended,station,run,after_damage,session\r\n")
        #expect(TelemetryText(.csv, table, namesSessions: true).heading == "session,taps,margin,late,ended,station,run,after_damage\r\n")
        #expect(table.words.hasSuffix("late, which is true for the last 2 rows of a session that ended because the visitor had gone, "
            + "ended, station, run."))
    }

    @Test(arguments: [
        (SessionEnd.idle, "idle", "true"), (.request, "request", "true"), (.shutdown, "shutdown", ""), (.rollOver, "rollover", ""),
        (nil, "cut", ""),
    ])
    func `the last rows are labelled where the visitor had gone, and are unknown where something else ended the session`(
        end: SessionEnd?, word: String, label: String
    ) throws {
        let rows = try rows(session("s", end: end))
        #expect(rows.map { String($0[2]) } == ["false", "false", label, label])
        #expect(rows.allSatisfy { $0[3] == word })
    }

    @Test(arguments: [SessionEnd.idle, .shutdown]) func `a session of fewer rows than are labelled has no false`(end: SessionEnd) throws {
        let label = end.isLeaving ? "true" : ""
        #expect(try rows(session("s", taps: 1, end: end)).map { String($0[2]) } == [label])
        #expect(try rows(session("s", taps: 2, end: end)).map { String($0[2]) } == [label, label])
    }

    @Test func `the box that signed a journal and the seed stand in each row`() throws {
        let box = String(repeating: "3c", count: 32)
        let signed = try rows(session("s", end: .idle, seed: JournalHeader.seeds.upperBound, box: box))
        #expect(signed.allSatisfy { $0[4] == box && $0[5] == "9007199254740991" })
        let journal = try session("u", end: nil, seed: 8)
        #expect(try rows(journal).allSatisfy { $0[4] == "" && $0[5] == "8" })
        let lines = try TelemetryText(.jsonl, table).lines(TelemetryLog(journal, of: table, [Foreteller.self])).split(separator: "\n")
        #expect(lines.last == #"{"taps":4,"margin":1.9,"late":null,"ended":"cut","station":null,"run":8,"after_damage":false,"session":"u"}"#)
    }

    @Test func `an outbox waits at a session whose model cannot be read, and goes on when it can`() throws {
        let file = FilePath(repository + "/learning/fixtures/churn.mlmodel")
        let digest = try Classifier(contentsOf: file, inputs: Foreteller.inputs).digest
        let path = ReplayModel.file(digest: digest, in: FilePath(scratch.path))
        try path.removingLastComponent().makeDirectories()
        try session("a", end: .idle)
        try session("b", end: .idle, model: JournalHeader.Model(name: "churn.mlmodel", digest: digest))
        try session("c", end: .idle)
        let outbox = TelemetryOutbox(table, as: .csv, in: SessionFolder(FilePath(scratch.path)), Foreteller.self)
        let waiting = TelemetryOutbox.Position(session: "b", row: 0)
        // It is not there, or cannot be read: a folder stands for whatever a disk may say.
        for isThere in [false, true] {
            if isThere { try path.makeDirectories() }
            for position in [nil, waiting] {
                let batch = try outbox.batch(after: position, limit: 100)
                #expect(batch.rows == (position == nil ? 4 : 0) && batch.isLast && batch.position == waiting)
                #expect(batch.notes.count == 1 && batch.notes.first?.hasPrefix("b:1: ") == true)
                #expect(batch.notes.first?.hasSuffix("; rows from here on wait until it can be read") == true)
            }
        }
        // Whoever asks for all that there is gets all that there is.
        let journals = ["a", "b", "c"].map { FilePath(scratch.file($0 + ".jsonl")) }
        let part = try TelemetryExport(TelemetryText(.csv, table), of: journals, Foreteller.self).part(from: nil, limit: 100)
        #expect(part.rows == 8 && part.notes.count == 1 && part.notes.first?.hasSuffix("; left out") == true)
        try FileManager.default.removeItem(atPath: path.string)
        try FileManager.default.copyItem(atPath: file.string, toPath: path.string)
        let rest = try outbox.batch(after: waiting, limit: 100)
        #expect(rest.rows == 8 && rest.isLast && rest.notes.isEmpty && rest.position == TelemetryOutbox.Position(session: "c", row: 4))
    }

    @Test func `an outbox hands over no row of a session that may still end in one way or another`() throws {
        try session("a", end: .idle)
        let underWay = try session("b", end: nil)
        let outbox = TelemetryOutbox(table, as: .csv, in: SessionFolder(FilePath(scratch.path)), Foreteller.self)
        let first = try outbox.batch(after: nil, limit: 100)
        #expect(first.rows == 4 && first.isLast && first.position == TelemetryOutbox.Position(session: "b", row: 0))
        let none = try outbox.batch(after: first.position, limit: 2, at: first.bookmark.map { [$0] } ?? [])
        #expect(none.rows == 0 && none.position == first.position)
        try session("b", end: .shutdown)
        let rest = try outbox.batch(after: first.position, limit: 100)
        #expect(rest.rows == 4)
        let whole = try TelemetryText(.csv, table, namesSessions: true).lines(TelemetryLog(underWay, of: table, [Foreteller.self]))
        #expect(rest.text.hasSuffix(whole) && whole.contains("shutdown"))
    }
}
