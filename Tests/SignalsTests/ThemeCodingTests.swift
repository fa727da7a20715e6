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

    /// The cat's states: rate, depth, breath, level and what else they have; its voice's pitches, how long they last, and how loud they are.
    @Test func `the cat's purrs and mews are those of its states`() throws {
        func purr(_ name: String) throws -> Texture { try #require(Theme.standard.textures["purr-" + name]) }
        let (healthy, concerned, tired, weak) = (try purr("healthy"), try purr("concerned"), try purr("tired"), try purr("weak"))
        #expect(healthy.pulse == .init(rate: Hertz(26), inhaled: Hertz(24), depth: 0.8) && healthy.breath?.period == Seconds(3))
        #expect(concerned.pulse == .init(rate: Hertz(27), inhaled: Hertz(25), depth: 0.6, jitter: 0.05))
        #expect(concerned.voice == .init(frequency: Hertz(450), level: Decibels(-18)))
        #expect(tired.pulse == .init(rate: Hertz(23), inhaled: Hertz(21), depth: 0.5) && tired.breath?.period == Seconds(5))
        #expect(weak.pulse == .init(rate: Hertz(21), inhaled: Hertz(19), depth: 0.3, gaps: 0.4))
        #expect([healthy, concerned, tired, weak].map { $0.level.rawValue - healthy.level.rawValue } == [0, 0, -6, -10])
        #expect([healthy, concerned, tired, weak].allSatisfy { $0.noise == .init(low: Hertz(120), high: Hertz(400)) })
        func mew(_ name: String) throws -> [ChimeNote] { try #require(Theme.standard.chimes["mew-" + name]).notes }
        let table: [(name: String, hertz: [Double], seconds: Double, level: Double)] = [
            ("healthy", [262, 330, 392], 0.12, 0), ("concerned", [262, 262], 0.12, 0), ("tired", [196, 165], 0.25, -6),
            ("weak", [147], 0.5, -10), ("dead", [147], 2, 0),
        ]
        for row in table {
            let notes = try mew(row.name)
            #expect(notes.map { $0.frequency.rawValue.rounded() } == row.hertz)
            #expect(notes.allSatisfy { $0.decay.rawValue == row.seconds && $0.level.rawValue == row.level - 20 })
            let starts = notes.map { $0.start.rawValue }
            #expect(zip(starts, starts.dropFirst()).allSatisfy { abs($1 - $0 - row.seconds) < 1e-9 })
        }
        #expect(try mew("weak").first?.partials.map(\.ratio) == [1, 2.06, 3.09])
        #expect(try mew("dead").first?.glide == .init(to: Hertz(125), time: Seconds(2)))
        // When the purr has faded.
        #expect(try mew("dead").first?.start == weak.release)
    }

    @Test func `a glide is written and read, and no other note has one`() throws {
        let note = try #require(Theme.standard.chimes["mew-dead"]?.notes.first)
        let text = String(decoding: try JSONEncoder().encode(note), as: UTF8.self)
        #expect(text.contains(#""glide":{"#))
        #expect(try JSONDecoder().decode(ChimeNote.self, from: Data(text.utf8)) == note)
        let plain = try #require(Theme.standard.chimes["ding"]?.notes.first)
        #expect(!String(decoding: try JSONEncoder().encode(plain), as: UTF8.self).contains("glide"))
    }

    /// The headers of old journals have no such field, and theirs must stay the same bytes.
    @Test func `the tone's partials are written only where it is not the sine`() throws {
        #expect(try !encoded(.standard).contains("tonePartials"))
        var theme = Theme.standard
        theme.tonePartials = [TonePartial(ratio: 1, level: Decibels(-3)), TonePartial(ratio: 32, level: Decibels(-120))]
        let text = try encoded(theme)
        #expect(text.contains(#""tonePartials":[{"level":-3,"ratio":1},{"level":-120,"ratio":32}]"#))
        #expect(try JSONDecoder().decode(Theme.self, from: Data(text.utf8)) == theme)
    }

    /// Its JSON, with its fields in alphabetical order.
    private func written(_ curve: ToneCurve) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(curve), as: UTF8.self)
    }

    @Test func `a curve is written as points only where it is not one way up`() throws {
        let straight = #"{"cap":5000,"loudest":-6,"quietest":-60,"start":240,"views":500}"#
        #expect(try written(.standard) == straight)
        let same = #"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":5000,"level":-6,"views":500}]}"#
        #expect(try JSONDecoder().decode(ToneCurve.self, from: Data(same.utf8)) == .standard)
        for text in [
            #"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":5000,"level":-61,"views":500}]}"#,
            #"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":20,"level":0,"views":1}]}"#,
            #"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":300,"level":-40,"views":1},{"frequency":400,"level":-30,"views":1000000}]}"#,
        ] {
            #expect(try written(try JSONDecoder().decode(ToneCurve.self, from: Data(text.utf8))) == text)
        }
    }

    @Test(arguments: [
        (#"{"points":[]}"#, "points: expected 2 to 32 points, found 0"),
        (#"{"points":[{"frequency":240,"level":-60,"views":0}]}"#, "points: expected 2 to 32 points, found 1"),
        (#"{"points":[{"frequency":240,"level":-60,"views":1},{"frequency":240,"level":-60,"views":2}]}"#,
         "points[0].views: expected 0, because the tone begins there, found 1"),
        (#"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":240,"level":-60,"views":0}]}"#,
         "points[1].views: expected more than the last point's 0, found 0"),
        (#"{"points":[{"frequency":240,"level":-60,"views":0},{"frequency":240,"level":-60,"views":1000001}]}"#,
         "points[1].views: expected a whole number from 0 to 1000000, found 1000001"),
        (#"{"points":[{"frequency":5001,"level":-60,"views":0}]}"#, "points[0].frequency: expected a number from 20 to 5000 (Hz), found 5001"),
        (#"{"points":[{"frequency":240,"level":1,"views":0}]}"#, "points[0].level: expected a number from -120 to 0 (dBFS), found 1"),
        (#"{"points":[{"frequency":240,"views":0}]}"#, "points[0].level: expected a number from -120 to 0 (dBFS), found nothing"),
        (#"{"points":[{"frequency":240,"level":1,"views":0,"cap":3}]}"#, "points[0].cap: expected only views, frequency, level, found this field"),
        (#"{"points":[],"views":5}"#, "views: expected either views or points, found both"),
    ])
    func `points that make no course are refused`(text: String, fault: String) {
        #expect { try JSONDecoder().decode(ToneCurve.self, from: Data(text.utf8)) } throws: { "\($0)" == fault }
    }

    @Test func `every built-in haptic pattern is there`() {
        #expect(Theme.standard.haptics.keys.sorted() == ["award", "band-drop", "bypass", "cure", "death", "eating", "explore-edge", "growth", "memorial", "nightly", "purchase", "restart", "revive", "shield-back", "streak", "surprise", "swipe", "terminal", "touch-down", "touch-up", "unlock", "welcome"])
    }

    @Test(arguments: [
        (#""ceiling":-1"#, #""ceiling":3"#, "ceiling", "a number from -60 to 0 (dBFS)", "3"),
        (#""ceiling":-1"#, #""ceiling":"loud""#, "ceiling", "a number from -60 to 0 (dBFS)", "\"loud\""),
        (#""frequency":987.7666"#, #""frequency":5"#, "chimes.unlock[1].frequency", "a number from 20 to 20000 (Hz)", "5"),
        (#""ratio":2.756"#, #""ratio":null"#, "partials[1].ratio", "a number from 0.1 to 32", "null"),
        (#""toneFade":0.005"#, #""toneFade":0.005,"tonePartials":[{"ratio":1},{"ratio":0}]"#, "tonePartials[1].ratio",
         "a whole number from 1 to 32", "0"),
        (#""toneFade":0.005"#, #""toneFade":0.005,"tonePartials":[]"#, "tonePartials", "1 to 8 partials", "0"),
        (#""views":500"#, #""views":1.5"#, "toneCurve.views", "a whole number from 1 to 1000000", "1.5"),
        (#""views":500"#, #""views":500,"speed":1"#, "toneCurve.speed", "only start, cap, quietest, loudest, views, points", "this field"),
        (#""views":500"#, #""views":500,"points":[]"#, "toneCurve.start", "either start or points", "both"),
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
