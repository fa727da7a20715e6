import Foundation
import Testing
import TestSupport

@Suite struct VerifyTests {
    @Test func `verify says of each journal how it is`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let lines = try String(contentsOfFile: good, encoding: .utf8).split(separator: "\n").map(String.init)
        func write(_ lines: [String], _ name: String) throws -> String { try scratch.write(lines.joined(separator: "\n") + "\n", to: name) }
        var edited = lines
        edited[4] = lines[4].replacing("\"event\":\"touch\"", with: "\"event\":\"tap\",\"x\":1.0")
        let files = [good, try write(Array(lines[..<6]), "cut.jsonl"), try write(lines.map { $0.replacing(/,"sum":"........"/, with: "") }, "bare.jsonl"),
                     try write(Array(lines[..<3]) + lines[4...], "removed.jsonl"), try scratch.write("my notes\n", to: "notes.jsonl"),
                     scratch.file("none.jsonl")]
        let finished = try run(Programs.thrum, ["verify"] + files)
        #expect(finished.text == """
            \(files[0]): good, lines: \(lines.count)
            \(files[1]): good so far, cut off at line 6
            \(files[2]): no sums, lines: \(lines.count)
            \(files[3]): changed at line 4 or above it
            \(files[4]): unreadable: line 1: expected one JSON object, found something else
            \(files[5]): unreadable: No such file or directory\n
            """)
        #expect(finished.status == 66)
        #expect(try run(Programs.thrum, ["verify"] + files.dropLast()).status == 65)
        #expect(try run(Programs.thrum, ["verify", good, good]).status == 0)
        #expect(try thrum("verify", "--help").text.contains("thrum verify /var/lib/thrum/sessions/*.jsonl"))
    }

    @Test func `a journal whose beginning is missing is played with a warning that says so, and verify names it`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let lines = try String(contentsOfFile: good, encoding: .utf8).split(separator: "\n").map(String.init)
        let rest = lines[(lines.count / 2)...]
        let frame = try #require(rest.first?.firstMatch(of: /"frame":([0-9]+)/)?.1)
        let seconds = (Double(frame) ?? 0) / 48_000
        let missing = "the beginning is missing, all before " + String(format: "%d:%06.3f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60))
        let path = try scratch.write(([lines[0]] + rest).joined(separator: "\n") + "\n", to: "late.jsonl")
        for words in [["render", path], ["picture", path], ["sessions", "show", path]] {
            let finished = try run(Programs.thrum, words)
            #expect(finished.status == 0 && finished.errors.hasPrefix("thrum: \(path):2: warning: \(missing); what was set"), "\(finished.errors)")
        }
        let verified = try thrum("verify", path)
        #expect(verified.status == 65 && verified.text.hasPrefix("\(path): changed: the beginning is missing, all before"), "\(verified.text)")
        let headless = try scratch.write(rest.joined(separator: "\n") + "\n", to: "headless.jsonl")
        let refused = try thrum("render", headless)
        #expect(refused.status == 65 && refused.errors.contains(":1: expected the header"), "\(refused.errors)")
    }

    @Test func `a journal that was changed is played all the same, with a warning that names the line`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let text = try String(contentsOfFile: good, encoding: .utf8)
        var lines = text.split(separator: "\n").map(String.init)
        // A colour of its own for no card: the seed is another.
        lines[0] = lines[0].replacing("\"seed\":1", with: "\"seed\":2")
        let path = try scratch.write(lines.joined(separator: "\n") + "\n", to: "changed.jsonl")
        let warning = "thrum: \(path):1: warning: the journal was changed here or above, by its sums; taken as it is\n"
        for words in [["render", path], ["picture", path], ["sessions", "show", path], ["telemetry", "export", path], ["telemetry", "show", path]] {
            let finished = try run(Programs.thrum, words)
            #expect(finished.status == 0 && finished.errors == warning, "\(words): \(finished.errors)")
        }
        let bare = try scratch.write(text.replacing(/,"sum":"........"/, with: ""), to: "bare.jsonl")
        #expect(try thrum("render", bare).errors.isEmpty, "without sums nothing is known, as of old journals")
        #expect(try thrum("render", good, "-o", scratch.file("same.wav")).status == 0)
        #expect(try run("cmp", [scratch.file("same.wav"), scratch.file("bare.wav")]).status == 0)
    }
}
