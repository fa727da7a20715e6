import Testing
import YAML

/// What is said of it; empty if it can be read.
private func words(_ bytes: [UInt8]) -> String {
    do {
        _ = try YAMLTree(bytes, file: "a.yaml")
        return ""
    } catch {
        return "\(error)"
    }
}

/// What comes before values: text, and what of it is YAML. Places are where libyaml stops, or by hand where that is too late.
@Suite struct YAMLTextTests {
    @Test(arguments: [
        ("schedule:\n\tfade: 5\n", "2:1: expected spaces for indentation, found a tab"),
        ("schedule:\n  fade: 5\n\totherwise: calm\n", "3:1: expected spaces for indentation, found a tab"),
        ("queue:200\nrate: 5\n", "1:7: expected a space after the colon, found \"queue:200\""),
        ("rate: 5\nqueue:200  # ms\n", "2:7: expected a space after the colon, found \"queue:200\""),
        ("schedule:\n  fade:5\n  otherwise: calm\n", "2:8: expected a space after the colon, found \"fade:5\""),
        ("rate 5\nqueue: 5\n", "1:1: expected key: value, found \"rate 5\""),
        ("queue: 5\nrate=5\nidle: 3\n", "2:1: expected key: value, found \"rate=5\""),
        ("[sound]\nrate: 5\n", "1:1: expected key: value, found \"[sound]\""),
        ("rate:\u{A0}5\nqueue: 5\n", "1:6: expected a space, found a no-break space, as in text from a web page"),
        ("sink: \"alsa\nrate: 5\n", "1:7: expected a \" that closes this one, found none"),
        ("sink: \"alsa\nrate: 5\nserver: \"x\"\n", "1:7: expected quotes in pairs, and \\\" for one between them, found 1"),
        ("# don't\nsink: 'Bob's'\n", "2:7: expected quotes in pairs, and '' for one between them, found 3"),
        ("sink: \"a\"b\n", "1:10: expected nothing after the closing quote"),
        ("path: *-usb-0:1*\n", "1:7: expected quotes around what begins with *"),
        ("path: @home\n", "1:7: expected quotes around what begins with @"),
        ("sink: a: b\n", "1:8: expected quotes around a value with a colon and a space in it"),
        ("a: \"C:\\path\"\n", "1:7: expected \\\\ for each backslash between double quotes, or single quotes"),
        ("a: {x: 1\nb: 2\n", "1:4: expected a } for this {, found none"),
        ("a:\n  - [{x: 1} {y: 2}]\n", "2:13: expected a comma or a ], found {"),
        ("a: {x: 1}}\nb: 3\n", "1:10: expected brackets in pairs, found a } too many"),
        ("a: 1\n  b: 2\n", "2:3: expected 0 spaces before it, as in line 1, found 2"),
        ("s:\n  a: 1\n\n    b: 2\n", "4:5: expected 2 spaces before it, as in line 2, found 4"),
        ("s:\n    a: 1\n  b: 2\n", "3:3: expected 0 or 4 spaces before it, as above, found 2"),
        ("s:\n  - a: 1\n   b: 2\n", "3:4: expected 0 or 2 or 4 spaces before it, as above, found 3"),
        ("s:\n  a: 1\n  - b\n", "3:3: expected a key, as above, found a list's item"),
        ("  a: 1\nb: 2\n", "1:1: expected no spaces before the first key, found 2"),
        ("a: 1\n---\nb: 2\n", "2:1: expected one document in a file, found another"),
        ("a: - b\n", "1:4: expected a list's item on a line of its own"),
    ])
    func `what is no YAML is told as whoever wrote it would say it, with libyaml's words at the end`(text: String, expected: String) {
        let words = words(Array(text.utf8))
        #expect(words.hasPrefix("a.yaml:\(expected) (libyaml: "), "\(words)")
        #expect(words.hasSuffix(")") && !words.contains("\n"))
    }

    @Test(arguments: [
        ("queue:200\n", "1:7: expected a space after the colon, found \"queue:200\""),
        ("# nothing\n\nhello\n", "3:1: expected key: value, found \"hello\""),
        ("- a\n", "1: expected a mapping of keys to values"),
        ("a: 1\nb: 2\na: 3\n", "3:1: expected each key once, found a again, which is in line 1 already"),
        ("s:\n  - a: 1\n    b: 2\n  - a: 1\n    \"b\": 2\n\n    # b\n    b : 3\n",
         "8:5: expected each key once, found b again, which is in line 5 already"),
        ("x:\n  a: 1\n  ab: 2\n  c:\n    a: 5\n  a: 3\na: 4\n",
         "6:3: expected each key once, found a again, which is in line 2 already"),
        ("s: {a: 1, a: 2}\n", "1:5: expected each key once, found more than one a"),
    ])
    func `what is YAML and no settings is told too`(text: String, expected: String) {
        #expect(words(Array(text.utf8)) == "a.yaml:" + expected)
    }

    @Test(arguments: ["a: 1\nb:\n  c: 2\n", "\u{FEFF}a: 1\nb:\n  c: 2\n", "a: 1\r\nb:\r\n  c: 2\r\n", "\u{FEFF}# x\r\na: 1\r\nb:\r\n  c: 2"])
    func `a byte order mark, and lines that end as in Windows, make no difference`(text: String) throws {
        let tree = try YAMLTree(Array(text.utf8), file: "a.yaml")
        #expect(tree.keys == ["a", "b"])
        #expect(try tree.value("a") == "1")
        #expect(tree.line(of: "b.c").map { $0 - (tree.line(of: "a") ?? 0) } == 2)
    }

    @Test func `text that is no UTF-8 is told with its line`() {
        #expect(words(Array("rate: 5\n# L".utf8) + [0xE4] + Array("rm\n".utf8)) == "a.yaml:2: expected UTF-8, found another encoding")
        #expect(words([0xFF, 0xFE, 0x61, 0x00]) == "a.yaml: expected UTF-8, found UTF-16")
        #expect(words(Array("a: 1\nb: \u{1}\n".utf8)).hasPrefix("a.yaml:2: expected text without control characters (libyaml: "))
    }
}
