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
        #expect(first.read() == nil)
        first.write([1])
        first.write([1, 2])
        first.finish()
        #expect(file(scratch.file("a/b")).read() == [1, 2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("a/b")) == ["kept.json"])
    }

    @Test func `nothing is no file`() throws {
        let scratch = try Scratch()
        let first = file(scratch.path)
        first.write([1])
        first.write(nil)
        first.finish()
        #expect(try scratch.contents == [])
        #expect(file(scratch.path).read() == nil)
    }

    @Test func `a file that makes no sense is nothing, and is written over`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("[1, ", to: "kept.json")
        let next = file(scratch.path)
        #expect(next.read() == nil)
        next.write([3])
        next.finish()
        #expect(file(scratch.path).read() == [3])
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
        #expect(file(scratch.file("state")).read() == [1])
    }
}
