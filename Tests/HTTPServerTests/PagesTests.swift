import Files
import Foundation
import NIOHTTP1
import Testing
import TestSupport

@testable import HTTPServer

@Suite struct PagesTests {
    private let scratch: Scratch
    private let pages: Pages

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("www/kit"), withIntermediateDirectories: true)
        pages = Pages(in: scratch.file("www"))
        try write("export {}\n", to: "www/kit/touch.js")
        try write("secret", to: "secret.txt")
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: scratch.file(path)))
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: scratch.file(path), withDestinationPath: target)
    }

    /// What is found, in words; a file as its type and its bytes.
    private func find(_ target: String, in pages: Pages? = nil) throws -> String {
        switch (pages ?? self.pages).find(try PagePath(target)) {
        case .file(let file): "\(file.type): \(String(buffer: try file.bytes(0..<file.size)))"
        case .folder: "a folder"
        case .nothing: "nothing"
        case .unreadable(let reason): reason
        }
    }

    @Test func `a file is read with its type, and a folder is told from it`() throws {
        #expect(try find("/kit/touch.js") == "text/javascript; charset=utf-8: export {}\n")
        #expect(try find("/kit") == "a folder")
        #expect(try find("/kit/") == "nothing", "it has no index.html")
        #expect(try find("/kit/touch.js/") == "nothing")
        #expect(try find("/" + String(repeating: "x", count: 300)) == "nothing")
        #expect(try find("/kit/touch.js", in: Pages(in: scratch.file("none"))) == "nothing")
    }

    @Test func `a link is followed within the folder, and never out of it`() throws {
        try link("www/inside.js", to: "kit/touch.js")
        try link("www/outside.txt", to: "../secret.txt")
        try link("www/absolute.txt", to: scratch.file("secret.txt"))
        try link("www/up", to: "..")
        try link("www/loop", to: "loop")
        #expect(try find("/inside.js").hasSuffix("export {}\n"))
        for target in ["/outside.txt", "/absolute.txt", "/up/secret.txt", "/up", "/loop"] { #expect(try find(target) == "nothing", "\(target)") }
    }

    @Test func `what is no file is not waited for, and what is too large is said to be`() throws {
        #expect(mkfifo(scratch.file("www/pipe"), 0o600) == 0)
        #expect(try find("/pipe") == "nothing")
        #expect(FileManager.default.createFile(atPath: scratch.file("www/large.bin"), contents: nil))
        #expect(truncate(scratch.file("www/large.bin"), Pages.longest + 1) == 0)
        #expect(try find("/large.bin") == "it has more than 8388608 bytes")
    }

    @Test(arguments: [0, 1, PageFile.piece - 1, PageFile.piece, PageFile.piece + 1, 3 * PageFile.piece + 7])
    func `a file has the tag of all its bytes, however many pieces they are`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try Data(bytes).write(to: URL(filePath: scratch.file("www/a.bin")))
        guard case .file(let file) = pages.find(try PagePath("/a.bin")) else { throw LineSocket.Failed(description: "there is no file") }
        #expect(file.size == size && file.tag == EntityTag(digest: Digest.of(bytes)))
        let pieces = try stride(from: 0, to: size, by: PageFile.piece).map { try file.bytes($0..<min(size, $0 + PageFile.piece)) }
        #expect(pieces.flatMap { Array($0.readableBytesView) } == bytes)
    }

    @Test func `a file that is written while it is sent is not sent to its end`() throws {
        try write(String(repeating: "a", count: 2 * PageFile.piece), to: "www/a.txt")
        guard case .file(let file) = pages.find(try PagePath("/a.txt")) else { throw LineSocket.Failed(description: "there is no file") }
        #expect(try file.bytes(0..<PageFile.piece).readableBytes == PageFile.piece)
        let handle = try FileHandle(forWritingTo: URL(filePath: scratch.file("www/a.txt")))
        try handle.truncate(atOffset: UInt64(PageFile.piece + 5))
        #expect(throws: PageFile.Unreadable.self) { try file.bytes(PageFile.piece..<2 * PageFile.piece) }
    }

    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8"), ("a.mjs", "text/javascript; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"), ("a.SVG", "image/svg+xml"), ("a.woff2", "font/woff2"), ("a.json", "application/json"),
        ("a.wasm", "application/wasm"), ("a.min.js", "text/javascript; charset=utf-8"), ("a", "application/octet-stream"),
        ("v1.2/a", "application/octet-stream"), ("a.exe", "application/octet-stream"),
    ])
    func `a file's type is that of its ending`(path: String, type: String) { #expect(ContentType.of(path) == type) }

    /// The values are those of Python's hashlib.
    @Test func `a tag is made of a file's bytes, and found among those that are known`() {
        let tag = EntityTag(digest: Digest.of(Array("hello".utf8)))
        #expect(tag.text == "\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"")
        #expect(EntityTag(digest: Digest.of([])).text == "\"e3b0c44298fc1c149afbf4c8996fb924\"")
        for known in ["\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"", "W/\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"", "*"] {
            #expect(tag.matches(["\"x\"", Substring(known)]), "\(known)")
        }
        #expect(!tag.matches([]) && !tag.matches(["2cf24dba5fb0a30e26e83b2ac5b9e29e"]))
    }
}
