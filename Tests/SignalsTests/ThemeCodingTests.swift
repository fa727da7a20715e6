import Fields
import Foundation
import Signals
import Testing
import Units

@Suite struct ThemeCodingTests {
    private func encoded(_ theme: Theme) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(theme), as: UTF8.self)
    }

    @Test func `a theme survives being written and read`() throws {
        let text = try encoded(.standard)
        #expect(try JSONDecoder().decode(Theme.self, from: Data(text.utf8)) == .standard)
    }

    @Test func `a pattern with envelopes and controls survives, and a plain one stays a list`() throws {
        var theme = Theme.standard
        let envelope = HapticEnvelope(attack: 0.25, decay: 0.5, release: 0.75, isSustained: false)
        theme.haptics["wave"] = HapticPattern(
            events: [HapticEvent(time: .zero, kind: .continuous(duration: Seconds(1)), intensity: 1, sharpness: 0, envelope: envelope)],
            controls: [HapticControl(.intensity, time: Seconds(0.5), shape: .jump(0.25)),
                       HapticControl(.sharpness, time: .zero, shape: .curve([.init(time: .zero, value: -1)]))])
        let text = try encoded(theme)
        #expect(text.contains(#""touch-up":[{"intensity":0.25,"sharpness":0.4,"time":0}]"#))
        #expect(try JSONDecoder().decode(Theme.self, from: Data(text.utf8)) == theme)
    }

    @Test(arguments: [
        (#""points":[]"#, "points: expected 1 to 2000 points, found 0"),
        (#""points":[{"time":0,"value":-0.5}]"#, "points[0].value: expected a number from 0 to 1, found -0.5"),
        (#""points":[{"time":1,"value":0},{"time":0,"value":0}]"#, "points[1].time: expected no time before the last point's, found 0.0"),
        (#""points":[{"time":0,"value":0}],"value":1"#, "value: expected either value or points, found both"),
        (#""value":-1"#, "value: expected a number from 0 to 1, found -1"),
    ])
    func `a control that makes no sense is refused`(shape: String, fault: String) {
        let text = #"{"events":[],"controls":[{"parameter":"intensity","time":0,\#(shape)}]}"#
        #expect { try JSONDecoder().decode(HapticPattern.self, from: Data(text.utf8)) } throws: { "\($0)" == "controls[0]." + fault }
    }

    @Test func `the unlock chime is E5 then B5, ascending`() throws {
        let unlock = try #require(Theme.standard.chimes["unlock"])
        #expect(unlock.notes.map(\.frequency) == [Hertz(659.2551), Hertz(987.7666)])
        #expect(unlock.notes[0].start < unlock.notes[1].start)
        #expect(Theme.standard.chimes["ding"]?.notes.count == 1)
    }

    @Test func `every built-in haptic pattern is there`() {
        #expect(Theme.standard.haptics.keys.sorted() == ["band-drop", "bypass", "nightly", "shield-back", "streak", "surprise", "swipe", "terminal", "touch-down", "touch-up", "unlock", "welcome"])
    }

    @Test(arguments: [
        (#""ceiling":-1"#, #""ceiling":3"#, "ceiling", "a number from -60 to 0 (dBFS)", "3"),
        (#""ceiling":-1"#, #""ceiling":"loud""#, "ceiling", "a number from -60 to 0 (dBFS)", "\"loud\""),
        (#""frequency":659.2551"#, #""frequency":5"#, "chimes.unlock[0].frequency", "a number from 20 to 20000 (Hz)", "5"),
        (#""ratio":2.756"#, #""ratio":null"#, "partials[1].ratio", "a number from 0.1 to 32", "null"),
        (#""views":500"#, #""views":1.5"#, "toneCurve.views", "a whole number from 1 to 1000000", "1.5"),
        (#""views":500"#, #""views":500,"speed":1"#, "toneCurve.speed", "only start, cap, quietest, loudest, views", "this field"),
        (#""sharpness":0.5"#, #""sharpness":1.5"#, "sharpness", "a number from 0 to 1", "1.5"),
    ])
    func `what is wrong is named by its whole path`(good: String, bad: String, field: String, expected: String,
                                                    found: String) throws {
        let text = try encoded(.standard).replacingOccurrences(of: good, with: bad)
        let fault = try #require(throws: Fault.self) { try JSONDecoder().decode(Theme.self, from: Data(text.utf8)) }
        #expect(fault.field.hasSuffix(field))
        #expect(fault.expected == expected)
        #expect(fault.found == found)
    }
}
