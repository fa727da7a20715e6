import Fields
import Testing
import YAML

private func tree(_ text: String) throws -> YAMLTree { try YAMLTree(Array(text.utf8), file: "a.yaml") }

private struct Tone: Decodable {
    var level: Double?
    var on: Bool?

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["level", "on"])
        level = try fields.numberIfPresent("level", in: 0...1)
        on = try fields.flagIfPresent("on")
    }
}

private struct Settings: Decodable {
    var rate: Int?
    var tones: [String: Tone]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["rate", "tones"])
        rate = try fields.integerIfPresent("rate", in: 1...9)
        tones = try fields.nested([String: Tone].self, "tones", expected: "tones by name")
    }
}

/// All of it is required.
private struct Hours: Decodable {
    enum Kind: String, CaseIterable { case open, closed }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["level", "views", "on", "name", "kind", "day"])
        _ = try fields.number("level", in: 0...1)
        _ = try fields.integer("views", in: 1...9)
        _ = try fields.flag("on")
        _ = try fields.text("name")
        let kind: Kind = try fields.choice("kind")
        _ = try fields.parsed("day", like: "mon", expected: "a day") { kind == .open && $0 == "mon" ? 1 : nil }
    }
}

@Suite struct YAMLTreeTests {
    @Test func `values, keys and lines are those of the file`() throws {
        let tree = try tree("# settings\nrate: 5\n\ntones:\n  a.b: {level: 1}\n  c:\n    - x\n    - level: 2\n")
        #expect(tree.keys == ["rate", "tones"])
        #expect(try tree.value("rate") == "5")
        #expect(try tree.value("rates") == nil)
        #expect(tree.line(of: "rate") == 2)
        // A name with a dot in it, a place in a list, and as much of the way as there is.
        #expect(tree.line(of: "tones.a.b.level") == 5)
        #expect(tree.line(of: "tones.c[1].level") == 8)
        #expect(tree.line(of: "tones.c[1].nothing") == 8)
        #expect(tree.line(of: "nothing") == nil)
    }

    @Test func `a list where a single value belongs is a fault with its line`() throws {
        let fault = try #require(throws: FileFault.self) { _ = try tree("a: 1\nrate: [5]\n").value("rate") }
        #expect("\(fault)" == "a.yaml:2: rate: expected a single value, found a list or mapping")
    }

    @Test func `a file is read into a type`() throws {
        let settings = try tree("rate: 5\ntones: {a: {level: 0.5, on: yes}}\n").decode(Settings.self)
        #expect(settings.rate == 5 && settings.tones["a"]?.level == 0.5 && settings.tones["a"]?.on == true)
    }

    @Test func `all that is wrong is told at once, in the order of lines`() throws {
        let text = "tones:\n  a: {level: 2, on: 1}\n  b:\n    levl: 0\nrate: 10\nqueue: 3\n"
        let fault = try #require(throws: FileFault.self) { try tree(text).decode(Settings.self) }
        #expect(fault.all.map(\.description) == [
            "a.yaml:2: tones.a.level: expected a number from 0 to 1, found 2",
            #"a.yaml:2: tones.a.on: expected true or false, found "1""#,
            "a.yaml:4: tones.b.levl: expected only level, on, found this field (did you mean level?)",
            "a.yaml:5: rate: expected a whole number from 1 to 9, found 10",
            "a.yaml:6: queue: expected only rate, tones, found this field",
        ])
    }

    @Test func `what is wrong with one required field does not hide what is wrong with another, or that it is missing`() throws {
        let text = "level: 2\nviews: x\non: 1\nname: [1]\nkind: shut\nday: someday\n"
        let wrong = try #require(throws: FileFault.self) { _ = try tree(text).decode(Hours.self) }
        #expect(wrong.all.map(\.description) == [
            "a.yaml:1: level: expected a number from 0 to 1, found 2",
            #"a.yaml:2: views: expected a whole number from 1 to 9, found "x""#,
            #"a.yaml:3: on: expected true or false, found "1""#,
            "a.yaml:4: name: expected text of 1 to 256 characters, found a list",
            #"a.yaml:5: kind: expected one of open, closed, found "shut""#,
            #"a.yaml:6: day: expected a day, found "someday""#,
        ])
        let inner = try #require(throws: FileFault.self) { _ = try tree("a:\n  level: 2\nb: {day: mon}\n").decode([String: Hours].self) }
        #expect(inner.all.map { "\($0.line ?? 0) \($0.fault.field) \($0.fault.found ?? "")" } == [
            "1 a.day nothing", "1 a.kind nothing", "1 a.name nothing", "1 a.on nothing", "1 a.views nothing", "2 a.level 2",
            "3 b.kind nothing", "3 b.level nothing", "3 b.name nothing", "3 b.on nothing", "3 b.views nothing",
        ])
    }

    @Test(arguments: [
        ("a: &x 1\nb: *x\n", "a.yaml:2: expected no aliases, found *x"),
        ("a: 1\n<<: {b: 2}\n", "a.yaml:2: <<: expected the name of a field, found \"<<\""),
        ("a:\n  [x, y]: 2\n", "a.yaml:2: a: expected keys that are text, found a list or mapping for one"),
    ])
    func `what can stand for something else is refused`(text: String, expected: String) throws {
        let fault = try #require(throws: FileFault.self) { try tree(text) }
        #expect("\(fault)" == expected)
    }

    @Test func `a mapping has at most 256 keys, and a file at most 20,000 values`() throws {
        let keys = { (count: Int) in (0..<count).map { "k\($0): 1\n" }.joined() }
        #expect(try tree(keys(256)).keys.count == 256)
        let many = try #require(throws: FileFault.self) { try tree(keys(257)) }
        #expect("\(many)" == "a.yaml:1: expected at most 256 keys, found 257")
        // The root and the list are values, too.
        let values = { (count: Int) in "a: [" + Array(repeating: "1", count: count).joined(separator: ",") + "]\n" }
        _ = try tree(values(19_998))
        let more = try #require(throws: FileFault.self) { try tree(values(19_999)) }
        #expect(more.fault.expected == "at most 20000 values in all")
    }

    @Test(arguments: [
        ("a number from 0 to 1", "\"0,5\"", "\"0,5\" with a comma, where a decimal point is expected"),
        ("a number from 0 to 1", "\"\u{2212}3\"", "\"\u{2212}3\" with a typographic minus, where - is expected"),
        ("a whole number from 0 to 9", "\"1,000\"", "\"1,000\" with a comma, where only digits are expected"),
        ("a number from 0 to 1", "\"a,b\"", "\"a,b\""),
    ])
    func `a number as people write it is told to be one`(expected: String, found: String, explained: String) {
        #expect(Fault(field: "a", expected: expected, found: found).explained.found == explained)
    }

    @Test func `a key that lacks a space after its colon, and what follows a decimal comma, are told as such`() {
        let stranger = { (field: String) in Fault.stranger(field, named: "a2", beside: ["a"]).explained.found }
        #expect(stranger("tone.level:5") == "no space after its colon")
        #expect(stranger("tone.5") == "what follows a comma (a number has a decimal point)")
        #expect(stranger("tone.levl") == "this field (did you mean a?)")
        #expect(Fault(field: "a", expected: "an object").explained.expected == "a mapping of keys to values")
    }
}
