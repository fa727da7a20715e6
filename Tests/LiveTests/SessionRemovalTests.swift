import Foundation
import JournalFile
import Offline
import SystemPackage
import Testing
import TestSupport
import Wire

@testable import Live

/// Which recorded sessions are removed, and why others are not.
@Suite struct SessionRemovalTests {
    private let scratch: Scratch
    private let names = ["2026-01-01T10-00-00Z", "2026-01-02T10-00-00Z", "2026-01-03T10-00-00Z"]

    init() throws {
        scratch = try Scratch()
        for name in names { _ = try scratch.write("", to: name + ".jsonl") }
    }

    private var left: [String] {
        get throws { try SessionFolder(FilePath(scratch.path)).sessions().compactMap(\.path.stem) }
    }

    private func remove(_ name: String, current: String? = nil, sent: [String] = [], unsent: String? = nil) -> ErrorReply? {
        let path = current.map { FilePath(scratch.path).appending($0 + ".jsonl").string }
        let removal = SessionRemoval(session: name, folder: SessionFolder(FilePath(scratch.path)), current: path, unsent: unsent)
        do throws(ErrorReply) {
            try removal.run(sent: sent.map { TelemetryOutbox.Position(session: $0, row: 7) })
            return nil
        } catch {
            return error
        }
    }

    @Test func `a session that has ended is removed, and no other`() throws {
        #expect(remove(names[1], current: names[2]) == nil)
        #expect(try left == [names[0], names[2]])
        #expect(remove(names[1], current: names[2])?.code == .invalidParams, "it is gone already")
    }

    @Test func `the session under way stays`() throws {
        #expect(remove(names[2], current: names[2])?.fault?.field == "session")
        #expect(try left == names)
    }

    @Test func `only a journal of the folder is removed`() throws {
        _ = try scratch.write("", to: "notes.txt")
        try FileManager.default.createDirectory(atPath: scratch.file("folder.jsonl"), withIntermediateDirectories: false)
        for name in ["notes.txt", "notes", "folder", "../" + names[0], "", "."] {
            #expect(remove(name)?.code == .invalidParams, "\(name)")
        }
        #expect(try left == names)
    }

    @Test func `one whose rows may not have been sent stays, and one before that goes`() throws {
        #expect(remove(names[1], sent: [names[1]])?.fault?.field == "force")
        #expect(remove(names[2], sent: [names[2], names[1]])?.fault?.field == "force")
        #expect(try left == names)
        #expect(remove(names[0], sent: [names[1], names[2]]) == nil)
        #expect(remove(names[2], sent: []) == nil, "nothing is sent elsewhere, or somebody insists")
        #expect(try left == [names[1]])
    }

    @Test func `one that is spared stays, and one before it goes`() throws {
        #expect(remove(names[1], unsent: names[1])?.fault?.field == "force")
        #expect(remove(names[2], unsent: names[1])?.fault?.field == "force")
        #expect(remove(names[0], unsent: names[1]) == nil)
        #expect(try left == [names[1], names[2]])
    }
}
