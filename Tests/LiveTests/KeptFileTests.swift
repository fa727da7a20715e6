import Foundation
import Logging
import SystemPackage
import Testing
import TestSupport

@testable import Live

private func file(_ state: String) -> KeptFile<[Int]> {
    KeptFile("kept.json", in: FilePath(state), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

@Suite struct KeptFileTests {
    @Test func `what was written last is there at the next start, in a folder that is made for it`() throws {
        let scratch = try Scratch()
        let first = file(scratch.file("a/b"))
        #expect(first.read() == .nothing)
        first.write([1])
        first.write([1, 2])
        first.finish()
        #expect(file(scratch.file("a/b")).read() == .value([1, 2]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("a/b")) == ["kept.json"])
    }

    @Test func `nothing is no file`() throws {
        let scratch = try Scratch()
        let first = file(scratch.path)
        first.write([1])
        first.write(nil)
        first.finish()
        #expect(try scratch.contents == [])
        #expect(file(scratch.path).read() == .nothing)
    }

    @Test func `a file that makes no sense is set aside under a name with the time, and told with when it was written`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("[1, ", to: "kept.json")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                                              ofItemAtPath: scratch.file("kept.json"))
        let next = file(scratch.path)
        let aside = "kept.json.damaged-2026-11-22T12:00:00Z"
        let damaged = KeptFile<[Int]>.Reading.damaged(written: 1_700_000_000, aside: FilePath(scratch.file(aside)), reason: "it makes no sense")
        #expect(next.read(now: 1_795_348_800) == damaged)
        #expect(try scratch.contents == [aside])
        next.write([3])
        next.finish()
        #expect(file(scratch.path).read() == .value([3]))
        #expect(try String(contentsOfFile: scratch.file(aside), encoding: .utf8) == "[1, ")
    }

    @Test func `a FIFO is not waited for`() throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("kept.json"), 0o600) == 0)
        guard case .damaged(_, _?, let reason) = file(scratch.path).read() else { throw Errno.ioError }
        #expect(reason == "expected a regular file, found a FIFO")
    }

    @Test func `what could not be written is written when it can be`() throws {
        let scratch = try Scratch()
        // No folder can be made where there is a file.
        let obstacle = try scratch.write("", to: "state")
        let kept = file(scratch.file("state"))
        kept.write([1])
        kept.finish()
        try FileManager.default.removeItem(atPath: obstacle)
        kept.write([1])
        kept.finish()
        #expect(file(scratch.file("state")).read() == .value([1]))
    }
}
