import Foundation
@testable import JSON
import Testing
import TestSupport

/// Tells of each line of hexadecimal whether Python's own reader takes it, strictly, and what is in it: every value in the order of the text.
private let reference = """
    import json, struct, sys
    def no(word): raise ValueError(word)
    def number(text): return ('n', text)
    def flat(value, out):
        if isinstance(value, tuple): out.append('n' + struct.pack('>d', float(value[1])).hex())
        elif isinstance(value, str): out.append('s' + value.encode('utf-8').hex())
        elif isinstance(value, list):
            out.append('[')
            for element in value: flat(element, out)
        elif isinstance(value, dict):
            out.append('{')
            for name, element in value['members']:
                out.append('k' + name.encode('utf-8').hex())
                flat(element, out)
        else: out.append({True: 't', False: 'f', None: '0'}[value])
        return out
    for line in sys.stdin:
        try:
            value = json.loads(bytes.fromhex(line).decode('utf-8'), parse_constant=no, parse_int=number, parse_float=number,
                               object_pairs_hook=lambda pairs: {'members': pairs})
            print(' '.join(flat(value, [])))
        except (ValueError, RecursionError):
            print('no')
    """

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}

/// The same of ours.
private func flat(_ bytes: [UInt8]) -> String {
    guard let text = try? JSONText(bytes, within: .none), !text.hasUnnumbers else { return "no" }
    return text.nodes.indices.map { node in
        switch text.nodes[node].kind {
        case .object: "{"
        case .list: "["
        case .name: "k" + hexadecimal((text.text(node) ?? "").utf8)
        case .text: "s" + hexadecimal((text.text(node) ?? "").utf8)
        case .number:
            "n" + hexadecimal(withUnsafeBytes(of: (text.number(node) ?? (bytes[Int(text.nodes[node].start)] == 0x2D ? -.infinity : .infinity)).bitPattern.bigEndian) { Array($0) })
        case .yes: "t"
        case .no: "f"
        case .null: "0"
        case .unnumber: "?"
        }
    }.joined(separator: " ")
}

@Suite struct JSONTextTests {
    @Test(arguments: [
        "[1,]", #"{"a":1,}"#, "[,1]", "[1 2]", "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "[- 1]", "[0x10]", "['a']", "[tru]", "[True]", "{a:1}", #"{"a"}"#,
        #"{"a":1 "b":2}"#, #"{1:2}"#, "[1]]", "[1", #"["a"#, #"["\x"]"#, #"["\u12g4"]"#, #"["\ud800"]"#, #"["\udc00\ud800"]"#, #"["\ud800\u0041"]"#, "[\"\t\"]",
        "[\"\u{1}\"]", "\u{FEFF}[]", "[1] // no", "[/**/]", "", " ", "[NaN]", "[-Infinity]", "[nul", "\u{A0}[]",
    ])
    func `what RFC 8259 does not have is refused`(text: String) {
        #expect(flat(Array(text.utf8)) == "no")
    }

    @Test func `UTF-16 and bytes that are no text are refused`() {
        for bytes in [Array("[1]".utf8).flatMap { [$0, 0] }, Array("[1]".utf8).flatMap { [0, $0] }, [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
                      [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D], [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D]] as [[UInt8]] {
            #expect(flat(bytes) == "no", "\(bytes)")
        }
    }

    /// 10,000 lines, good ones and such as were damaged in up to three places: Python's reader has the last word.
    @Test func `it takes what Python's reader takes, and finds the same values`() throws {
        let seeds = [#"{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":440.25,"on":true,"a":[null,false,-1.5e-3,0]}}"#,
                     #" [ "\u00e9\n\"\\\/\b\f\r\t é 🎵 \ud83c\udfb5" , {"":{}} , [[]] ,-0, 1E+2 , 123456789012345678901234567890, 1e-400 ] "#,
                     #"[{"a":{"a":{"a":[1,{"b":"c"},[2,3]]}}},"x",1e5,true,null]"#, #""text""#, "12.5", "[1e999,-1e999]"]
        var dice = Dice(16)
        let spice = Array(#"[]{}",:\u0123456789eE+-.tfn /abd"#.utf8) + [0, 9, 10, 0x1F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        let lines = (0..<10_000).map { round in
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<dice.roll(4) where !bytes.isEmpty {
                switch dice.roll(3) {
                case 0: bytes[dice.roll(bytes.count)] = dice.pick(spice)
                case 1: bytes.remove(at: dice.roll(bytes.count))
                default: bytes.insert(dice.pick(spice), at: dice.roll(bytes.count))
                }
            }
            return bytes
        }
        let input = try Scratch()
        try lines.map { hexadecimal($0) + "\n" }.joined().write(toFile: input.file("lines"), atomically: true, encoding: .utf8)
        let finished = try run("bash", ["-c", "exec python3 -c \"$1\" < \"$2\"", "python3", reference, input.file("lines")])
        let expected = String(decoding: finished.output, as: UTF8.self).split(separator: "\n")
        #expect(finished.status == 0 && expected.count == lines.count, "\(finished.errors)")
        var taken = 0
        for (line, expected) in zip(lines, expected) {
            let ours = flat(line)
            if ours != "no" { taken += 1 }
            // Half a character alone is text for Python, but not for us, whose texts are Unicode.
            if ours != expected, !String(decoding: line, as: UTF8.self).contains(#"\ud8"#) {
                Issue.record("\(String(decoding: line, as: UTF8.self)): \(ours), not \(expected)")
            }
        }
        #expect(taken > 2_000 && taken < 8_000)
    }

    @Test func `a whole number may be written in any way`() throws {
        let text = try JSONText(Array("[7,7.0,70e-1,0.7e1,-7,7.5,9223372036854775807,9223372036854775808]".utf8), within: .none)
        let numbers: [Int?] = text.children(of: 0).map { text.integer($0) }
        #expect(numbers == [7, 7, 7, 7, -7, nil, Int.max, nil])
    }

    @Test func `a name is found however it is written, and the first of several counts`() throws {
        let text = try JSONText(Array(#"{"\u0069d":1,"id":2,"i\u0064x":3}"#.utf8), within: .none)
        let reading = JSONReading(text)
        #expect(reading.field("id", of: 0).flatMap { text.integer($0) } == 1)
        #expect(reading.field("idx", of: 0).flatMap { text.integer($0) } == 3)
        #expect(reading.field("i", of: 0) == nil)
    }
}
