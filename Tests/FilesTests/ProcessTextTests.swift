import Fields
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Files

/// Paths and texts whose bytes are no UTF-8.
@Suite struct ProcessTextTests {
    private func bytes(_ text: String, _ more: UInt8...) -> [UInt8] { Array(text.utf8) + more }

    @Test(arguments: [([UInt8]("ä€🐈".utf8), "ä€🐈"), ([0x61, 0xFF, 0x62], "a\\xFFb"), ([0xE2, 0x82], "\\xE2\\x82"), ([0xC0, 0x80], "\\xC0\\x80"),
                      ([0xC3, 0x28], "\\xC3("), ([], "")])
    func `bytes that are no text are shown as numbers`(bytes: [UInt8], text: String) {
        #expect(ProcessText.shown(bytes) == text)
    }

    @Test func `a word that is no text is named by the flag in front of it, or by its place`() {
        let words = [bytes("--sessions"), bytes("/srv/", 0xFF), bytes("--idle"), bytes("5"), bytes("--config=/etc/", 0xE4)]
        #expect(ProcessText.faults(inWords: words).map(\.description) == [
            "--sessions: expected text in UTF-8, found \"/srv/\\xFF\"",
            "word 5 of the command line: expected text in UTF-8, found \"--config=/etc/\\xE4\"",
        ])
        #expect(ProcessText.faults(inWords: [bytes("--theme"), bytes("Käse")]) == [])
    }

    @Test func `of variables those that name places are looked at`() {
        let variables = [bytes("STATE_DIRECTORY=/var/lib/", 0xFF), bytes("THRUM_SOCKET=/run/", 0xFE), bytes("XDG_STATE_HOME=/a=b/", 0x80),
                         bytes("HOME=/home/anna"), bytes("LS_COLORS=", 0xFF), bytes("=", 0xFF), bytes("HOME")]
        #expect(ProcessText.faults(inVariables: variables).map(\.field) == ["STATE_DIRECTORY", "THRUM_SOCKET", "XDG_STATE_HOME"])
        #expect(ProcessText.faults(inVariables: variables)[2].found == "\"/a=b/\\x80\"")
        #expect(ProcessText.variables.contains { $0.starts(with: "PATH=".utf8) })
    }

    @Test func `a path goes by its bytes, and a second folder is never made`() throws {
        let scratch = try Scratch()
        let name = [CChar(bitPattern: 0x61), CChar(bitPattern: 0xFF), 0].withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
        let folder = FilePath(scratch.path).pushing(name).appending("inner")
        #expect(!folder.isThere && folder.shown.hasSuffix("/a\\xFF/inner"))
        try folder.makeDirectories()
        try folder.makeDirectories()
        #expect(folder.isThere && folder.information != nil)
        #expect(try FilePath(scratch.path).names() == [name])
        #expect(try folder.removingLastComponent().names() == ["inner"])
        _ = try scratch.write("", to: "file")
        #expect(throws: Errno.notDirectory) { try FilePath(scratch.file("file")).makeDirectories() }
        #expect(throws: Errno.notDirectory) { try FilePath(scratch.file("file/inner")).makeDirectories() }
        #expect(throws: Errno.noSuchFileOrDirectory) { try FilePath(scratch.file("none")).names() }
    }
}
