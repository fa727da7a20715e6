import Foundation
import Testing
import TestSupport

private let wave = repository + "/Tests/Fixtures/haptics/wave.ahap"

@Suite struct HapticCommandTests {
    @Test(arguments: ["touch-down", "touch-up", "swipe", "unlock", "surprise"])
    func `every built-in pattern is told, drawn and rendered`(name: String) throws {
        let scratch = try Scratch()
        #expect(try thrum("haptic", name).text.hasPrefix(name + "\n  0.000 s  tap "))
        let finished = try thrum("haptic", name, "--picture", scratch.file("p.svg"), "--wav", scratch.file("p.wav"))
        #expect(finished.status == 0 && finished.errors.isEmpty)
        let svg = try String(contentsOfFile: scratch.file("p.svg"), encoding: .utf8)
        #expect(svg.hasPrefix("<svg") && svg.contains("<polygon") && svg.contains("sharpness"))
        let samples = floats(try WaveFile(path: scratch.file("p.wav")).data)
        let peak = samples.map(\.magnitude).max() ?? 0
        #expect(peak > 0.1 && peak <= 1)
        // It ends in silence, but for the last step of a release of 5 ms.
        #expect((samples.last?.magnitude ?? 1) <= 1.0 / 240)
    }

    @Test func `a picture is of the format that its name asks for`() throws {
        let scratch = try Scratch()
        #expect(try thrum("haptic", "unlock", "--picture", scratch.file("p.png")).status == 0)
        // The first eight bytes of any PNG (PNG specification, 5.2).
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.file("p.png"))).prefix(8)
        #expect(Array(bytes) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(try thrum("haptic", "unlock", "--picture", scratch.file("p.jpg")).status == 64)
    }

    @Test func `a pattern may be a theme's, whose file is not written over`() throws {
        let scratch = try Scratch()
        let mine = try scratch.write("haptics:\n  unlock: [{duration: 0.4, intensity: 0.7}]\n  knock: [{intensity: 1}]\n", to: "mine.yaml")
        let told = try thrum("haptic", "--theme", mine, "unlock")
        #expect(told.text.hasPrefix("unlock\n  0.000 s  buzz  ") && told.text.contains("intensity 0.70"), "\(told.text)")
        #expect(try thrum("haptic", "--theme", mine, "knock", "--picture", scratch.file("knock.svg")).status == 0)
        let unknown = try thrum("haptic", "--theme", mine, "knok")
        #expect(unknown.status == 64 && unknown.errors.contains("one of the patterns of mine: ") && unknown.errors.contains("(did you mean knock?)"),
                "\(unknown.errors)")
        #expect(try thrum("haptic", "--theme", mine, "knock", "--picture", mine + ".svg", "--wav", mine, "--force").status == 73)
    }

    @Test func `an AHAP file is rendered, and not written over`() throws {
        let scratch = try Scratch()
        #expect(try thrum("haptic", wave, "--wav", scratch.file("w.wav")).status == 0)
        let again = try thrum("haptic", wave, "--wav", scratch.file("w.wav"))
        #expect(again.status == 73 && again.errors.contains("--force replaces it"))
        let text = try String(contentsOfFile: wave, encoding: .utf8)
        let copy = try scratch.write(text, to: "copy.ahap")
        #expect(try thrum("haptic", copy, "--wav", copy, "--force").status == 73)
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
        #expect(try thrum("haptic", copy, "--wav", scratch.file("x"), "--picture", scratch.file("x")).status == 64)
    }

    @Test func `what is wrong is told with the file and the path in it`() throws {
        let scratch = try Scratch()
        let bad = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":true}}]}"#, to: "bad.ahap")
        let finished = try thrum("haptic", bad, "--wav", scratch.file("w.wav"))
        #expect(finished.status == 65)
        #expect(finished.errors == "thrum: \(bad): Pattern[0].Event.Time: expected a number, found true\n")
        #expect(try scratch.contents == ["bad.ahap"])
        let unknown = try thrum("haptic", "tickle")
        #expect(unknown.status == 66)
        #expect(unknown.errors == "thrum: tickle: expected one of award, band-drop, bypass, cure, death, eating, explore-edge, growth, memorial, nightly, purchase, restart, revive, shield-back, streak, surprise, swipe, terminal, touch-down, touch-up, unlock, welcome, or an AHAP file\n")
        let odd = try scratch.write(#"{"Pattern":[],"Smell":1}"#, to: "odd.ahap")
        #expect(try thrum("haptic", odd).errors == "thrum: \(odd): warning: passed over: Smell\n")
        #expect(try thrum("haptic", odd, "--picture", scratch.file("odd.svg")).status == 0)
    }

    @Test func `a pattern of a folder is played, and heard again when its session is rendered`() async throws {
        let scratch = try Scratch()
        #expect(try thrum("haptic", "swipe", "--wav", scratch.file("knock.wav")).status == 0)
        let ahap = try scratch.write(#"""
            {"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient"}},
                        {"Event":{"Time":0.01,"EventType":"AudioCustom","EventWaveformPath":"./knock.wav","EventParameters":[
                          {"ParameterID":"AudioVolume","ParameterValue":0.5}]}}]}
            """#, to: "knock.ahap")
        // A continuous event without a duration is of none, and its journal can be read all the same.
        _ = try scratch.write(#"{"Odd":1,"Pattern":[{"Event":{"EventType":"HapticContinuous"}}]}"#, to: "odd.ahap")
        let knock = try WaveFile(path: scratch.file("knock.wav")).samples
        #expect(try thrum("haptic", ahap, "--wav", scratch.file("both.wav")).status == 0)
        let both = try WaveFile(path: scratch.file("both.wav"))
        #expect(both.channels == 2)
        #expect((0..<knock.count).allSatisfy { both.samples[2 * (480 + $0)] == knock[$0] * 0.5 })

        let daemon = try await Daemon(["--output", "null", "--patterns", scratch.path])
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("haptic.play", #"{"name":"nothing"}"#).contains("one of award, band-drop, bypass, cure, death, eating, explore-edge, growth, knock, memorial, nightly, odd, purchase, restart, revive, shield-back, streak, surprise, swipe, terminal, touch-down, touch-up, unlock, welcome"))
        #expect(try client.call("haptic.play", #"{"name":"knock"}"#).contains(#""frame":0"#))
        #expect(try await daemon.plays(to: 480 + knock.count))
        #expect(try await eventually { daemon.process.errors.contains("odd.ahap: passed over: Odd") })
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        #expect(try thrum("render", journal, "-o", scratch.file("session.wav"), "--bits", "float").status == 0)
        let heard = try WaveFile(path: scratch.file("session.wav")).samples
        #expect((0..<knock.count).allSatisfy { heard[480 + $0] == knock[$0] * 0.5 })
        #expect(try thrum("haptic", "unlock", "--wav", scratch.file("knock.wav"), "--force").status == 0)
        let other = try thrum("render", journal, "-o", scratch.file("other.wav"), "--bits", "float")
        #expect(other.status == 0 && other.errors.contains("knock.wav is not the file that was played, and is not heard"), "\(other.errors)")
        #expect(try WaveFile(path: scratch.file("other.wav")).samples.allSatisfy { $0 == 0 })
        try FileManager.default.removeItem(atPath: scratch.file("knock.wav"))
        let silent = try thrum("render", journal, "-o", scratch.file("silent.wav"))
        #expect(silent.status == 0 && silent.errors.contains("knock.wav cannot be read, and is not heard"))
    }

    @Test func `a folder of patterns with a bad one is refused by its path`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"AudioCustom","EventWaveformPath":"none.wav"}}]}"#, to: "bad.ahap")
        let refused = try run(Programs.thrumd, ["--socket", scratch.file("s"), "--sessions", scratch.path, "--patterns", scratch.path])
        #expect(refused.status == 78)
        let points = repeatElement(#"{"Time":0.123456789,"ParameterValue":0.123456789}"#, count: 2_000).joined(separator: ",")
        for number in 1...20 {
            _ = try scratch.write(#"{"Pattern":[{"ParameterCurve":{"ParameterID":"HapticSharpnessControl","ParameterCurveControlPoints":[\#(points)]}}]}"#,
                                  to: "\(number).ahap")
        }
        #expect(refused.errors.contains("bad.ahap: Pattern[0].Event.EventWaveformPath: expected a sound file that can be read, found \"none.wav\""))
        try FileManager.default.removeItem(atPath: scratch.file("bad.ahap"))
        let large = try run(Programs.thrumd, ["--socket", scratch.file("s"), "--sessions", scratch.path, "--patterns", scratch.path])
        #expect(large.status == 78 && large.errors.contains("patterns: expected patterns that a journal has room for"))
    }
}
