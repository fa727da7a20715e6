import Fields
import Foundation
import Journal
import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

private let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z",
                                   theme: .standard)

private func entries(_ path: FilePath) throws -> [JournalEntry] {
    var scan = try JournalScan(path)
    var entries: [JournalEntry] = []
    while let entry = try scan.next() { entries.append(entry) }
    return entries
}

@Suite struct JournalFileTests {
    @Test func `a journal on disk reads back as written, every line at once`() throws {
        let scratch = try Scratch()
        var writer = try JournalWriter(directory: FilePath(scratch.file("a/b/c")), header: header)
        #expect(writer.path.lastComponent?.string == "2026-01-02T03-04-05Z.jsonl")
        var expected: [JournalEntry] = [.header(header)]
        for n in 0..<500 {
            let entry = JournalEntry.event(Event(client: .connection(1), .action(Action(UncheckedAction(name: "feed.update", fields: ["blocksViewed": .integer(Int64(n))])))), at: Frame(Int64(n)))
            try writer.append(entry)
            expected.append(entry)
            // Nothing waits in the process: another one sees it already.
            if n % 100 == 0 { #expect(try entries(writer.path).count == expected.count) }
        }
        try writer.sync()
        #expect(try entries(writer.path) == expected)
    }

    @Test func `a journal and the folder that is made for it are their owner's and its group's alone`() throws {
        let scratch = try Scratch()
        let folder = FilePath(scratch.file("state/sessions"))
        let writer = try JournalWriter(directory: folder, header: header)
        for (path, most) in [(writer.path, 0o640), (folder, 0o750)] as [(FilePath, mode_t)] {
            var info = stat()
            #expect(stat(path.string, &info) == 0 && info.st_mode & 0o777 & ~most == 0 && info.st_mode & 0o400 != 0, "\(path)")
        }
    }

    @Test func `two sessions in one second have two files`() throws {
        let scratch = try Scratch()
        for _ in 0..<3 { _ = try JournalWriter(directory: FilePath(scratch.path), header: header) }
        #expect(try scratch.contents == ["2026-01-02T03-04-05Z-2.jsonl", "2026-01-02T03-04-05Z-3.jsonl",
                                         "2026-01-02T03-04-05Z.jsonl"])
    }

    @Test func `a name that is taken is passed over, also after one that is free`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("mine", to: "2026-01-02T03-04-05Z-3.jsonl")
        let second = try JournalWriter(directory: FilePath(scratch.path), header: header, number: 2)
        let fourth = try JournalWriter(directory: FilePath(scratch.path), header: header, number: second.number + 1)
        #expect(second.number == 2 && fourth.number == 4)
        #expect(fourth.path.lastComponent?.string == "2026-01-02T03-04-05Z-4.jsonl")
        #expect(try String(contentsOfFile: scratch.file("2026-01-02T03-04-05Z-3.jsonl"), encoding: .utf8) == "mine")
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `on a full disk no line is torn, and none is missing when there is room again`() throws {
        let disk = try SmallDisk(in: Scratch())
        var writer = try JournalWriter(directory: FilePath(disk.path), header: header)
        disk.fill()
        var expected: [JournalEntry] = [.header(header)]
        var refused = 0
        for frame in 0..<300 {
            let entry = JournalEntry.event(Event(client: .connection(1), .stop), at: Frame(Int64(frame)))
            do {
                try writer.append(entry)
                expected.append(entry)
            } catch Errno.noSpace {
                refused += 1
                #expect(try String(contentsOfFile: writer.path.string, encoding: .utf8).hasSuffix("}\n"))
            }
            if frame == 200 { try disk.makeRoom() }
        }
        #expect(refused > 50)
        #expect(try entries(writer.path) == expected)
        #expect(expected.last == .event(Event(client: .connection(1), .stop), at: Frame(299)))
    }

    @Test func `a journal knows when it is not under its name any more`() throws {
        let scratch = try Scratch()
        let writer = try JournalWriter(directory: FilePath(scratch.path), header: header)
        let path = writer.path.string
        var seen = [writer.namedFile]
        try FileManager.default.moveItem(atPath: path, toPath: scratch.file("away"))
        seen.append(writer.namedFile)
        try FileManager.default.copyItem(atPath: scratch.file("away"), toPath: path)
        seen.append(writer.namedFile)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: scratch.file("away"), toPath: path)
        seen.append(writer.namedFile)
        #expect(seen == [.itself, .nothing, .another, .itself])
    }

    @Test func `a directory that cannot be made is an error`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("", to: "file")
        #expect(throws: Errno.notDirectory) { _ = try JournalWriter(directory: FilePath(file + "/sessions"), header: header) }
    }

    @Test func `a line longer than any honest one is a fault, not a memory`() throws {
        let scratch = try Scratch()
        let path = try scratch.write(String(repeating: "x", count: 3 << 20), to: "long.jsonl")
        let fault = try #require(throws: JournalFault.self) { try entries(FilePath(path)) }
        #expect(fault.line == 1)
    }

    @Test func `the last frame is found without reading the file`() throws {
        let scratch = try Scratch()
        let lines = [JournalEntry.header(header)]
            + (0..<5000).map { .event(Event(client: .connection(1), .stop), at: Frame(Int64($0) * 10)) }
        let text = String(decoding: lines.flatMap { JournalLine.encode($0) }, as: UTF8.self)
        func last(_ text: String) throws -> (Frame, Bool)? {
            let found = try JournalTail.lastFrame(of: FilePath(try scratch.write(text, to: "a.jsonl")))
            return found.map { ($0.frame, $0.end != nil) }
        }
        #expect(try last(text)! == (Frame(49_990), false))
        #expect(try last(text + #"{"end":"idle","frame":60000}"# + "\n")! == (Frame(60_000), true))
        #expect(try last(text + #"{"end":"idle","frame":60000}"#)! == (Frame(60_000), true))
        #expect(try last(text + #"{"end":"idle","fra"#)! == (Frame(49_990), false))
        #expect(try last(text + #"{"entries":3,"frame":50000,"lapse":"lost"}"# + "\n")! == (Frame(50_000), false))
        #expect(try last(text + #"{"frame":60000,"lapse":"gap"}"# + "\n")! == (Frame(49_990), false))
        #expect(try last(String(decoding: JournalLine.encode(.header(header)), as: UTF8.self)) == nil)
        #expect(try last("") == nil)
    }
}
