import Foundation
import Journal
import JournalFile
import Logging
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Live

private let header = JournalEntry.header(JournalHeader(sampleRate: .standard, seed: 7, experience: "direct",
                                                       started: "2026-01-02T03:04:05Z", theme: .standard))

private func event(_ frame: Int) -> JournalEntry {
    .event(Event(client: .connection(1), .touch(Touch(.began, finger: frame % 60, x: 0.25, y: 0.5))), at: Frame(Int64(frame)))
}

private let end = JournalEntry.end(.idle, at: Frame(1_000_000))

private func entries(_ path: String) throws -> [JournalEntry] {
    var scan = try JournalScan(FilePath(path))
    var entries: [JournalEntry] = []
    while let entry = try scan.next() { entries.append(entry) }
    return entries
}

/// Running journals that somebody else changes.
@Suite struct DisturbedJournalTests {
    private let scratch: Scratch
    private let recorder: JournalRecorder
    private let first: String
    private let second: String
    private let aside: String

    init() throws {
        scratch = try Scratch()
        recorder = JournalRecorder(directory: FilePath(scratch.path), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        first = scratch.file("2026-01-02T03-04-05Z.jsonl")
        second = scratch.file("2026-01-02T03-04-05Z-2.jsonl")
        aside = scratch.file("2026-01-02T03-04-05Z.disturbed.jsonl")
    }

    /// Ten events, `change`, five more, and the end. Returns what the journals are then.
    private func record(_ change: (FileHandle) throws -> Void) async throws {
        for entry in [header] + (0..<10).map({ event($0 * 10) }) { recorder.record(entry) }
        #expect(try await eventually { (try? entries(first).count) == 11 })
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: first))
        try change(file)
        try file.close()
        for entry in (20..<25).map({ event($0 * 10) }) + [end] { recorder.record(entry) }
        await recorder.finish()
    }

    private var rest: [JournalEntry] { (20..<25).map { event($0 * 10) } + [end] }

    @Test func `to one that is appended to nothing is lost`() async throws {
        try await record { file in
            try file.seekToEnd()
            try file.write(contentsOf: Data("a remark\n".utf8))
        }
        #expect(try entries(second) == [header] + (0..<10).map { event($0 * 10) } + rest)
        #expect(try JournalCheck(FilePath(second)).isGood)
        #expect(try JournalCheck(FilePath(aside)) == .missing(line: 12))
        let health = recorder.health(at: 0)
        #expect(health.disturbed == 1 && health.lastDisturbed == aside && health.lost == 0 && health.issue == nil)
        #expect(try scratch.contents.count == 2)
    }

    @Test func `of one that is truncated what is left goes on, and what is missing is told of`() async throws {
        try await record { file in
            let text = try #require(try file.readToEnd())
            // Four lines, and a part of the fifth.
            let newlines = text.indices.filter { text[$0] == UInt8(ascii: "\n") }
            try file.truncate(atOffset: UInt64(newlines[3] + 10))
        }
        let lost = JournalEntry.discontinuity(.lost(entries: 7), at: Frame(20))
        #expect(try entries(second) == [header] + (0..<3).map { event($0 * 10) } + [lost] + rest)
        #expect(try JournalCheck(FilePath(second)).isGood)
        #expect(recorder.health(at: 0).disturbed == 1 && recorder.health(at: 0).lost == 7)
    }

    @Test func `one of no bytes any more begins anew`() async throws {
        try await record { try $0.truncate(atOffset: 0) }
        #expect(try entries(second) == [header, .discontinuity(.lost(entries: 10), at: .zero)] + rest)
        #expect(recorder.health(at: 0).disturbed == 1 && recorder.health(at: 0).lost == 10)
    }

    @Test func `one that is scribbled on is good up to there`() async throws {
        try await record { file in
            let text = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
            let place = try #require(text.range(of: #""frame":50"#))
            try file.seek(toOffset: UInt64(text.utf8.distance(from: text.startIndex, to: place.lowerBound)))
            try file.write(contentsOf: Data(#""frame":51"#.utf8))
            // Files are dated by a clock that ticks every few milliseconds.
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: first)
        }
        #expect(try entries(second) == [header] + (0..<5).map { event($0 * 10) } + [.discontinuity(.lost(entries: 5), at: Frame(40))] + rest)
        #expect(try JournalCheck(FilePath(aside)) == .changed(line: 7))
    }

    @Test func `one that another file has replaced is told of between two events, and the other file kept`() async throws {
        for entry in [header, event(0), event(10)] { recorder.record(entry) }
        #expect(try await eventually { (try? entries(first).count) == 3 })
        _ = try scratch.write("mine\n", to: "other")
        try FileManager.default.removeItem(atPath: first)
        try FileManager.default.moveItem(atPath: scratch.file("other"), toPath: first)
        recorder.sync()
        #expect(try await eventually { recorder.health(at: 0).disturbed == 1 && recorder.health(at: 0).path == second })
        for entry in [event(20), end] { recorder.record(entry) }
        await recorder.finish()
        #expect(try String(contentsOfFile: aside, encoding: .utf8) == "mine\n")
        #expect(try entries(second) == [header, .discontinuity(.lost(entries: 2), at: .zero), event(20), end])
    }

    @Test func `one that is changed again and again loses nothing twice`() async throws {
        for entry in [header] + (0..<6).map({ event($0 * 10) }) { recorder.record(entry) }
        for (number, path) in [first, second, scratch.file("2026-01-02T03-04-05Z-3.jsonl")].enumerated() {
            #expect(try await eventually { (try? JournalTail.lastFrame(of: FilePath(path))?.frame) == Frame(Int64(50 + number * 10)) })
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let text = try #require(try file.readToEnd())
            // The last line goes.
            let newlines = text.indices.filter { text[$0] == UInt8(ascii: "\n") }
            try file.truncate(atOffset: UInt64(newlines[newlines.count - 2] + 1))
            try file.close()
            recorder.record(event(60 + number * 10))
        }
        recorder.record(end)
        await recorder.finish()
        let lost = JournalEntry.discontinuity(.lost(entries: 1), at: Frame(40))
        #expect(try entries(scratch.file("2026-01-02T03-04-05Z-4.jsonl"))
            == [header] + (0..<5).map { event($0 * 10) } + [lost, lost, lost, event(80), end])
        #expect(recorder.health(at: 0).disturbed == 3 && recorder.health(at: 0).lost == 3)
    }
}
