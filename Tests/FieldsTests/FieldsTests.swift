import Fields
import Foundation
import JSON
import Testing

private enum Phase: String, CaseIterable { case began, moved, ended }

/// Reads some of every kind, as readers of messages, journals and settings do.
private struct Everything: Decodable {
    var level: Double
    var count: Int?
    var isOn: Bool?
    var name: String?
    var phase: Phase?
    var phases: [String]?
    var inner: Inner?

    init(_ fields: Fields) throws {
        level = try fields.number("level", in: -60...0, unit: "dBFS", about: "how loud")
        count = try fields.integerIfPresent("count", in: 0...9, unit: "Hz")
        isOn = try fields.flagIfPresent("on")
        name = try fields.textIfPresent("name", limit: 4)
        phase = try fields.choiceIfPresent("phase")
        phases = try fields.choicesIfPresent("phases", of: Phase.allCases.map(\.rawValue))
        inner = try fields.nestedIfPresent(Inner.self, "inner", expected: "an inner one", about: "more of it")
    }

    init(from decoder: any Decoder) throws { try self.init(Fields(decoder)) }
}

private struct Inner: Decodable {
    var size: Double

    init(from decoder: any Decoder) throws { size = try Fields(decoder).number("size", in: 0...1) }
}

/// As the compiler writes readers: each member in its own type.
private struct Numbers: Codable, Equatable {
    var float: Float
    var small: Int8
    var middle: Int32
    var unsigned: UInt
    var byte: UInt8
    var list: [UInt16]
}

@Suite struct JSONValueTests {
    @Test func `numbers of every width are read from a value, and what does not fit is refused`() throws {
        let members: [String: JSONValue] = [
            "float": .number(0.5), "small": .integer(-128), "middle": .number(7), "unsigned": .integer(.max), "byte": .integer(255),
            "list": .list([.integer(65_535)]),
        ]
        #expect(try Numbers(from: JSONValue.object(members).decoder)
            == Numbers(float: 0.5, small: -128, middle: 7, unsigned: UInt(Int64.max), byte: 255, list: [.max]))
        #expect(try Float(from: JSONValue.integer(3).decoder) == 3)
        for (name, value) in [("float", .text("x")), ("small", .integer(128)), ("unsigned", .integer(-1)), ("byte", .number(0.5)),
                              ("list", .list([.flag(true)]))] as [(String, JSONValue)] {
            #expect(throws: DecodingError.self) {
                try Numbers(from: JSONValue.object(members.merging([name: value]) { $1 }).decoder)
            }
        }
    }

    @Test func `what has no text, or too much of it, does not fit`() {
        let value = JSONValue.object(["list": .list([.integer(1), .number(0.5), .text("a\"b"), .flag(true), .null])])
        #expect(value.fits(levels: 2, bytes: 1_000))
        #expect(!value.fits(levels: 1, bytes: 1_000))
        #expect(!value.fits(levels: 2, bytes: 40))
        for number in [Double.nan, .infinity] { #expect(!JSONValue.list([.number(number)]).fits(levels: 9, bytes: 1_000)) }
        #expect(JSONValue.text(String(repeating: "a", count: 990)).fits(levels: 0, bytes: 1_000))
        #expect(!JSONValue.text(String(repeating: "\u{1}", count: 990)).fits(levels: 0, bytes: 1_000), "six bytes each")
        // No depth is too much to say so.
        var deep = JSONValue.null
        for _ in 0..<1_000 { deep = .list([deep]) }
        #expect(!deep.fits(levels: 32, bytes: 1 << 20))
    }
}

private struct Object: Decodable {
    let fields: Fields

    init(from decoder: any Decoder) throws { fields = try Fields(decoder) }
}

/// An object whose reader is given by the test.
private func read<Value>(_ json: String, wantsStrangers: Bool = false, _ reading: (Fields) throws -> Value) throws -> Value {
    let decoder = JSONDecoder()
    if wantsStrangers { decoder.userInfo[.strangersWanted] = true }
    return try reading(decoder.decode(Object.self, from: Data(json.utf8)).fields)
}

/// The same value by our own reading, which `Fields` reads without a container.
private func ownReading<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try Value(from: JSONReading(JSONText(Array(json.utf8), within: .none)).decoder)
}

/// What is said of it; empty if it can be read.
private func words(_ read: () throws -> Everything) -> String {
    do {
        _ = try read()
        return ""
    } catch {
        return "\(error)"
    }
}

private func words(_ json: String) -> String { words { try JSONDecoder().decode(Everything.self, from: Data(json.utf8)) } }

