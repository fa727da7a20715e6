import Foundation
@testable import JSON
import Testing
import TestSupport

/// Any JSON.
private indirect enum Value: Encodable {
    case null, flag(Bool), whole(Int64), number(Double), text(String), list([Value]), object([String: Value])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .whole(let whole): try container.encode(whole)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }

    init(_ dice: inout Dice, depth: Int) {
        switch dice.roll(depth > 0 ? 8 : 6) {
        case 0: self = .null
        case 1: self = .flag(dice.roll(2) == 0)
        case 2: self = .whole(dice.pick([0, 7, -7, 1 << 53, .max, .min, Int64(dice.roll(1 << 30))]))
        case 3: self = .number(Double(dice.roll(2_000_001) - 1_000_000) / dice.pick([1, 3, 1_000, 1e-20, 1e20, 7e300]))
        case 4: self = .number(dice.pick([0, -0.0, 0.1, 1e15, 1e16, 1e17, 123_456_789.125, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-5, 1e22, 2.5]))
        case 5: self = .text(Self.text(&dice))
        case 6: self = .list((0..<dice.roll(4)).map { _ in Value(&dice, depth: depth - 1) })
        default: self = .object(Dictionary((0..<dice.roll(5)).map { _ in (Self.text(&dice), Value(&dice, depth: depth - 1)) }) { $1 })
        }
    }

    private static func text(_ dice: inout Dice) -> String {
        (0..<dice.roll(6)).map { _ in dice.pick(["a", "b", "Z", "10", "9", "é", "🎵", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "\u{7F}", " "]) }.joined()
    }
}

/// An object whose members come in two parts, as a value that another one encodes into its own does.
private struct TwoParts: Encodable {
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var first = encoder.container(keyedBy: Key.self)
        try first.encode(1, forKey: Key(stringValue: "z"))
        var nested = first.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "m"))
        var second = encoder.container(keyedBy: Key.self)
        try second.encode([2.5], forKey: Key(stringValue: "a"))
        try nested.encode("late", forKey: Key(stringValue: "b"))
        try nested.encode(Float(0.1), forKey: Key(stringValue: "a"))
    }
}

@Suite struct JSONWriterTests {
    /// Foundation's encoder is the reference: 20,000 values of every kind.
    @Test func `it spells what Foundation's encoder spells, but for the order of names that are not plain`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var dice = Dice(7)
        for _ in 0..<20_000 {
            let value = Value(&dice, depth: 3)
            let (ours, theirs) = (try JSONWriter.bytes(of: value), [UInt8](try encoder.encode(value)))
            if ours != theirs { Issue.record("\(String(decoding: ours, as: UTF8.self)) is \(String(decoding: theirs, as: UTF8.self))") }
        }
    }

    @Test func `every number is read with the bits that were written`() throws {
        var dice = Dice(8)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: UInt64(dice.roll(1 << 31)) << 33 ^ UInt64(dice.roll(1 << 31)) << 11 ^ UInt64(dice.roll(1 << 31)))
            let short = Double(dice.roll(1 << 30)) / dice.pick([1, 10, 1_000, 1e9, 1e15, 1e22])
            for number in [number, short] where number.isFinite {
                let text = try JSONText(JSONWriter.bytes(of: number), within: .none)
                #expect(text.number(0)?.bitPattern == number.bitPattern)
            }
        }
    }

    @Test func `members may come in several parts, and numbers that JSON does not have are refused`() throws {
        #expect(try String(decoding: JSONWriter.bytes(of: TwoParts()), as: UTF8.self) == #"{"a":[2.5],"m":{"a":0.1,"b":"late"},"z":1}"#)
        #expect(throws: EncodingError.self) { try JSONWriter.bytes(of: [Double.infinity]) }
        #expect(throws: EncodingError.self) { try JSONWriter.bytes(of: [Double.nan]) }
    }
}

@Suite struct JSONReadingTests {
    /// Every digit counts: the last has the word, the C library's reader by way of `Double`.
    @Test(arguments: ["0.1", "-0", "0.30000000000000004", "9007199254740993", "1e22", "123456789012345678", "0.000000000000000000001", "1e-400", "5e-324"])
    func `a number is the nearest there is`(text: String) throws {
        let json = try JSONText(Array(text.utf8), within: .none)
        #expect(json.number(0)?.bitPattern == Double(text)?.bitPattern)
    }

    @Test func `a field of a large object costs as many comparisons as one of a small one, and the first of several counts`() throws {
        let members = (0..<10_000).map { #""n\#($0)":\#($0)"# } + [#""n7":0"#]
        let text = try JSONText(Array("{\(members.joined(separator: ","))}".utf8), within: .none)
        let reading = JSONReading(text)
        for n in 0..<10_000 { #expect(reading.field("n\(n)", of: 0).flatMap { text.integer($0) } == n) }
        #expect(reading.field("none", of: 0) == nil)
        #expect(reading.work.comparisons <= 20_100)
    }

    @Test func `members are found by their names, whatever stands between them and however a name is written`() throws {
        let text = try JSONText(Array(#"{"a":{"b":[{},[1,{"a":2}]],"c":{}},"b":[],"ab":3,"caf\u00e9":4,"velocities":5,"velocity":6,"b":7}"#.utf8),
                                within: .none)
        let reading = JSONReading(text)
        let values: [String: Int] = ["ab": 3, "caf\u{e9}": 4, "velocities": 5, "velocity": 6]
        for (name, value) in values { #expect(reading.field(name, of: 0).flatMap { text.integer($0) } == value) }
        #expect(reading.field("b", of: 0).map { text.nodes[$0].kind } == .list)
        #expect(reading.field("a", of: 0).flatMap { reading.field("c", of: $0) }.map { text.nodes[$0].kind } == .object)
        #expect(reading.field("c", of: 0) == nil && reading.field("veloci", of: 0) == nil && reading.field("", of: 0) == nil)
        #expect(reading.stranger(in: 0, to: ["a", "ab", "b"], ["caf\u{e9}", "velocity"]).twice == "b")
        #expect(reading.stranger(in: 0, to: ["a", "ab"], ["velocity"]).stranger == "b")
    }
}
