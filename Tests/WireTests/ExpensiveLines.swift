import Signals
import Units
import Wire
import TestSupport

/// Lines that are dear to read, and what is to come of them: known from how they were made.
struct ExpensiveLines {
    struct Line {
        var kind: String
        var text: String
        fileprivate var expected: Expected

        func isAnswered(_ requests: [Request], _ errors: [ErrorReply]) -> Bool {
            switch expected {
            case .refused(let message): requests.isEmpty && errors.count == 1 && errors[0].message == message
            case .fault(let field, let count):
                requests.isEmpty && errors.count == count && errors.allSatisfy { $0.code == .invalidParams && $0.fault?.field == field }
            case .read(let calls): errors.isEmpty && requests.map(\.call) == calls && requests.allSatisfy { $0.id == .integer(1) }
            }
        }
    }

    fileprivate enum Expected {
        case refused(String)
        /// So many times.
        case fault(String, Int)
        case read([Call])
    }

    private var dice: Dice
    private var round = 0

    init(seed: UInt64) { dice = Dice(seed) }

    mutating func next() -> Line {
        round += 1
        // Most are small, so that the test does not take long; some as large as they can be.
        let share = round % 10 == 0 ? 1.0 : 0.03
        switch round % 9 {
        case 0: return deep()
        case 1: return wide(share)
        case 2: return names(share)
        case 3: return text(share)
        case 4: return escapes(share)
        case 5: return pattern(share)
        case 6: return batch()
        case 7: return positional(share)
        default: return numbers(share)
        }
    }

    private func request(_ method: String, _ parameters: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
    }

    private func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    /// From one to `most`, of which a share is used.
    private mutating func count(_ most: Int, _ share: Double) -> Int { 1 + dice.roll(max(1, Int(Double(most) * share))) }