/// Fields are read from Foundation's JSON decoder, and from our own reading.
@Suite struct FieldsTests {
    @Test func `fields are read, and those that may be left out are nil`() throws {
        let all = try JSONDecoder().decode(Everything.self, from: Data(#"""
            {"level": -6, "count": 3, "on": true, "name": "abcd", "phase": "ended", "phases": ["moved", "began"], "inner": {"size": 0.5}}
            """#.utf8))
        #expect(all.level == -6 && all.count == 3 && all.isOn == true && all.name == "abcd" && all.phase == .ended)
        #expect(all.phases == ["moved", "began"] && all.inner?.size == 0.5)
        let least = try JSONDecoder().decode(Everything.self, from: Data(#"{"level": 0}"#.utf8))
        #expect(least.count == nil && least.isOn == nil && least.name == nil && least.phase == nil && least.phases == nil && least.inner == nil)
    }

    @Test(arguments: [
        ("{}", "level: expected a number from -60 to 0 (dBFS), found nothing"),
        (#"{"level": null}"#, "level: expected a number from -60 to 0 (dBFS), found null"),
        (#"{"level": 1}"#, "level: expected a number from -60 to 0 (dBFS), found 1"),
        (#"{"level": -60.5}"#, "level: expected a number from -60 to 0 (dBFS), found -60.5"),
        (#"{"level": "loud"}"#, #"level: expected a number from -60 to 0 (dBFS), found "loud""#),
        (#"{"level": [1]}"#, "level: expected a number from -60 to 0 (dBFS), found a list"),
        (#"{"level": {}}"#, "level: expected a number from -60 to 0 (dBFS), found an object"),
        (#"{"level": 0, "count": 10}"#, "count: expected a whole number from 0 to 9 (Hz), found 10"),
        (#"{"level": 0, "count": 1.5}"#, "count: expected a whole number from 0 to 9 (Hz), found 1.5"),
        (#"{"level": 0, "on": 1}"#, "on: expected true or false, found 1"),
        (#"{"level": 0, "name": ""}"#, "name: expected text of 1 to 4 characters, found 0 characters"),
        (#"{"level": 0, "name": "abcde"}"#, "name: expected text of 1 to 4 characters, found 5 characters"),
        (#"{"level": 0, "phase": "hovered"}"#, #"phase: expected one of began, moved, ended, found "hovered""#),
        (#"{"level": 0, "phases": ["began", "x"]}"#, #"phases: expected a list of began, moved, ended, found "x""#),
        (#"{"level": 0, "phases": ["began", "movd"]}"#, #"phases: expected a list such as ["moved"], found "movd" (did you mean moved?)"#),
        (#"{"level": 0, "phases": "began"}"#, #"phases: expected a list of began, moved, ended, found "began""#),
        (#"{"level": 0, "inner": {"size": 2}}"#, "inner.size: expected a number from 0 to 1, found 2"),
        (#"{"level": 0, "inner": 3}"#, "inner: expected an object"),
        ("[]", "expected an object"),
    ])
    func `a fault names the field by its path, what was expected and what was found`(json: String, expected: String) {
        #expect(words { try JSONDecoder().decode(Everything.self, from: Data(json.utf8)) } == expected)
        #expect(words { try ownReading(Everything.self, json) } == expected)
    }

    @Test func `our own reading gives the values that Foundation's decoder gives`() throws {
        let json = #"{"level": -6, "count": 3, "on": true, "name": "abcd", "phase": "ended", "phases": ["moved"], "inner": {"size": 0.5}}"#
        let own = try ownReading(Everything.self, json)
        #expect(own.level == -6 && own.count == 3 && own.isOn == true && own.name == "abcd" && own.phase == .ended)
        #expect(own.phases == ["moved"] && own.inner?.size == 0.5)
        let value = #"{"a": [1, 2.0, 1e2, -0.5, 12345678901234567890, "x\u00e9", null, true, false, {}, []], "b": {"c": 1}}"#
        let list: [JSONValue] = [
            .integer(1), .integer(2), .integer(100), .number(-0.5), .number(12_345_678_901_234_567_168), .text("x\u{e9}"), .null, .flag(true),
            .flag(false), .object([:]), .list([]),
        ]
        #expect(try ownReading(JSONValue.self, value) == .object(["a": .list(list), "b": .object(["c": .integer(1)])]))
        #expect(throws: DecodingError.self) { try ownReading(JSONValue.self, "[1e999]") }
    }

    @Test func `a long value is quoted by its first 40 characters`() {
        let long = String(repeating: "x", count: 41)
        #expect(words(#"{"level": "\#(long)"}"#).hasSuffix("found \"\(long.dropLast())…\""))
        #expect(words(#"{"level": "\#(long.dropLast())"}"#).hasSuffix("found \"\(long.dropLast())\""))
    }

    @Test func `text is counted in characters, but a character of any number of bytes is refused`() throws {
        // An e with so many accents is one character.
        func accented(_ count: Int) -> String { "e" + String(repeating: "\u{301}", count: count) }
        #expect(accented(40).count == 1 && accented(40).utf8.count == 81)
        let text = try read(#"{"name": "\#(accented(10))a"}"#) { try $0.text("name", limit: 10) }
        #expect(text.count == 2)
        let fault = #expect(throws: Fault.self) { try read(#"{"name": "\#(accented(35))"}"#) { try $0.text("name", limit: 10) } }
        #expect(fault?.found == "a character of more than 64 bytes")
        let heavy = #expect(throws: Fault.self) { try read(#"{"name": "\#(accented(40))"}"#) { try $0.text("name", limit: 10) } }
        #expect(heavy?.found == "81 bytes")
    }

    @Test func `of fields that nobody knows the first by alphabet is refused, and an object's are named with its path`() throws {
        let fault = #expect(throws: Fault.self) {
            try read(#"{"zoo": 1, "level": 2, "ant": 3}"#) { try $0.refuseAll(but: ["level", "count"]) }
        }
        #expect(fault == Fault(field: "ant", expected: "only level, count", found: "this field"))
        try read(#"{"level": 2}"#) { try $0.refuseAll(but: ["level", "count"]) }
        let slip = #expect(throws: Fault.self) { try read(#"{"levle": 2}"#) { try $0.refuseAll(but: ["level", "count"]) } }
        #expect(slip?.found == "this field (did you mean level?)" && slip?.isOfStranger == true)
        let empty = #expect(throws: Fault.self) { try read(#"{"ant": 3}"#) { try $0.refuseAll(but: []) } }
        #expect(empty?.expected == "no fields")
    }

    @Test func `what is passed over is told to whoever wants it, and to nobody else`() throws {
        let json = #"{"zoo": 1, "level": 2, "ant": 3}"#
        #expect(try read(json, wantsStrangers: true) { $0.strangers(to: ["level"]) } == ["ant", "zoo"])
        #expect(try read(json) { $0.strangers(to: ["level"]) } == [])
    }

    @Test func `fields of an object within are named without it, and one that is left out has none`() throws {
        let json = #"{"params": {"level": 7}}"#
        let fault = #expect(throws: Fault.self) { try read(json) { try $0.object("params").number("level", in: 0...1) } }
        #expect(fault?.field == "level" && fault?.found == "7")
        let missing = #expect(throws: Fault.self) { try read("{}") { try $0.object("params").number("level", in: 0...1) } }
        #expect(missing?.field == "level" && missing?.found == "nothing")
    }

    @Test func `a number that is clamped is the nearest within`() throws {
        for (json, expected) in [("5", 1.0), ("-5", 0), ("0.25", 0.25)] {
            #expect(try read(#"{"x": \#(json)}"#) { try $0.numberIfPresent("x", clampedTo: 0...1) } == expected)
        }
        #expect(try read("{}") { try $0.numberIfPresent("x", clampedTo: 0...1) } == nil)
    }

    @Test func `a reader describes itself by what it reads`() {
        let described = Fields.described { _ = try Everything($0) }
        #expect(described.map(\.name) == ["level", "count", "on", "name", "phase", "phases", "inner"])
        #expect(described.map(\.isRequired) == [true, false, false, false, false, false, false])
        #expect(described.map(\.kind) == [
            .number(-60...0, unit: "dBFS"), .integer(0...9, unit: "Hz"), .flag, .text(limit: 4), .choice(["began", "moved", "ended"]),
            .choices(["began", "moved", "ended"]), .structure(orList: false),
        ])
        #expect(described.first?.about == "how loud")
    }

    @Test func `what is read for one choice only is described too, and what depends on it is either`() {
        let described = Fields.described { fields in
            switch try fields.choice("phase") as Phase {
            case .began: _ = try fields.number("x", in: 0...1)
            case .moved: _ = try fields.flag("x")
            case .ended: _ = try fields.integerIfPresent("y", in: 0...1)
            }
        }
        #expect(described.map(\.name) == ["phase", "x", "y"])
        #expect(described.map(\.kind) == [
            .choice(["began", "moved", "ended"]), .either([.number(0...1, unit: nil), .flag]), .integer(0...1, unit: nil),
        ])
    }
}
