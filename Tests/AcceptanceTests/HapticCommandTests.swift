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
        #expect(unknown.errors == "thrum: tickle: expected one of surprise, swipe, touch-down, touch-up, unlock, or an AHAP file\n")
        let odd = try scratch.write(#"{"Pattern":[],"Smell":1}"#, to: "odd.ahap")
        #expect(try thrum("haptic", odd).errors == "thrum: \(odd): warning: passed over: Smell\n")
        #expect(try thrum("haptic", odd, "--picture", scratch.file("odd.svg")).status == 0)
    }
}