    /// Lists and objects within one another. The request is one of them.
    private mutating func deep() -> Line {
        let depth = 1 + dice.roll(40)
        let isList = dice.roll(2) == 0
        let inside = isList ? String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            : String(repeating: #"{"a":"#, count: depth) + "0" + String(repeating: "}", count: depth)
        // Beside it other parameters, so that it is read as far as it can be.
        let expected: Expected = depth + 2 > 16 ? .refused("lists and objects are nested at most 16 deep") : .fault("name", 1)
        return Line(kind: "deep", text: request("chime.play", #"{"name":\#(inside)}"#), expected: expected)
    }

    private mutating func wide(_ share: Double) -> Line {
        let count = count(2_400, share)
        // The request, its four members, the parameter and the list are values, too.
        let expected: Expected = count + 6 > 1_920 ? .refused("a line has at most 1920 values") : .read([.command(Asked.topics([String](repeating: "cue", count: count)))])
        let text = request("subscribe", #"{"topics":\#(list([String](repeating: "\"cue\"", count: count)))}"#)
        return Line(kind: "wide", text: text, expected: expected)
    }

    private mutating func names(_ share: Double) -> Line {
        let count = count(2_400, share)
        let length = 1 + dice.roll(20)
        let stem = dice.pick(["a", "e\u{301}", "\\u0061", "\\\\", "pattern"])
        let names = (0..<count).map { String(repeating: stem, count: length) + "\(1_000 + $0)" }
        let text = request("haptic.play", "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
        if text.utf8.count > 65_536 { return deep() }
        if count + 5 > 1_920 { return Line(kind: "names", text: text, expected: .refused("a line has at most 1920 values")) }
        let plain = String(repeating: stem == "\\u0061" ? "a" : stem == "\\\\" ? "\\" : stem, count: length)
        return Line(kind: "names", text: text, expected: .fault(plain + "1000", 1))
    }

    private mutating func text(_ share: Double) -> Line {
        let letter = dice.pick(["a", "é", "🎵", "e\u{301}", "👨‍👩‍👧", "\u{301}\u{323}"])
        let count = count(65_000 / letter.utf8.count, share)
        let text = String(repeating: letter, count: count)
        let isGood = text.count <= 1_024 && text.utf8.count <= 8_192 && text.allSatisfy { $0.utf8.count <= 64 }
        let expected: Expected = isGood ? .read([.event(.mark(text), at: nil)]) : .fault("text", 1)
        return Line(kind: "text", text: request("journal.mark", #"{"text":"\#(text)"}"#), expected: expected)
    }

    private mutating func escapes(_ share: Double) -> Line {
        let (escaped, letter) = dice.pick([("\\n", "\n"), ("\\u00e9", "é"), ("\\ud83c\\udfb5", "🎵"), ("\\\"", "\""), ("\\u0001", "\u{1}")])
        let count = count(60_000 / escaped.utf8.count, share)
        let text = String(repeating: letter, count: count)
        let expected: Expected = text.count <= 1_024 && text.utf8.count <= 8_192 ? .read([.event(.mark(text), at: nil)]) : .fault("text", 1)
        return Line(kind: "escapes", text: request("journal.mark", #"{"text":"\#(String(repeating: escaped, count: count))"}"#), expected: expected)
    }

    /// An event has four values with itself.
    private mutating func pattern(_ share: Double) -> Line {
        let count = count(600, share)
        let events = (0..<count).map { HapticEvent(time: Seconds(Double($0) / 100), kind: .transient, intensity: 0.5, sharpness: 1) }
        let texts = (0..<count).map { #"{"time":\#(Double($0) / 100),"intensity":5e-1,"sharpness":1}"# }
        let expected: Expected = 4 * count + 6 > 1_920 ? .refused("a line has at most 1920 values")
            : .read([.event(.pattern(HapticPattern(events: events)), at: nil)])
        return Line(kind: "pattern", text: request("haptic.play", #"{"pattern":\#(list(texts))}"#), expected: expected)
    }

    private mutating func batch() -> Line {
        let count = 1 + dice.roll(80)
        let isGood = dice.roll(2) == 0
        let one = isGood ? request("tap", #"{"x":0.5,"y":0.25}"#) : request("tap", #"{"x":0.5,"y":"\#(String(repeating: "y", count: 500))"}"#)
        let expected: Expected = count > 64 ? .refused("a batch has 1 to 64 requests")
            : isGood ? .read([Call](repeating: .event(.tap(Tap(x: 0.5, y: 0.25)), at: nil), count: count)) : .fault("y", count)
        return Line(kind: "batch", text: list([String](repeating: one, count: count)), expected: expected)
    }

    private mutating func positional(_ share: Double) -> Line {
        let count = count(900, share)
        if dice.roll(2) == 0 {
            let expected: Expected = .fault(count > 6 ? "params" : "phase", 1)
            return Line(kind: "positional", text: request("touch", list([String](repeating: "[{},[]]", count: min(count, 400)))), expected: expected)
        }
        let events = [HapticEvent](repeating: HapticEvent(time: Seconds(0), kind: .transient, intensity: 1, sharpness: 1), count: min(count, 470))
        let texts = [String](repeating: #"{"time":0,"intensity":1,"sharpness":1}"#, count: events.count)
        return Line(kind: "positional", text: request("haptic.play", "[null,\(list(texts))]"),
                    expected: .read([.event(.pattern(HapticPattern(events: events)), at: nil)]))
    }

    private mutating func numbers(_ share: Double) -> Line {
        let digits = String(repeating: dice.pick(["3", "9", "0"]), count: count(60_000, share))
        let number = dice.pick(["0." + digits, "1" + digits, "1e" + digits, "-0.0" + digits, "1.5e-" + digits])
        let value = Double(number) ?? .infinity
        let expected: Expected = (0...1).contains(value) ? .read([.event(.tap(Tap(x: value)), at: nil)]) : .fault("x", 1)
        return Line(kind: "numbers", text: request("tap", #"{"x":\#(number)}"#), expected: expected)
    }
}

