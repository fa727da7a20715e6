import Escaping
import Foundation
import Testing
import TestSupport

/// What Python's readers make of text that this code has written.
@Suite struct EscapedTextTests {
    private let scratch: Scratch
    private let texts: [String]

    /// The same texts each time: of scalars that readers take for something, of those that join themselves to others, and of any.
    init() throws {
        scratch = try Scratch()
        var dice = Dice(21)
        let signs = ",\"\r\n\t'=+-@<>&; \\]/".unicodeScalars.map { $0 }
        let joining = ([0x338, 0x301, 0x200D, 0xFE0F, 0x20DD, 0x1F469, 0x1F1E9, 0xAC00, 0x11A8] as [UInt32]).compactMap(Unicode.Scalar.init)
        let odd = ([1, 0x1B, 0x7F, 0x85, 0x9B, 0x2028, 0x202E, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
            .compactMap(Unicode.Scalar.init)
        texts = (0..<5_000).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<dice.roll(12) {
                switch dice.roll(8) {
                case 0...2: text.append(dice.pick(signs))
                case 3, 4: text.append(dice.pick(joining))
                case 5: text.append(dice.pick(odd))
                case 6: text.append(Unicode.Scalar(UInt8(97 + dice.roll(26))))
                default: text.append(Unicode.Scalar(UInt32(1 + dice.roll(0x10FFFF))) ?? "x")
                }
            }
            return String(text)
        }
    }

    /// The code points that `script` finds in what `file` holds, a list for each text, as JSON.
    private func read(_ script: String, _ file: String) throws -> [[UInt32]] {
        let found = try run("/usr/bin/python3", ["-c", "import sys, json\n" + script, file])
        #expect(found.status == 0, "\(found.errors)")
        return try JSONDecoder().decode([[UInt32]].self, from: found.output)
    }

    @Test func `Python's csv reads back each text, and none of them is a formula`() throws {
        let path = try scratch.write(texts.map { CSV.line(["-1", CSV.text($0), "x"]) }.joined(), to: "texts.csv")
        let cells = try read("""
            import csv
            rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
            assert all(len(row) == 3 and row[0] == "-1" and row[2] == "x" for row in rows)
            signs = tuple("=+-@\\t\\r\\n")
            assert not any(row[1].startswith(signs) and row[1] != "-" for row in rows)
            def plain(cell):
                start = cell.lstrip("'")
                isMarked = cell.startswith("'") and start.startswith(signs + tuple("\\uff1d\\uff0b\\uff0d\\uff20"))
                return cell[1:] if isMarked else cell
            print(json.dumps([[ord(c) for c in plain(row[1])] for row in rows]))
            """, path)
        #expect(cells == texts.map { $0.unicodeScalars.map(\.value) })
    }

    /// As XML 1.0 says it, section 2.2.
    @Test func `expat reads back each text, between tags and in attributes`() throws {
        let elements = texts.map { "<a t=\"\(XML.escaped($0))\">\(XML.escaped($0))</a>" }.joined()
        let path = try scratch.write("<all>\(elements)</all>", to: "texts.xml")
        let found = try read("""
            import xml.etree.ElementTree as tree
            nodes = list(tree.parse(sys.argv[1]).getroot())
            assert all((node.text or "") == node.get("t") for node in nodes)
            print(json.dumps([[ord(c) for c in node.get("t")] for node in nodes]))
            """, path)
        #expect(found == texts.map { text in
            text.unicodeScalars.map(\.value).map { value in
                switch value {
                case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: value
                default: 0xFFFD
                }
            }
        })
    }

    @Test func `a session with such a mark makes a sound picture, and its name no formula`() throws {
        let locked = try String(contentsOfFile: repository + "/Tests/Fixtures/locked.jsonl", encoding: .utf8)
        let header = try #require(locked.split(separator: "\n").first)
        let path = try scratch.write("""
            \(header)
            {"client":1,"event":"tone","frame":0,"frequency":440,"on":true}
            {"client":1,"event":"journal.mark","frame":24000,"text":"<\\u0338&\\u200d\\ufffe\\u009b\\u202e,\\u0338"}
            {"end":"idle","frame":96000}

            """, to: "=1+1<\u{338}.jsonl")
        #expect(try thrum("picture", path).status == 0)
        let script = "import sys, xml.etree.ElementTree as t; print(ascii([n.text for n in t.parse(sys.argv[1]).iter()]))"
        let found = try run("/usr/bin/python3", ["-c", script, scratch.file("=1+1<\u{338}.svg")])
        #expect(found.status == 0, "\(found.errors)")
        for words in [#"<\u0338&\u200d\ufffd\x9b\u202e,\u0338"#, #"=1+1<\u0338.jsonl"#] { #expect(found.text.contains(words), "\(found.text)") }
        for arguments in [["sessions", "show", path], ["sessions", "show", path, "--events"], ["sessions", "show", path, "--json"]] {
            let shown = try run(Programs.thrum, arguments)
            let obeyed: [Unicode.Scalar] = ["\u{9B}", "\u{202E}", "\u{1B}"]
            #expect(shown.status == 0 && !shown.text.unicodeScalars.contains { obeyed.contains($0) }, "\(shown.text)")
        }
    }
}
