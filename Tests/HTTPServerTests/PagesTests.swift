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

    private func read(_ target: String) throws -> Pages.Found { pages.read(try PagePath(target)) }

    @Test func `a file is read with its type, and a folder is told from it`() throws {
        #expect(try read("/kit/touch.js") == .file(Array("export {}\n".utf8), type: "text/javascript; charset=utf-8"))
        #expect(try read("/kit") == .folder)
        #expect(try read("/kit/") == .nothing, "it has no index.html")
        #expect(try read("/kit/touch.js/") == .nothing)
        #expect(try read("/" + String(repeating: "x", count: 300)) == .nothing)
        #expect(Pages(in: scratch.file("none")).read(try PagePath("/kit/touch.js")) == .nothing)
    }

    @Test func `a link is followed within the folder, and never out of it`() throws {
        try link("www/inside.js", to: "kit/touch.js")
        try link("www/outside.txt", to: "../secret.txt")
        try link("www/absolute.txt", to: scratch.file("secret.txt"))
        try link("www/up", to: "..")
        try link("www/loop", to: "loop")
        guard case .file = try read("/inside.js") else { throw LineSocket.Failed(description: "the link inside is not followed") }
        for target in ["/outside.txt", "/absolute.txt", "/up/secret.txt", "/up", "/loop"] { #expect(try read(target) == .nothing, "\(target)") }
    }

    @Test func `what is no file is not waited for, and what is too large is said to be`() throws {
        #expect(mkfifo(scratch.file("www/pipe"), 0o600) == 0)
        #expect(try read("/pipe") == .nothing)
        #expect(FileManager.default.createFile(atPath: scratch.file("www/large.bin"), contents: nil))
        #expect(truncate(scratch.file("www/large.bin"), Pages.longest + 1) == 0)
        #expect(try read("/large.bin") == .unreadable("it has more than 8388608 bytes"))
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
        let tag = EntityTag(of: Array("hello".utf8))
        #expect(tag.text == "\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"")
        #expect(EntityTag(of: []).text == "\"e3b0c44298fc1c149afbf4c8996fb924\"")
        for known in ["\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"", "W/\"2cf24dba5fb0a30e26e83b2ac5b9e29e\"", "*"] {
            #expect(tag.matches(["\"x\"", Substring(known)]), "\(known)")
        }
        #expect(!tag.matches([]) && !tag.matches(["2cf24dba5fb0a30e26e83b2ac5b9e29e"]))
    }
}
