import Foundation
import Testing
import TestSupport

/// Paths whose bytes are no UTF-8.
@Suite struct PathBytesTests {
    /// What a shell makes of `command`, in which `$X` is a byte that is no text.
    private func shell(_ command: String) throws -> Finished { try run("sh", ["-c", "X=$(printf '\\377'); " + command]) }

    @Test func `thrumd refuses a path that is no text by the name of its variable or flag, and makes no folder`() throws {
        let scratch = try Scratch()
        let common = "\(Programs.thrumd) --output null --socket \(scratch.file("s"))"
        let variable = try shell("STATE_DIRECTORY=\(scratch.path)/state$X \(common) --sessions \(scratch.file("j"))")
        #expect(variable.status == 78)
        #expect(variable.errors == "thrumd: STATE_DIRECTORY: expected text in UTF-8, found \"\(scratch.path)/state\\xFF\"\n")
        let flag = try shell("\(common) --sessions \(scratch.path)/journals$X")
        #expect(flag.status == 64)
        #expect(flag.errors == "thrumd: --sessions: expected text in UTF-8, found \"\(scratch.path)/journals\\xFF\"\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    }

    @Test func `thrum renders into the folder that is meant`() throws {
        let scratch = try Scratch()
        #expect(try run(Programs.thrum, ["demo", "--into", scratch.file("demo")]).status == 0)
        let rendered = try shell("\(Programs.thrum) render \(scratch.file("demo"))/demo.jsonl --into \(scratch.path)/out$X && cd \(scratch.path) "
            + "&& ls -d out* | wc -l && ls out$X")
        let words = rendered.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(rendered.status == 0 && words.suffix(2) == ["1", "demo.wav"], "\(rendered.text)\(rendered.errors)")
    }
}
