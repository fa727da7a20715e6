import Foundation
import PatternFile
import Signals
import SystemPackage
import TestSupport
import Testing
import ThemeFile
import Units

private func read(_ text: String, as path: FilePath = "mine.yaml") throws -> Theme {
    try ThemeFile(Array(text.utf8), path: path) { try PatternFile.read($0).pattern }.theme
}

/// Reads a theme, and returns the words of the fault; empty if it is good.
private func words(_ text: String, as path: FilePath = "mine.yaml") -> String {
    do {
        _ = try read(text, as: path)
        return ""
    } catch {
        return "\(error)"
    }
}

@Suite struct ThemeFileTests {
    @Test(arguments: ["", "# nothing\n", "---\n", "\u{FEFF}# from another editor\n"])
    func `a file of nothing is the standard theme by the file's name`(text: String) throws {
        var expected = Theme.standard
        expected.name = "mine"
        #expect(try read(text) == expected)
    }

    @Test func `what is left out is as in the standard theme, and chimes and patterns are added by name`() throws {
        let theme = try read("""
            ceiling: -6
            toneCurve: {cap: 1000}
            chimes:
              dong: [{frequency: 100}]
              ding: [{frequency: 200, decay: 2, partials: [{ratio: 1}]}]
            haptics:
              nudge: [{}, {time: 0.5, duration: 1, intensity: 0.2}]
            """)
        #expect(theme.ceiling == Decibels(-6) && theme.toneFade == Theme.standard.toneFade)
        #expect(theme.toneCurve == ToneCurve(start: Hertz(240), cap: Hertz(1000), quietest: Decibels(-60), loudest: Decibels(-6), views: 500))
        #expect(theme.chimes.keys.sorted() == (Theme.standard.chimes.keys + ["dong"]).sorted() && theme.chimes["unlock"] == Theme.standard.chimes["unlock"])
        #expect(theme.chimes["ding"]?.notes == [
            ChimeNote(start: .zero, frequency: Hertz(200), level: Decibels(-16), attack: .milliseconds(3), decay: Seconds(2),
                      partials: [Partial(ratio: 1, level: Decibels(0))]),
        ])
        #expect(theme.chimes["dong"]?.notes.first?.partials.map(\.ratio) == [1, 2.756, 5.404])
        #expect(theme.haptics["nudge"] == HapticPattern(events: [
            HapticEvent(time: .zero, kind: .transient, intensity: 1, sharpness: 0.5),
            HapticEvent(time: Seconds(0.5), kind: .continuous(duration: Seconds(1)), intensity: 0.2, sharpness: 0.5),
        ]))
        #expect(theme.haptics["swipe"] == Theme.standard.haptics["swipe"])
    }

    /// The frequencies are from a table of equal temperament on A4 = 440 Hz, to 0.01 Hz (https://pages.mtu.edu/~suits/notefreqs.html).
    @Test(arguments: [("A4", 440), ("C4", 261.63), ("B4", 493.88), ("C5", 523.25), ("C#5", 554.37), ("Db5", 554.37), ("Bb3", 233.08),
                      ("E2", 82.41), ("Cb4", 246.94), ("B8", 7902.13)] as [(String, Double)])
    func `a frequency may be a note's name`(name: String, hertz: Double) throws {
        let note = try #require(try read("chimes: {ding: [{frequency: \(name), glide: {to: \(name), time: 1}}]}").chimes["ding"]?.notes.first)
        #expect(abs(note.frequency.rawValue - hertz) <= 0.005 && note.glide?.to == note.frequency)
    }

    @Test func `the tone's ends may be notes, and what is no note is refused where it stands`() throws {
        let curve = try read("toneCurve: {start: A3, cap: A5}").toneCurve
        #expect(curve.start == Hertz(220) && curve.cap == Hertz(880))
        for wrong in ["H4", "A", "A#b4", "a4", "A11", "A04", "A4.5"] {
            let found = words("chimes:\n  ding:\n    - {frequency: C4}\n    - {frequency: \(wrong)}\n")
            #expect(found.contains("chimes.ding[1].frequency") && found.contains("a note such as A4") && found.contains(wrong), "\(found)")
        }
        #expect(words("toneCurve:\n  cap: high\n").contains("toneCurve.cap"))
        #expect(words("chimes: {ding: [{frequency: D0}]}").contains("18.35"), "20 Hz is the lowest, by name as by number")
    }

    @Test func `a texture has a soft purr's values where it says nothing, and only the parts that it names`() throws {
        let theme = try read("""
            textures:
              hum: {level: -40, noise: {high: 900}, pulse: {rate: 3}, breath: {period: 2}, voice: {frequency: 100}, touch: {intensity: 1}}
              plain: {}
              purr-weak: none
            """)
        #expect(theme.textures["hum"] == Texture(
            level: Decibels(-40), noise: Texture.Band(low: Hertz(120), high: Hertz(900)), pulse: Texture.Pulse(rate: Hertz(3), depth: 1),
            breath: Texture.Breath(period: Seconds(2), depth: 0.5), voice: Texture.Voice(frequency: Hertz(100), level: Decibels(-18)),
            touch: Texture.Feel(intensity: 1, sharpness: 0.3), attack: Seconds(0.3), release: Seconds(0.3)))
        #expect(theme.textures["plain"] == Texture(level: Decibels(-26), noise: Texture.Band(low: Hertz(120), high: Hertz(400))))
        #expect(theme.textures["purr-weak"] == nil && theme.textures["purr-tired"] == Theme.standard.textures["purr-tired"])
        #expect(try read(try theme.yaml()) == theme)
    }

    @Test func `a whole theme is written with notes by name where that is the same, and with what most have in common once`() throws {
        let theme = try read("""
            chimes:
              ding: [{frequency: A4, decay: 0.5}, {start: 1, frequency: 441, glide: {to: C5, time: 1}}]
            """)
        let text = try theme.yaml()
        #expect(try read(text) == theme)
        #expect(text.contains("    - {frequency: A4, decay: 0.5}\n"))
        #expect(text.contains("frequency: 441, decay: 1.2, glide: {to: C5, time: 1}"))
        // The standard theme's notes are bells, but for a few.
        #expect(text.components(separatedBy: "instrument:").count == 2)
    }

    @Test func `a theme that is written from a file keeps the file's instrument, where all other notes say that they differ`() throws {
        let source = try ThemeFile(Array("""
            instrument: {decay: 0.75, partials: [{ratio: 1}, {ratio: 4, level: -12}]}
            chimes:
              ding: [{frequency: A4}, {start: 1, frequency: A5, decay: 0.5}]
            toneCurve: {start: A3, cap: 4000}
            """.utf8), path: "mine.yaml") { try PatternFile.read($0).pattern }
        let text = try source.theme.yaml(from: source)
        #expect(try read(text) == source.theme)
        #expect(text.contains("  decay: 0.75\n  partials:\n    - {ratio: 1, level: 0}\n    - {ratio: 4, level: -12}\n"), "\(text)")
        #expect(text.contains("    - {frequency: A4}\n    - {start: 1, frequency: A5, decay: 0.5}\n"))
        #expect(text.contains("  start: A3\n") && text.contains("  cap: 4000\n"))
    }

    @Test func `the tone may be made of partials, which are as loud as it where they do not say otherwise`() throws {
        let theme = try read("tonePartials: [{ratio: 1}, {ratio: 3, level: -12.5}]")
        #expect(theme.tonePartials == [TonePartial(ratio: 1, level: Decibels(0)), TonePartial(ratio: 3, level: Decibels(-12.5))])
        #expect(try theme.yaml().contains("  - {ratio: 3, level: -12.5}\n") && read(try theme.yaml()) == theme)
        let plain = try read("tonePartials: [{ratio: 1}]")
        #expect(plain.tonePartials == Theme.standard.tonePartials)
        #expect(try !plain.yaml().contains("tonePartials"))
    }

    @Test func `the tone's course may go through points, whose frequencies may be notes`() throws {
        let theme = try read("""
            toneCurve:
              points:
                - {views: 0, frequency: A3, level: -50}
                - {views: 40, frequency: 441, level: -30}
                - {views: 300, frequency: E4, level: -12}
            """)
        #expect(theme.toneCurve.points.map(\.views) == [0, 40, 300] && theme.toneCurve.points.map(\.level.rawValue) == [-50, -30, -12])
        #expect(theme.toneCurve.points[0].frequency == Hertz(220) && abs(theme.toneCurve.points[2].frequency.rawValue - 329.63) < 0.005)
        let text = try theme.yaml()
        #expect(try read(text) == theme)
        #expect(text.contains("  points:\n    - {views: 0, frequency: A3, level: -50}\n    - {views: 40, frequency: 441, level: -30}\n"))
    }

    @Test func `an instrument is what notes have that do not say otherwise`() throws {
        let theme = try read("""
            instrument: {level: -30, decay: 0.5, partials: [{ratio: 1}, {ratio: 4, level: -12}]}
            chimes:
              ding: [{frequency: 200}, {start: 1, frequency: 300, level: -20, partials: [{ratio: 2}]}]
            """)
        let notes = try #require(theme.chimes["ding"]?.notes)
        #expect(notes.map(\.level) == [Decibels(-30), Decibels(-20)] && notes.map(\.decay) == [Seconds(0.5), Seconds(0.5)])
        #expect(notes[0].partials == [Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 4, level: Decibels(-12))])
        #expect(notes[1].partials == [Partial(ratio: 2, level: Decibels(0))])
        #expect(theme.chimes["unlock"] == Theme.standard.chimes["unlock"])
    }

    @Test func `a texture's voice may be a note by its name, and a fault in a chime is none of its instrument`() throws {
        let theme = try read("textures:\n  purr-healthy: {voice: {frequency: A3}}\n")
        // ISO 16: A4 is 440 Hz.
        #expect(theme.textures["purr-healthy"]?.voice?.frequency == Hertz(220))
        #expect(words("\ninstrument: {level: -30}\nchimes:\n  ding: [{frequency: 5}]\n")
            == "mine.yaml:4: chimes.ding[0].frequency: expected a number from 20 to 20000 (Hz), found 5")
    }

    @Test func `none takes a chime or a pattern away`() throws {
        let theme = try read("chimes: {ding: none}\nhaptics: {swipe: none, touch-up: none}\n")
        #expect(Set(theme.chimes.keys) == Set(Theme.standard.chimes.keys).subtracting(["ding"]))
        #expect(Set(theme.haptics.keys) == Set(Theme.standard.haptics.keys).subtracting(["swipe", "touch-up"]))
    }

    @Test func `a pattern may be an AHAP file, and sounds are found beside the theme`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"HapticTransient","EventParameters":[{"ParameterID":"HapticIntensity","ParameterValue":0.25}]}}]}"#,
                              to: "storm.ahap")
        _ = try scratch.write("", to: "knock.wav")
        let path = try scratch.write("haptics:\n  swipe: {ahap: storm.ahap}\n  knock: {sounds: [{file: knock.wav}]}\n", to: "mine.yaml")
        let theme = try ThemeFile(FilePath(path)) { try PatternFile.read($0).pattern }.theme
        #expect(theme.haptics["swipe"]?.events.map(\.intensity) == [0.25])
        #expect(theme.haptics["knock"]?.sounds.map(\.source) == [.file(scratch.file("knock.wav"))])
        _ = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":"soon"}}]}"#, to: "storm.ahap")
        #expect(words("\nhaptics:\n  swipe: {ahap: storm.ahap}\n", as: FilePath(path))
            == #"\#(path):3: haptics.swipe.ahap: Pattern[0].Event.Time: expected a number, found "soon""#)
        #expect(words("haptics:\n  swipe: {ahap: none.ahap}\n", as: FilePath(path))
            == #"\#(path):2: haptics.swipe.ahap: expected an AHAP file that can be read, found "none.ahap": No such file or directory"#)
        #expect(words("haptics:\n  swipe: {sounds: [{file: none.wav}]}\n", as: FilePath(path))
            == #"\#(path):2: haptics.swipe.sounds[0].file: expected a sound file that can be read, found "none.wav""#)
    }

    @Test(arguments: [
        ("ceiling: 5\n", "1: ceiling: expected a number from -60 to 0 (dBFS), found 5"),
        ("\n\nceilin: -5\n",
         "3: ceilin: expected only name, ceiling, toneFade, tonePartials, toneCurve, instrument, chimes, textures, haptics, found this field (did you mean ceiling?)"),
        ("colour: 5\n", "1: colour: expected only name, ceiling, toneFade, tonePartials, toneCurve, instrument, chimes, textures, haptics, found this field"),
        ("toneCurve:\n  strat: 300\n", "2: toneCurve.strat: expected only start, cap, quietest, loudest, views, points, found this field (did you mean start?)"),
        ("tonePartials: [{ratio: 1.5}]\n", "1: tonePartials[0].ratio: expected a whole number from 1 to 32, found \"1.5\""),
        ("tonePartials:\n  - {ratio: 1}\n  - {ratio: 2, level: 3}\n", "3: tonePartials[1].level: expected a number from -120 to 0 (dB), found 3"),
        ("tonePartials: [{ratio: 1, gain: 3}]\n", "1: tonePartials[0].gain: expected only ratio, level, found this field"),
        ("tonePartials: []\n", "1: tonePartials: expected 1 to 8 partials, found 0"),
        ("tonePartials: [{ratio: 1}, {ratio: 2}, {ratio: 3}, {ratio: 4}, {ratio: 5}, {ratio: 6}, {ratio: 7}, {ratio: 8}, {ratio: 9}]\n",
         "1: tonePartials: expected 1 to 8 partials, found 9"),
        ("tonePartials: 3\n", "1: tonePartials: expected a list of partials, found \"3\""),
        ("toneCurve:\n  cap: 900\n  points: [{views: 0, frequency: 90, level: -9}, {views: 1, frequency: 90, level: -9}]\n",
         "2: toneCurve.cap: expected either cap or points, found both"),
        ("toneCurve:\n  points:\n    - {views: 0, frequency: A3, level: -9}\n    - {views: 9, frequency: H3, level: -9}\n",
         "4: toneCurve.points[1].frequency: expected a number of hertz, or a note such as A4, C#5 or Bb3, found \"H3\""),
        ("toneCurve:\n  points:\n    - {views: 0, frequency: A3, level: -9}\n    - {views: 9, frequency: A3, level: -9}\n"
            + "    - {views: 9, frequency: A3, level: -9}\n", "5: toneCurve.points[2].views: expected more than the last point's 9, found 9"),
        ("toneCurve:\n  points: [{views: 0, frequency: A3}, {views: 9, frequency: A3, level: -9}]\n",
         "2: toneCurve.points[0].level: expected a number from -120 to 0 (dBFS), found nothing"),
        ("toneCurve:\n  points: 3\n", "2: toneCurve.points: expected a list of points, found \"3\""),
        ("toneCurve:\n  start: 500\n  cap: 100\n", "3: toneCurve.cap: expected a number from 500 to 5000 (Hz), found 100"),
        ("chimes:\n  ding:\n    - frequency: 880\n    - frequency: 88000\n", "4: chimes.ding[1].frequency: expected a number from 20 to 20000 (Hz), found 88000"),
        ("chimes:\n  ding:\n    - level: -3\n", "3: chimes.ding[0].frequency: expected a number from 20 to 20000 (Hz), found nothing"),
        ("chimes:\n  ding:\n    frequency: 880\n", "2: chimes.ding: expected a list of notes, or none, found a mapping"),
        ("chimes:\n  ding:\n", "2: chimes.ding: expected a list of notes, or none, found nothing"),
        ("chimes:\n  dong: none\n", #"2: chimes.dong: expected one of award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome to take away, found "dong" (did you mean ding?)"#),
        // Names with dots in them.
        ("chimes:\n  a:\n    - frequency: 1\n  a.b: [{frequency: 90}]\n", "3: chimes.a[0].frequency: expected a number from 20 to 20000 (Hz), found 1"),
        ("chimes:\n  a: [{frequency: 90}]\n  a.b:\n    - frequency: 1\n", "4: chimes.a.b[0].frequency: expected a number from 20 to 20000 (Hz), found 1"),
        ("\ninstrument: {level: 3}\nchimes:\n  ding: [{frequency: 90}]\n", "2: instrument.level: expected a number from -120 to 0 (dBFS), found 3"),
        ("instrument: {levl: 3}\nchimes:\n  ding: [{frequency: 90}]\n", "1: instrument.levl: expected only level, attack, decay, partials, found this field (did you mean level?)"),
        ("instrument: {level: -3}\n", "1: instrument: expected chimes of this file to be played on it, found none"),
        ("haptics:\n  a:\n    - {}\n    - time: -1\n", "4: haptics.a[1].time: expected a number from 0 to 60 (seconds), found -1"),
        ("haptics:\n  a: {ahap: a.ahap, events: []}\n", "2: haptics.a: expected only ahap, or no ahap, found more"),
        ("textures:\n  a: {noise: {low: 300, high: 400}}\n", "2: textures.a.noise.high: expected a number from 450 to 2000 (Hz), found 400"),
        ("textures:\n  a:\n    pulse: {depth: 1}\n", "3: textures.a.pulse.rate: expected a number from 1 to 100 (Hz), found nothing"),
        ("textures:\n  a: [1]\n", "2: textures.a: expected a mapping, or none, found a list"),
        ("textures:\n  a: none\n",
         "2: textures.a: expected one of pant-healthy, pant-sick, purr-concerned, purr-healthy, purr-sick, purr-tired, purr-weak to take away, found \"a\""),
        ("name: two words\n", #"1: name: expected 1 to 64 letters, digits, ., _ and -, the first a letter or digit, found "two words""#),
        ("- 1\n", "1: expected key: value, with a space after each colon, found a list"),
        ("chimes:\n  ding: [{frequency: 90, <<: {level: -3}}]\n", #"2: chimes.ding[0].<<: expected the name of a field, found "<<""#),
        ("? [a]\n: 5\n", "1: expected keys that are text, found a list or mapping for one"),
        ("ceiling: -3\nchimes: [1,\nb: 2\n", "4:1: expected a comma or a ] (libyaml: did not find expected ',' or ']' while parsing a flow sequence from line 2)"),
        ("\nceiling: -3\nceiling: -4\n", "2:1: expected each key once, found ceiling again further down"),
        ("ceiling: −12\n", "1: ceiling: expected a number from -60 to 0 (dBFS), found \"−12\" with a typographic minus, where - is expected"),
        ("toneFade: 0,5\n", "1: toneFade: expected a number from 0.001 to 1 (seconds), found \"0,5\" with a comma, where a decimal point is expected"),
        ("toneCurve:\n  views: 1,000\n",
         "2: toneCurve.views: expected a whole number from 1 to 1000000, found \"1,000\" with a comma, where only digits are expected"),
    ])
    func `what is wrong is told with its line`(text: String, expected: String) {
        #expect(words(text) == "mine.yaml:" + expected)
    }

    @Test func `all that is wrong is told at once, in the order of lines`() {
        let text = """
            ceiling: 5
            tonefade: 1
            toneCurve: {start: 5, cap: 9000}
            chimes:
              ding:
                - {frequency: 5}
                - {frequency: 440, level: -3}
                - {frequency: 6, level: 7}
                - {level: -3}
              dong: 7
            haptics:
              a: [{time: -1}, {intensity: 2, sharpnes: 0.5}]
            """
        #expect(words(text).split(separator: "\n") == [
            "mine.yaml:1: ceiling: expected a number from -60 to 0 (dBFS), found 5",
            "mine.yaml:2: tonefade: expected only name, ceiling, toneFade, tonePartials, toneCurve, instrument, chimes, textures, haptics, found this field (did you mean toneFade?)",
            // From the start, which is the usual one where it is not given.
            "mine.yaml:3: toneCurve.cap: expected a number from 240 to 5000 (Hz), found 9000",
            "mine.yaml:3: toneCurve.start: expected a number from 20 to 5000 (Hz), found 5",
            "mine.yaml:6: chimes.ding[0].frequency: expected a number from 20 to 20000 (Hz), found 5",
            "mine.yaml:8: chimes.ding[2].frequency: expected a number from 20 to 20000 (Hz), found 6",
            "mine.yaml:8: chimes.ding[2].level: expected a number from -120 to 0 (dBFS), found 7",
            "mine.yaml:9: chimes.ding[3].frequency: expected a number from 20 to 20000 (Hz), found nothing",
            #"mine.yaml:10: chimes.dong: expected a list of notes, or none, found "7""#,
            "mine.yaml:12: haptics.a[0].time: expected a number from 0 to 60 (seconds), found -1",
            "mine.yaml:12: haptics.a[1].intensity: expected a number from 0 to 1, found 2",
            "mine.yaml:12: haptics.a[1].sharpnes: expected only time, duration, intensity, sharpness, attack, decay, release, sustained, found this field (did you mean sharpness?)",
        ])
    }

    @Test(arguments: [
        // Without its file a sound would need a duration; without points a control would need a value.
        ("haptics:\n  a: {sounds: [{file: none.wav}]}\n", "2: haptics.a.sounds[0].file: expected a sound file that can be read, found \"none.wav\""),
        ("haptics:\n  a: {controls: [{parameter: volume, points: []}]}\n", "2: haptics.a.controls[0].points: expected 1 to 2000 points, found 0"),
        ("haptics:\n  a: {controls: [{parameter: volume, points: [{time: 1, value: 1}, {time: 0, value: 1}]}]}\n",
         "2: haptics.a.controls[0].points[1].time: expected no time before the last point's, found 0.0"),
        ("chimes:\n  ding: []\n", "2: chimes.ding: expected 1 to 16 notes, found 0"),
        ("chimes:\n  ding:\n    - 7\n", "3: chimes.ding[0]: expected a mapping of keys to values"),
    ])
    func `what is wrong only because something else is, is not told`(text: String, expected: String) {
        #expect(words(text) == "mine.yaml:" + expected)
    }

    @Test func `of a large file with many faults some are told, soon`() {
        let lines = words("chimes:\n" + (1...200).map { "  c\($0): [" + repeatElement("{frequency: 1}", count: 16).joined(separator: ", ") + "]\n" }.joined())
            .split(separator: "\n")
        #expect((1...100).contains(lines.count) && lines.allSatisfy { $0.hasSuffix("frequency: expected a number from 20 to 20000 (Hz), found 1") })
    }

    @Test func `a file's name that is no theme's is told`() {
        #expect(words("ceiling: -3\n", as: "my theme.yaml")
            == #"my theme.yaml: expected a file called by 1 to 64 letters, digits, ., _ and -, the first a letter or digit, found "my theme""#)
        #expect(words("name: mine\n", as: "my theme.yaml") == "")
    }

    @Test func `what would never end is refused at once`() {
        // Each line nine times the last: 9^9 values.
        let bomb = "a0: &a0 x\n" + (1...9).map { "a\($0): &a\($0) [" + repeatElement("*a\($0 - 1)", count: 9).joined(separator: ", ") + "]\n" }.joined()
        #expect(words(bomb) == "mine.yaml:2: expected no aliases, found *a0")
        // The same as a key, which the parser itself would compare.
        #expect(words(bomb + "? *a9\n: 1\n").contains("expected no aliases"))
        #expect(words("chimes: " + String(repeating: "[", count: 100_000)).contains("expected YAML (libyaml: Maximum nesting level reached"))
        #expect(words("chimes: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900)) != "")
        #expect(words("haptics:\n  a: [" + String(repeating: "{},", count: 300_000) + "]\n").contains("at most 20000 values in all"))
        #expect(words("chimes:\n" + (0...256).map { "  c\($0): 1\n" }.joined()) == "mine.yaml:2: chimes: expected at most 256 keys, found 257")
        #expect(words("#" + String(repeating: "x", count: 1 << 20)) == "mine.yaml: expected at most 1 MiB")
        // A star and an ampersand in words are none.
        #expect(words("# loud *and* clear, R&D\nceiling: -3\n") == "")
    }

    @Test func `a theme written as YAML reads back as itself`() throws {
        var theme = Theme.standard
        theme.name = "1_000"
        theme.chimes["ding"] = nil
        for name in ["null", "5", "-", "a \"b\"\n: #é\\", "true"] { theme.chimes[name] = Theme.standard.chimes["unlock"] }
        theme.haptics["touch-up"] = nil
        theme.haptics["empty"] = HapticPattern(events: [])
        theme.haptics["all"] = HapticPattern(
            events: [HapticEvent(time: .zero, kind: .continuous(duration: Seconds(1)), intensity: 1, sharpness: 1e-9,
                                 envelope: HapticEnvelope(attack: 0.1, isSustained: false))],
            controls: [HapticControl(.sharpness, time: .zero, shape: .curve([.init(time: .zero, value: -1)]))],
            sounds: [PatternSound(time: .zero, source: .tone(duration: .milliseconds(30)))])
        #expect(try read(theme.yaml()) == theme)
    }
}
