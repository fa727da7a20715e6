import Fields
import Files
import Foundation
import SystemPackage
import Testing
import TestSupport

private func found(_ kind: String) -> Fault { Fault(field: "", expected: "a regular file", found: kind) }

@Suite(.serialized) struct PlainFileTests {
    @Test func `a regular file is read, also through a link, up to so many bytes`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("four", to: "file")
        #expect(symlink(file, scratch.file("link")) == 0)
        #expect(try PlainFile.bytes(of: FilePath(file), atMost: 4) == Array("four".utf8))
        #expect(try PlainFile.bytes(of: FilePath(scratch.file("link")), atMost: 1 << 20) == Array("four".utf8))
        #expect(throws: Fault(field: "", expected: "at most 3 bytes")) { try PlainFile.bytes(of: FilePath(file), atMost: 3) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try PlainFile.bytes(of: FilePath(scratch.file("none")), atMost: 3) }
        #expect(try PlainFile.bytes(of: "/dev/null", atMost: 3) == [])
    }

    @Test func `a folder is one, also through a link, and a file is none`() throws {
        let scratch = try Scratch()
        #expect(symlink(scratch.path, scratch.file("link")) == 0)
        #expect(PlainFile.isFolder(scratch.path) && PlainFile.isFolder(scratch.file("link")))
        #expect(try !PlainFile.isFolder(scratch.write("four", to: "file")) && !PlainFile.isFolder(scratch.file("none")))
    }

    @Test func `a file is replaced whole, its folder is made, and what a killed writer left does not count`() throws {
        let scratch = try Scratch()
        let path = FilePath(scratch.file("new/deep/file"))
        try PlainFile.replace(path, with: Array("first".utf8), .ownerReadWrite)
        let held = try FileDescriptor.open(path, .readOnly)
        // A FIFO, whose opening would hold the writer up for ever.
        #expect(mkfifo(path.string + ".part", 0o600) == 0)
        try PlainFile.replace(path, with: Array("second one".utf8), [.ownerReadWrite, .groupRead])
        #expect(try PlainFile.bytes(of: path, atMost: 99) == Array("second one".utf8))
        // Whoever had the earlier file open still reads all of it.
        #expect(try held.closeAfter { try held.bytes() } == Array("first".utf8))
        #expect(try path.removingLastComponent().names() == ["file"])
        #expect(path.information.map { $0.st_mode & 0o777 } == 0o640)
    }

    @Test func `a file that cannot be replaced stays, and nothing is left beside it`() throws {
        let scratch = try Scratch()
        let path = FilePath(scratch.file("folder"))
        try path.appending("inside").makeDirectories()
        #expect(throws: Errno.self) { try PlainFile.replace(path, with: Array("no".utf8), .ownerReadWrite) }
        #expect(PlainFile.isFolder(path.appending("inside").string))
        #expect(try FilePath(scratch.path).names() == ["folder"])
        #expect(throws: Errno.notDirectory) {
            try PlainFile.replace(FilePath(scratch.write("four", to: "file")).appending("below"), with: [], .ownerReadWrite)
        }
    }

    @Test func `a name need not be UTF-8`() throws {
        let scratch = try Scratch()
        let path = FilePath(scratch.path).appending("\u{FFFD}")
        let name = Array(scratch.path.utf8.map { CChar(bitPattern: $0) }) + [47, CChar(bitPattern: 0xE9), 0]
        let descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(write(descriptor, "four", 4) == 4 && close(descriptor) == 0)
        #expect(try PlainFile.bytes(of: FilePath(platformString: name), atMost: 4) == Array("four".utf8))
        #expect(throws: Errno.noSuchFileOrDirectory) { try PlainFile.bytes(of: path, atMost: 4) }
    }

    /// Opened, a FIFO without a writer would hold this test up for ever.
    @Test func `a FIFO, also behind a link, a directory, a socket and a device are refused by name`() throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("fifo"), 0o600) == 0)
        #expect(symlink("fifo", scratch.file("link")) == 0)
        for name in ["fifo", "link"] {
            #expect(throws: found("a FIFO")) { try PlainFile.bytes(of: FilePath(scratch.file(name)), atMost: 1) }
        }
        let socket = try Mailbox(scratch.file("socket"))
        #expect(throws: found("a socket")) { try PlainFile.bytes(of: FilePath(scratch.file("socket")), atMost: 1) }
        withExtendedLifetime(socket) {}
        #expect(throws: found("a directory")) { try PlainFile.bytes(of: FilePath(scratch.path), atMost: 1) }
        #expect(throws: found("a device")) { try PlainFile.bytes(of: "/dev/zero", atMost: 1) }
    }
}
