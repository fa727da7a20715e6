import Foundation
import Testing
import TestSupport

@Suite struct PictureCommandTests {
    private let scratch: Scratch
    private let journal: String

    /// Two seconds with a tone, a mark that needs escaping, and a mute.
    init() throws {
        scratch = try Scratch()
        let locked = try String(contentsOfFile: repository + "/Tests/Fixtures/locked.jsonl", encoding: .utf8)
        let header = try #require(locked.split(separator: "\n").first)
        journal = try scratch.write("""
            \(header)
            {"client":1,"event":"tone","frame":0,"frequency":440,"on":true}
            {"client":1,"event":"journal.mark","frame":24000,"text":"<she> & \\u0007he"}
            {"client":0,"event":"output.mute","frame":48000,"on":true}
            {"client":0,"event":"output.mute","frame":72000,"on":false}
            {"end":"idle","frame":96000}

            """, to: "visit.jsonl")
    }

    /// What Python's parser of XML finds: all text, and how many images.
    private func parsed(_ path: String) throws -> (text: String, images: String) {
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            print(len(root.findall('.//{*}image')))
            print(' | '.join(node.text or '' for node in root.iter() if node.tag.endswith('}text')))
            """
        let found = try run("/usr/bin/python3", ["-c", script, path])
        #expect(found.status == 0, "\(found.errors)")
        let lines = found.text.split(separator: "\n", maxSplits: 1)
        return (String(lines.last ?? ""), String(lines.first ?? ""))
    }

    @Test func `a picture is sound XML, says what happened when, and has the same bytes each time`() throws {
        #expect(try thrum("picture", journal).text == scratch.file("visit.svg") + "\n")
        let (text, images) = try parsed(scratch.file("visit.svg"))
        #expect(images == "1")
        for words in ["visit.jsonl", "direct", "theme locked", "0:02 long", "<she> & \u{FFFD}he", "marks", "muted", "0:01.0", "LUFS", "Spectrum"] {
            #expect(text.contains(words), "\(words): \(text)")
        }
        let again = try thrum("picture", journal, "-o", "-")
        #expect(again.output == FileManager.default.contents(atPath: scratch.file("visit.svg")))
        #expect(again.output.count < 1_000_000)
    }

    @Test func `a style that is asked for is fixed, otherwise it is that of the page`() throws {
        #expect(try thrum("picture", journal, "-o", "-").text.contains("prefers-color-scheme"))
        for style in ["light", "dark"] {
            let fixed = try thrum("picture", journal, "-o", "-", "--style", style).text
            #expect(!fixed.contains("prefers-color-scheme") && fixed.contains("url(#\(style)-levels)"), "\(style)")
        }
        #expect(try thrum("picture", journal, "--style", "pink").status == 64)
    }

    @Test func `the end of the name says what is made, and a PNG needs its program`() throws {
        let path = scratch.file("visit.png")
        #expect(try thrum("picture", journal, "-o", path, "--style", "dark").status == 0)
        let png = try #require(FileManager.default.contents(atPath: path))
        // ISO/IEC 15948: the signature, and the width after the first chunk's length and name.
        #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) && png[16..<20] == Data([0, 0, 0x09, 0xB0]))
        let missing = try run(Programs.thrum, ["picture", journal, "-o", scratch.file("b.png")], environment: ["PATH": scratch.path])
        #expect(missing.status == 69 && missing.errors.contains("librsvg2-bin"), "\(missing.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("b.png")))
        let odd = try thrum("picture", journal, "-o", scratch.file("visit.gif"))
        #expect(odd.status == 64 && odd.errors.contains("--output: expected a name that ends in .svg or .png"), "\(odd.errors)")
    }

    @Test func `a session that has no end may still run, one without a tone has no lane for it, and the idle time is cut short`() throws {
        let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").map(String.init)
        func words(_ lines: [String]) throws -> String {
            let path = try scratch.write(lines.joined(separator: "\n") + "\n", to: "a.jsonl")
            #expect(try thrum("picture", path, "-f").status == 0)
            return try parsed(scratch.file("a.svg")).text
        }
        let running = try words(lines.dropLast())
        #expect(running.contains("cut off or still running") && !running.contains("damaged") && running.contains("Tone"), "\(running)")
        let toneless = try words([lines[0], lines[2], lines[5]])
        #expect(!toneless.contains("Tone") && toneless.contains("Spectrum"), "\(toneless)")
        // 60 s, of which nobody does anything after 0.5 s.
        let idle = try words(lines.dropLast() + [#"{"end":"idle","frame":2880000}"#])
        #expect(idle.contains("0:16 long, 0:45 more not drawn"), "\(idle)")
        let whole = try thrum("picture", scratch.file("a.jsonl"), "-o", "-", "--to", "60").text
        #expect(whole.contains("1:00 long  ·"), "\(whole.prefix(3000))")
    }

    @Test func `what follows from the rules behind a damage is hatched up to the end`() throws {
        let path = scratch.file("s.jsonl")
        #expect(try thrum("simulate", "--turns", "60", "-o", path).status == 0)
        let hatched = "on a guess, by the rules: the journal is damaged</title>"
        #expect(try !thrum("picture", path, "-o", "-").text.contains(hatched))
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[20].replace(/"sum":"[0-9a-f]{8}"/, with: #""sum":"00000000""#)
        let damaged = try scratch.write(lines.joined(separator: "\n") + "\n", to: "damaged.jsonl")
        #expect(try thrum("picture", damaged, "-o", "-").text.contains(hatched))
    }

    @Test func `many are drawn into a folder, parts under names of their own`() throws {
        let other = scratch.file("other.jsonl")
        try FileManager.default.copyItem(atPath: journal, toPath: other)
        let broken = try scratch.write("no journal\n", to: "broken.jsonl")
        let into = scratch.file("made/here")
        let made = try thrum("picture", journal, broken, other, "--into", into)
        #expect(made.status == 65 && made.errors.contains("broken.jsonl"), "\(made.errors)")
        #expect(try thrum("picture", journal, other, "--into", into, "--to", "0:01.5").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: into).sorted()
            == ["other-to-0m01.5s.svg", "other.svg", "visit-to-0m01.5s.svg", "visit.svg"])
        #expect(try thrum("picture", journal, "--into", into).text == "drawn: 0, there already: 1\n")
        let twice = try thrum("picture", journal, journal, "--into", into)
        #expect(twice.status == 73 && twice.errors.contains("expected one session of that name"), "\(twice.errors)")
        #expect(try thrum("picture", journal, other).status == 64)
    }

    @Test func `two sessions are drawn above each other, with where they differ`() throws {
        let text = try String(contentsOfFile: journal, encoding: .utf8)
        let other = try scratch.write(text.replacing("\"frame\":48000", with: "\"frame\":36000"), to: "earlier.jsonl")
        let path = scratch.file("both.svg")
        let compared = try thrum("compare", journal, other, "--picture", path)
        #expect(compared.status == 1 && compared.text.contains("events: first different at 0:00.750"), "\(compared.text)\(compared.errors)")
        let (words, images) = try parsed(path)
        #expect(images == "2")
        for expected in ["visit.jsonl", "earlier.jsonl", "events differ from 0:00.750 on", "samples differ from 0:00.7"] {
            #expect(words.contains(expected), "\(expected): \(words)")
        }
        #expect(try thrum("compare", journal, other, "--picture", path).status == 73)
        #expect(try thrum("compare", journal, journal, "--picture", "-").text.hasPrefix("<svg"))
    }
}
