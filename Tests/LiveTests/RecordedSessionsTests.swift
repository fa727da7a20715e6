import Foundation
import Direct
import JournalFile
import SystemPackage
import Testing
import TestSupport

@testable import HTTPServer
@testable import Live

/// Which recording a name means, and what is answered where it means none.
@Suite struct RecordedSessionsTests {
    private static let locked = repository + "/Tests/Fixtures/locked.jsonl"
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["2026-01-02T10-00-00Z", "2026-01-02T11-00-00Z"] {
            try FileManager.default.copyItem(atPath: Self.locked, toPath: scratch.file(name + ".jsonl"))
        }
        _ = try scratch.write("nothing\n", to: "broken.jsonl")
        _ = try scratch.write("no journal", to: "notes.txt")
        try FileManager.default.createDirectory(atPath: scratch.file("folder.jsonl"), withIntermediateDirectories: false)
    }

    private func find(_ name: String, query: Substring = "", version: String = "1", current: String? = nil) throws(HTTPRefusal) -> any ServedBytes {
        let path = current.map { FilePath(scratch.path).appending($0 + ".jsonl").string }
        let sessions = RecordedSessions(in: SessionFolder(FilePath(scratch.path)), [Direct.self], version: version) { path }
        return try sessions.find(try Recording(try PagePath("/" + name), query: query))
    }

    private func status(_ name: String, query: Substring = "", current: String? = nil) -> Int? {
        do throws(HTTPRefusal) {
            _ = try find(name, query: query, current: current)
            return nil
        } catch {
            return Int(error.status.code)
        }
    }

    @Test func `a session is its sound and its journal, with their lengths`() throws {
        let sound = try find("2026-01-02T10-00-00Z.wav"), journal = try find("2026-01-02T10-00-00Z.jsonl")
        // Two seconds at 48 kHz, and a header.
        #expect(sound.size == 44 + 192_000 && sound.type == "audio/wav")
        let text = try Data(contentsOf: URL(fileURLWithPath: Self.locked))
        #expect(journal.size == text.count)
        #expect(try journal.part(0..<text.count).map { Data($0.readableBytesView) } == text)
    }

    @Test func `what is no journal of the folder is not there, and what cannot be read says why`() {
        for name in ["2026-01-02T12-00-00Z.wav", "notes.wav", "folder.wav", "folder.jsonl", "notes.txt.jsonl"] {
            #expect(status(name) == 404, "\(name)")
        }
        #expect(status("broken.wav") == 500)
        #expect(status("broken.jsonl") == nil, "its bytes can be saved, to look at them")
    }

    @Test(arguments: ["wav", "jsonl"])
    func `a journal that is removed while it is looked for is not there`(form: String) throws {
        let path = scratch.file("2026-01-02T10-00-00Z.jsonl")
        let sessions = RecordedSessions(in: SessionFolder(FilePath(scratch.path)), [Direct.self], version: "1") {
            try? FileManager.default.removeItem(atPath: path)
            return nil
        }
        let refusal = #expect(throws: HTTPRefusal.self) { try sessions.find(try Recording(try PagePath("/2026-01-02T10-00-00Z.\(form)"))) }
        #expect(refusal?.status == .notFound && !FileManager.default.fileExists(atPath: path))
    }

    @Test func `the sound of a session that goes on is put off, and others are not`() {
        #expect(status("2026-01-02T11-00-00Z.wav", current: "2026-01-02T11-00-00Z") == 409)
        #expect(status("2026-01-02T11-00-00Z.jsonl", current: "2026-01-02T11-00-00Z") == nil)
        #expect(status("2026-01-02T10-00-00Z.wav", current: "2026-01-02T11-00-00Z") == nil)
    }

    @Test(arguments: [true, false])
    func `the journal of a session that goes on is as long as it was when it was asked for`(isRunning: Bool) throws {
        let name = "2026-01-02T11-00-00Z"
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.file(name + ".jsonl")))
        let journal = try find(name + ".jsonl", current: isRunning ? name : nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.file(name + ".jsonl")))
        try file.seekToEnd()
        try file.write(contentsOf: Data("more\n".utf8))
        try file.close()
        #expect(journal.size == before.count)
        let bytes = try? journal.part(0..<before.count).map { Data($0.readableBytesView) }
        #expect(bytes == (isRunning ? before : nil), "what has ended does not change")
    }

    @Test func `the journal of a session that goes on is not one that has become shorter`() throws {
        let name = "2026-01-02T11-00-00Z"
        let journal = try find(name + ".jsonl", current: name)
        _ = try scratch.write("short\n", to: name + ".jsonl")
        #expect(throws: (any Error).self) { try journal.part(0..<journal.size) }
    }

    @Test func `the first seconds of a session that goes on are there, with a tag of their own that stays`() throws {
        let name = "2026-01-02T11-00-00Z"
        let sound = try find(name + ".wav", query: "until=1", current: name)
        #expect(sound.size == 44 + 96_000)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.file(name + ".jsonl")))
        try file.seekToEnd()
        try file.write(contentsOf: Data((#"{"checkpoint":{},"frame":96000}"# + "\n").utf8))
        try file.close()
        #expect(try find(name + ".wav", query: "until=1", current: name).tag == sound.tag)
        #expect(try sound.part(0..<44)?.readableBytes == 44)
        #expect(try find("2026-01-02T10-00-00Z.wav", query: "until=1").tag != sound.tag)
        #expect(status(name + ".wav", query: "until=2", current: name) == 409 && status(name + ".wav", query: "until=9") == 409)
        for bad in ["until=0", "until=1.5", "until=", "until=604801", "from=1&until=x"] as [Substring] {
            #expect(status(name + ".wav", query: bad, current: name) == 400, "\(bad)")
        }
        #expect(status(name + ".wav", query: "from=1") == nil && status(name + ".jsonl", query: "until=x") == nil)
    }

    @Test func `a tag is another one for another journal, a changed one, and the sound of another version`() throws {
        let tag = try find("2026-01-02T10-00-00Z.wav").tag
        #expect(try find("2026-01-02T10-00-00Z.wav").tag == tag)
        #expect(try find("2026-01-02T11-00-00Z.wav").tag != tag)
        #expect(try find("2026-01-02T10-00-00Z.wav", version: "2").tag != tag)
        _ = try scratch.write(try String(contentsOfFile: Self.locked, encoding: .utf8).replacing("96000", with: "96001"), to: "2026-01-02T10-00-00Z.jsonl")
        #expect(try find("2026-01-02T10-00-00Z.wav").tag != tag)
    }
}
