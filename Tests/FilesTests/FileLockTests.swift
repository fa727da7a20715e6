import Files
import Foundation
import SystemPackage
import Testing
import TestSupport

@Suite struct FileLockTests {
    @Test func `one at a time has it, and its file stays`() throws {
        let scratch = try Scratch()
        let path = scratch.file("lock")
        var first = try FileLock.take(path)
        #expect(first?.isValid == true)
        #expect(try FileLock.take(path) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        first = nil
        #expect(try FileLock.take(path) != nil)
        #expect(try scratch.contents == ["lock"])
    }

    @Test func `it is not valid any more when its file is removed, or another put in its place`() throws {
        let scratch = try Scratch()
        let path = scratch.file("lock")
        let first = try #require(try FileLock.take(path))
        #expect(unlink(path) == 0)
        #expect(!first.isValid)
        let second = try FileLock.take(path)
        #expect(second?.isValid == true && !first.isValid)
    }

    @Test func `a link is not followed, and a directory that is missing is told`() throws {
        let scratch = try Scratch()
        #expect(symlink("elsewhere", scratch.file("lock")) == 0)
        #expect(throws: Errno.self) { try FileLock.take(scratch.file("lock")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try FileLock.take(scratch.file("none/lock")) }
        #expect(try scratch.contents == ["lock"])
    }
}
