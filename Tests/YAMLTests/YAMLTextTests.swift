import Testing
import YAML

/// Reads bytes as YAML, and returns the words of the fault; empty if they can be read.
private func said(_ bytes: [UInt8]) -> String {
    do {
        _ = try YAMLTree(bytes, file: "a.yaml")
        return ""
    } catch {
        return "\(error)"
    }
}

/// Tests of the text before its values are read, and of what of it is YAML. Places and words in brackets are libyaml's, as PyYAML's loader
/// has them.
@Suite struct YAMLTextTests {
    @Test(arguments: [
        ("schedule:\n\tfade: 5\n", "2:1: expected no tab, and quotes around what begins with a sign such as @",
         "found character that cannot start any token while scanning for the next token"),
        ("schedule:\n  fade: 5\n\totherwise: calm\n", "3:1: expected spaces for indentation",
         "found a tab character that violates indentation while scanning a plain scalar from line 2"),
        ("path: @home\n", "1:7: expected no tab, and quotes around what begins with a sign such as @",
         "found character that cannot start any token while scanning for the next token"),
        ("path: *-usb-0:1*\n", "1:7: expected quotes around what begins with *", "found undefined alias"),
        ("rate: 5\nqueue:200  # ms\n", "2:1: expected key: value, with a space after the colon",
         "could not find expected ':' while scanning a simple key"),
        ("queue: 5\nrate=5\nidle: 3\n", "2:1: expected key: value, with a space after the colon",
         "could not find expected ':' while scanning a simple key"),
        ("[sound]\nrate: 5\n", "2:1: expected key: value in every line, without spaces before the first key",
         "did not find expected <document start>"),
        ("  a: 1\nb: 2\n", "2:1: expected key: value in every line, without spaces before the first key",
         "did not find expected <document start>"),
        ("sink: \"alsa\nrate: 5\n", "1:7: expected a quote that closes this one",
         "found unexpected end of stream while scanning a quoted scalar"),
        ("a: \"x\n---\n", "1:4: expected a quote that closes this one", "found unexpected document indicator while scanning a quoted scalar"),
        ("# don't\nsink: 'Bob's'\n", "2:12: expected a key as far right as its neighbours, and quotes and brackets in pairs",
         "did not find expected key while parsing a block mapping"),
        ("a: {x: 1}}\nb: 3\n", "1:10: expected a key as far right as its neighbours, and quotes and brackets in pairs",
         "did not find expected key while parsing a block mapping"),
        ("s:\n    a: 1\n  b: 2\n", "3:3: expected a key as far right as its neighbours, and quotes and brackets in pairs",
         "did not find expected key while parsing a block mapping from line 1"),
        ("s:\n  - a: 1\n   b: 2\n", "3:4: expected an item of the list, as far right as the others",
         "did not find expected '-' indicator while parsing a block collection from line 2"),
        ("a: {x: 1\nb: 2\n", "2:2: expected a comma or a }", "did not find expected ',' or '}' while parsing a flow mapping from line 1"),
        ("a:\n  - [{x: 1} {y: 2}]\n", "2:13: expected a comma or a ]", "did not find expected ',' or ']' while parsing a flow sequence"),
        ("a: [1,,2]\n", "1:7: expected a value", "did not find expected node content while parsing a flow node"),
        ("a: \"C:\\path\"\n", "1:7: expected \\\\ for each backslash between double quotes, or single quotes",
         "found unknown escape character while parsing a quoted scalar"),
        ("a: 1\n---\nb: 2\n", "2:1: expected one document in a file", "but found another document"),
        ("a: - b\n", "1:4: expected a list's item on a line of its own", "block sequence entries are not allowed in this context"),
        ("a: |x\n b\n", "1:5: expected YAML", "did not find expected comment or line break while scanning a block scalar"),
    ])
    func `what is no YAML is told with its place in plain words, and libyaml's at the end`(text: String, expected: String, words: String) {
        #expect(said(Array(text.utf8)) == "a.yaml:\(expected) (libyaml: \(words))")
    }

    @Test(arguments: [
        ("queue:200\nrate: 5\n", "2:5"), ("rate 5\nqueue: 5\n", "2:6"), ("rate:\u{A0}5\nqueue: 5\n", "2:6"),
        ("schedule:\n  fade:5\n  otherwise: calm\n", "3:12"), ("sink: a: b\n", "1:8"), ("a: 1\n  b: 2\n", "2:4"),
        ("s:\n  a: 1\n\n    b: 2\n", "4:6"),
    ])
    func `a colon where no key can be is told with what may be the reason`(text: String, position: String) {
        #expect(said(Array(text.utf8)) == "a.yaml:\(position): expected a colon and a space after each key, keys as far right as their "
            + "neighbours, and quotes around a value with a colon in it (libyaml: mapping values are not allowed in this context)")
    }

    @Test(arguments: [
        ("queue:200\n", "1: expected key: value, with a space after each colon, found \"queue:200\""),
        ("# nothing\n\nhello\n", "3: expected key: value, with a space after each colon, found \"hello\""),
        ("- a\n", "1: expected key: value, with a space after each colon, found a list"),
        ("a: 1\nb: 2\na: 3\n", "1:1: expected each key once, found a again further down"),
        ("c: 1\nb: 2\nb: 3\nc: 4\n", "2:1: expected each key once, found b, c again further down"),
        ("s:\n  - a: 1\n    b: 2\n  - a: 1\n    \"b\": 2\n\n    # b\n    b : 3\n", "5:5: expected each key once, found b again further down"),
        ("s: {a: 1, a: 2}\n", "1:5: expected each key once, found a again further down"),
    ])
    func `what is YAML and no settings is told too`(text: String, expected: String) {
        #expect(said(Array(text.utf8)) == "a.yaml:" + expected)
    }

    @Test(arguments: ["a: 1\nb:\n  c: 2\n", "\u{FEFF}a: 1\nb:\n  c: 2\n", "a: 1\r\nb:\r\n  c: 2\r\n", "\u{FEFF}# x\r\na: 1\r\nb:\r\n  c: 2"])
    func `a byte order mark, and lines that end as in Windows, make no difference`(text: String) throws {
        let tree = try YAMLTree(Array(text.utf8), file: "a.yaml")
        #expect(tree.keys == ["a", "b"])
        #expect(try tree.value("a") == "1")
        #expect(tree.line(of: "b.c").map { $0 - (tree.line(of: "a") ?? 0) } == 2)
    }

    @Test func `text that is no UTF-8 is told with its line`() {
        #expect(said(Array("rate: 5\n# L".utf8) + [0xE4] + Array("rm\n".utf8)) == "a.yaml:2: expected UTF-8, found another encoding")
        #expect(said([0xFF, 0xFE, 0x61, 0x00]) == "a.yaml: expected UTF-8, found UTF-16")
        #expect(said(Array("a: 1\nb: \u{1}\n".utf8)).hasPrefix("a.yaml:2: expected text without control characters (libyaml: "))
    }
}
