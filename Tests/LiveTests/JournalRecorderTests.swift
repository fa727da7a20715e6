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

private func recorder(_ directory: String, _ retention: Retention = Retention()) -> JournalRecorder {
    JournalRecorder(directory: FilePath(directory), retention: retention, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

@Suite struct JournalRecorderTests {
    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `a full disk costs nothing once there is room again, also where it cannot take the header`() async throws {
        let disk = try SmallDisk(in: Scratch())
        disk.fill()
        let recorder = recorder(disk.file("sessions"))
        let all = [header] + (0..<200).map(event) + [end]
        for entry in all.prefix(100) { recorder.record(entry) }
        #expect(try await eventually { recorder.health(at: 0).issue?.hasSuffix("No space left on device") == true })
        #expect(recorder.health(at: 0).path == nil)
        try disk.makeRoom()
        #expect(try await eventually { recorder.health(at: 0).path != nil })
        let path = try #require(recorder.health(at: 0).path)
        #expect(recorder.health(at: 0).issue == nil && recorder.health(at: 0).session == 1)
        disk.fill()
        // Until the file's last page is full, so that a line is torn and taken back.
        for entry in all[100...].dropLast() { recorder.record(entry) }
        #expect(try await eventually { recorder.health(at: 0).issue != nil })
        var text = ""
        // It tries again and again, and for a moment each time there is a torn line.
        #expect(try await eventually {
            text = try String(contentsOfFile: path, encoding: .utf8)
            return text.hasSuffix("}\n")
        })
        #expect(try entries(path) == Array(all.prefix(text.split(separator: "\n").count)))
        try disk.makeRoom()
        recorder.record(end)
        await recorder.finish()
        #expect(try entries(path) == all)
        #expect(recorder.health(at: 0).issue == nil && recorder.health(at: 0).lost == 0)
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `a disk that turns read-only is waited for, and known of though nobody is there`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let recorder = recorder(disk.file("sessions"))
        for entry in [header, event(0), end] { recorder.record(entry) }
        let path = disk.file("sessions/2026-01-02T03-04-05Z")
        #expect(try await eventually { (try? entries(path + ".jsonl").count) == 3 })
        // The file may be open for a moment yet.
        #expect(try await eventually { (try? disk.set(readOnly: true)) != nil })
        recorder.sync()
        #expect(try await eventually { recorder.health(at: 0).issue?.hasSuffix("Read-only file system") == true })
        for entry in [header, event(0), event(1), end] { recorder.record(entry) }
        #expect(recorder.health(at: 0).lost == 0)
        try disk.set(readOnly: false)
        await recorder.finish()
        #expect(recorder.health(at: 0).issue == nil && recorder.health(at: 0).lost == 0)
        #expect(try entries(path + "-2.jsonl") == [header, event(0), event(1), end])
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `what more has happened than can wait is missing, and the journal says how much`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let recorder = recorder(disk.file("sessions"))
        for entry in [header, event(0)] { recorder.record(entry) }
        #expect(try await eventually { recorder.health(at: 0).path != nil })
        let path = try #require(recorder.health(at: 0).path)
        disk.fill()
        let last = 2 * JournalBacklog.standardCapacity
        for frame in 1...last { recorder.record(event(frame)) }
        let lost = Int(recorder.health(at: 0).lost)
        #expect(lost > last / 4)
        try disk.makeRoom(megabytes: 8)
        let gap = last - lost + 1
        let missing = JournalEntry.discontinuity(.lost(entries: lost), at: Frame(Int64(gap)))
        #expect(try await eventually { try JournalTail.lastFrame(of: FilePath(path))?.frame == Frame(Int64(gap)) })
        let next = last + 1_000
        recorder.record(event(next))
        await recorder.finish()
        let found = try entries(path)
        #expect(Array(found.dropLast(2)) == [header] + (0..<gap).map(event))
        #expect(Array(found.suffix(2)) == [missing, event(next)])
        #expect(recorder.health(at: 0).lost == UInt64(lost) && recorder.health(at: 0).issue == nil)
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `a disk that stays full is given up at the end, and no line is torn`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let recorder = recorder(disk.file("sessions"))
        for entry in [header, event(0)] { recorder.record(entry) }
        #expect(try await eventually { recorder.health(at: 0).path != nil })
        let path = try #require(recorder.health(at: 0).path)
        disk.fill()
        for frame in 1...300 { recorder.record(event(frame)) }
        await recorder.finish()
        let kept = try entries(path)
        #expect(kept == [header] + (0..<(kept.count - 1)).map(event) && kept.count < 100)
        #expect(recorder.health(at: 0).lost == UInt64(302 - kept.count))
    }

    @Test func `a folder that is removed is made again, and what went with it is told of`() async throws {
        let scratch = try Scratch()
        let folder = scratch.file("sessions")
        let recorder = recorder(folder)
        for entry in [header, event(0), event(10)] { recorder.record(entry) }
        #expect(try await eventually { (try? entries(folder + "/2026-01-02T03-04-05Z.jsonl").count) == 3 })
        try FileManager.default.removeItem(atPath: folder)
        recorder.sync()
        #expect(try await eventually { FileManager.default.fileExists(atPath: folder + "/2026-01-02T03-04-05Z-2.jsonl") })
        for entry in [event(20), end] { recorder.record(entry) }
        await recorder.finish()
        #expect(try entries(folder + "/2026-01-02T03-04-05Z-2.jsonl") == [header, .discontinuity(.lost(entries: 2), at: Frame(0)), event(20), end])
        #expect(recorder.health(at: 0).lost == 2 && recorder.health(at: 0).issue == nil)
    }

    @Test func `with nothing new, only every fifth sync looks at the disk`() async throws {
        let scratch = try Scratch()
        let folder = scratch.file("sessions")
        let recorder = recorder(folder)
        for entry in [header, event(0)] { recorder.record(entry) }
        recorder.sync()
        #expect(try await eventually { (try? entries(folder + "/2026-01-02T03-04-05Z.jsonl").count) == 2 })
        try FileManager.default.removeItem(atPath: folder)
        for _ in 1...4 { recorder.sync() }
        // Long enough for a sync that was asked for.
        try await Task.sleep(for: .milliseconds(200))
        #expect(!FileManager.default.fileExists(atPath: folder))
        recorder.sync()
        #expect(try await eventually { FileManager.default.fileExists(atPath: folder) })
        await recorder.finish()
    }

    @Test func `a folder that cannot be had is an issue, and the end does not wait for it`() async throws {
        let scratch = try Scratch()
        let recorder = recorder(try scratch.write("", to: "file") + "/sessions")
        #expect(try await eventually { recorder.health(at: 0).issue?.hasSuffix("Not a directory") == true })
        await recorder.finish()
        #expect(recorder.health(at: 0).lost == 0)
    }

    @Test func `old journals go when a session begins or ends, but never the one being written`() async throws {
        let scratch = try Scratch()
        let text = String(decoding: JournalLine.encode(header), as: UTF8.self)
        for day in 1...5 { _ = try scratch.write(text, to: "2026-03-0\(day)T00-00-00Z.jsonl") }
        let recorder = recorder(scratch.path, Retention(bytes: Int64(2.5 * Double(text.utf8.count))))
        // By its name, as the clock had it, it is the oldest. While it is written it counts with a sixteenth of the space at most.
        let days = ["2026-03-04T00-00-00Z.jsonl", "2026-03-05T00-00-00Z.jsonl"]
        for written in ["2026-01-02T03-04-05Z.jsonl", "2026-01-02T03-04-05Z-2.jsonl"] {
            recorder.record(header)
            #expect(try await eventually { try scratch.contents == [written] + days })
            // Afterwards it counts whole, which is too much.
            recorder.record(end)
            #expect(try await eventually { try scratch.contents == days })
        }
        await recorder.finish()
        #expect(recorder.health(at: 0).pruningIssue == nil)
    }

    @Test func `what is removed before it was sent is an issue until a search of the folder spares all of it`() throws {
        let scratch = try Scratch()
        let text = String(decoding: JournalLine.encode(header), as: UTF8.self)
        for day in 1...4 { _ = try scratch.write(text, to: "2026-03-0\(day)T00-00-00Z.jsonl") }
        let size = Int64(text.utf8.count)
        var pruning = JournalPruning(of: FilePath(scratch.path), keeping: Retention(bytes: 3 * size),
                                     logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        // The first is sent; room for two is left, because a sixteenth less than all is kept.
        pruning.prune(sparingFrom: "2026-03-02T00-00-00Z", except: nil, bytes: 0)
        #expect(pruning.issue?.hasPrefix("a journal was removed before being sent") == true, "\(pruning.issue ?? "none")")
        #expect(try scratch.contents == ["2026-03-03T00-00-00Z.jsonl", "2026-03-04T00-00-00Z.jsonl"])
        pruning.prune(sparingFrom: "2026-03-02T00-00-00Z", except: nil, bytes: 3 * size)
        #expect(pruning.issue == nil)
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `a journal that cannot be removed is an issue of its own`() async throws {
        let scratch = try Scratch()
        let old = try scratch.write(String(decoding: JournalLine.encode(header), as: UTF8.self), to: "2025-01-01T00-00-00Z.jsonl")
        // What something is mounted on cannot be removed.
        #expect(try run("mount", ["--bind", old, old]).status == 0)
        defer { _ = try? run("umount", [old]) }
        let recorder = recorder(scratch.path, Retention(bytes: 0))
        recorder.record(header)
        #expect(try await eventually { recorder.health(at: 0).pruningIssue?.hasSuffix("cannot be removed: Device or resource busy") == true })
        #expect(recorder.health(at: 0).issue == nil)
        recorder.record(end)
        await recorder.finish()
    }
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
        recorder = LiveTests.recorder(scratch.path)
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
            let range = try #require(text.range(of: #""frame":50"#))
            try file.seek(toOffset: UInt64(text.utf8.distance(from: text.startIndex, to: range.lowerBound)))
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
