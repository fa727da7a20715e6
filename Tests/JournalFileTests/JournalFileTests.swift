import Foundation
import Journal
import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

private let header = JournalHeader(sampleRate: .standard, seed: 7, experience: .direct, started: "2026-01-02T03:04:05Z",
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
        let writer = try JournalWriter(directory: FilePath(scratch.file("a/b/c")), header: header)
        #expect(writer.path.lastComponent?.string == "2026-01-02T03-04-05Z.jsonl")
        var expected: [JournalEntry] = [.header(header)]
        for n in 0..<500 {
            let entry = JournalEntry.event(Event(client: 1, .feedUpdate(FeedUpdate(blocksViewed: n))), at: Frame(Int64(n)))
            try writer.append(entry)
            expected.append(entry)
            // Nothing waits in the process: another one sees it already.
            if n % 100 == 0 { #expect(try entries(writer.path).count == expected.count) }
        }
        try writer.sync()
        #expect(try entries(writer.path) == expected)
    }

    @Test func `two sessions in one second have two files`() throws {
        let scratch = try Scratch()
        for _ in 0..<3 { _ = try JournalWriter(directory: FilePath(scratch.path), header: header) }
        #expect(try scratch.contents == ["2026-01-02T03-04-05Z-2.jsonl", "2026-01-02T03-04-05Z-3.jsonl",
                                         "2026-01-02T03-04-05Z.jsonl"])
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
            + (0..<5000).map { .event(Event(client: 1, .stop), at: Frame(Int64($0) * 10)) }
        let text = String(decoding: lines.flatMap { JournalLine.encode($0) }, as: UTF8.self)
        func last(_ text: String) throws -> (Frame, Bool)? {
            let found = try JournalTail.lastFrame(of: FilePath(try scratch.write(text, to: "a.jsonl")))
            return found.map { ($0.frame, $0.isEnd) }
        }
        #expect(try last(text)! == (Frame(49_990), false))
        #expect(try last(text + #"{"end":"idle","frame":60000}"# + "\n")! == (Frame(60_000), true))
        #expect(try last(text + #"{"end":"idle","frame":60000}"#)! == (Frame(60_000), true))
        #expect(try last(text + #"{"end":"idle","fra"#)! == (Frame(49_990), false))
        #expect(try last(String(decoding: JournalLine.encode(.header(header)), as: UTF8.self)) == nil)
        #expect(try last("") == nil)
    }
}
