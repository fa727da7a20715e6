import Fields
import Foundation
import Haptics
import Signals
import Synth
import Testing
import TestSupport
import Units

private let fixtures = repository + "/Tests/Fixtures/haptics/"

@Suite struct AHAPTests {
    private func read(_ text: String) throws -> AHAP { try AHAP([UInt8](text.utf8)) }

    private func pattern(_ entry: String) throws -> HapticPattern { try read(#"{"Pattern":[\#(entry)]}"#).pattern }

    @Test func `what is missing takes its default`() throws {
        let event = try #require(try pattern(#"{"Event":{"EventType":"HapticTransient"}}"#).events.first)
        #expect(event == HapticEvent(time: .zero, kind: .transient, intensity: 1, sharpness: 0.5))
        let held = try #require(try pattern(#"{"Event":{"EventType":"HapticContinuous","EventDuration":0.2}}"#).events.first)
        #expect(held.envelope == HapticEnvelope(attack: 0, decay: 0, release: 0, isSustained: true))
        let jump = try pattern(#"{"Parameter":{"ParameterID":"HapticSharpnessControl","Time":1}}"#).controls
        #expect(jump == [HapticControl(.sharpness, time: Seconds(1), shape: .jump(0))])
    }

    @Test func `what is out of range is clamped to it`() throws {
        let event = try #require(try pattern(#"""
            {"Event":{"Time":-3,"EventType":"HapticContinuous","EventDuration":99,"EventParameters":[
              {"ParameterID":"HapticIntensity","ParameterValue":7},{"ParameterID":"HapticSharpness","ParameterValue":-1}]}}
            """#).events.first)
        #expect(event == HapticEvent(time: .zero, kind: .continuous(duration: Seconds(30)), intensity: 1, sharpness: 0))
        let control = try pattern(#"{"Parameter":{"ParameterID":"HapticIntensityControl","ParameterValue":-0.5}}"#).controls
        #expect(control == [HapticControl(.intensity, time: .zero, shape: .jump(0))])
    }

    @Test func `what is not known is passed over and named, once each`() throws {
        let ahap = try read(#"""
            {"Version":1,"Author":"me","Metadata":{"any":"thing"},"Pattern":[
              {"Event":{"Time":0,"EventType":"HapticTransient","Colour":3,"EventParameters":[{"ParameterID":"Smell","ParameterValue":1}]}},
              {"Event":{"Time":0.5,"EventType":"AudioCustom","EventWaveformPath":"a.wav","EventWaveformUseVolumeEnvelope":true}},
              {"ParameterCurve":{"ParameterID":"AudioPanControl","ParameterCurveControlPoints":[{"Time":0,"Value":1}]}}]}
            """#)
        #expect(ahap.ignored == ["Author", "Pattern[0].Event.EventParameters[0].ParameterID Smell", "Pattern[0].Event.Colour",
                                 "Pattern[1].Event.EventWaveformUseVolumeEnvelope",
                                 "Pattern[2].ParameterCurve.ParameterCurveControlPoints[0].Value",
                                 "Pattern[2].ParameterCurve.ParameterID AudioPanControl"])
        #expect(ahap.pattern.events.count == 1 && ahap.pattern.controls.isEmpty)
    }

    @Test(arguments: [
        (#"{"Pattern":[{},{},{},{"Event":{"Time":"soon","EventType":"HapticTransient"}}]}"#,
         "Pattern[3].Event.Time: expected a number, found \"soon\""),
        (#"{"Pattern":[{"Event":{"Time":0}}]}"#,
         "Pattern[0].Event.EventType: expected one of HapticTransient, HapticContinuous, AudioContinuous, AudioCustom, found nothing"),
        (#"{"Pattern":[{"Event":{"EventType":"Thump"}}]}"#,
         "Pattern[0].Event.EventType: expected one of HapticTransient, HapticContinuous, AudioContinuous, AudioCustom, found \"Thump\""),
        (#"{"Pattern":[{"Event":{"EventType":"HapticTransient","EventParameters":[{"ParameterID":"HapticIntensity","ParameterValue":[]}]}}]}"#,
         "Pattern[0].Event.EventParameters[0].ParameterValue: expected a number, found a list"),
        (#"{"Pattern":[{"ParameterCurve":{"ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[]}}]}"#,
         "Pattern[0].ParameterCurve.ParameterCurveControlPoints: expected 1 to 2000 points, found 0"),
        (#"{"Pattern":7}"#, "Pattern: expected a list of events, parameters and curves, found 7"),
        (#"{"Version":1}"#, "Pattern: expected a list of events, parameters and curves, found nothing"),
        (#"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":1e400}}]}"#,
         "Pattern[0].Event.Time: expected a number, found a number out of bounds"),
        (#"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":NaN}}]}"#, "expected one JSON object, found something else"),
        (#"{"Pattern":["#, "line 1: expected one JSON object, found something else"),
        // A comment, as people write them by hand, which JSON does not have.
        ("{ \"Version\": 1.0,\n  // a remark by hand\n  \"Pattern\": [] }", "line 2: expected one JSON object, found something else"),
        ("{ \"Version\": 1.0\n\n  \"Pattern\": [] }", "line 3: expected one JSON object, found something else"),
    ])
    func `what is malformed is named by its path`(text: String, fault: String) {
        #expect { try read(text) } throws: { ($0 as? Fault)?.description == fault }
    }

    @Test func `bytes that are no text, or no end of them, do no harm`() throws {
        #expect(throws: Fault.self) { try AHAP([0xFF, 0xFE, 0x7B]) }
        #expect(throws: Fault.self) { try AHAP([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) }
        let long = repeatElement(#"{"Event":{"EventType":"HapticContinuous","EventDuration":30}}"#, count: 21).joined(separator: ",")
        #expect { try pattern(long) } throws: { "\($0)" == "Pattern: expected at most 600 s of continuous events, found 630 s" }
        let points = repeatElement(#"{"Time":1}"#, count: 1_001).joined(separator: ",")
        let curve = #"{"ParameterCurve":{"ParameterID":"HapticSharpnessControl","ParameterCurveControlPoints":[\#(points)]}}"#
        #expect { try pattern(curve + "," + curve) } throws: {
            "\($0)" == "Pattern: expected at most 2000 points in all curves, found 2002"
        }
        let many = repeatElement(#"{"Event":{"EventType":"HapticTransient"}}"#, count: 2_001).joined(separator: ",")
        #expect { try pattern(many) } throws: { "\($0)" == "Pattern: expected at most 2000 entries, found 2001" }
    }

    @Test func `an AHAP file cut at any byte is read or refused`() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixtures + "wave.ahap")))
        for cut in 0..<(bytes.count - 2) { #expect(throws: Fault.self) { try AHAP(Array(bytes[..<cut])) } }
    }

    @Test(arguments: ["touch-down", "touch-up", "swipe", "unlock", "surprise"])
    func `a built-in pattern is what its AHAP file says`(name: String) throws {
        let ahap = try AHAP([UInt8](try Data(contentsOf: URL(fileURLWithPath: fixtures + name + ".ahap"))))
        #expect(ahap.pattern == Theme.standard.haptics[name])
    }

    @Test func `what is heard is read with what is felt`() throws {
        let ahap = try read(#"""
            {"Pattern":[
              {"Event":{"Time":0.1,"EventType":"AudioContinuous","EventDuration":0.5,"EventParameters":[
                {"ParameterID":"AudioVolume","ParameterValue":0.8},{"ParameterID":"AudioPitch","ParameterValue":-0.5},
                {"ParameterID":"AudioBrightness","ParameterValue":0},{"ParameterID":"AttackTime","ParameterValue":0.3}]}},
              {"Event":{"Time":0.2,"EventType":"AudioCustom","EventWaveformPath":"knock.wav"}},
              {"Parameter":{"ParameterID":"AudioVolumeControl","Time":0.3,"ParameterValue":0.5}},
              {"ParameterCurve":{"ParameterID":"AudioPitchControl","ParameterCurveControlPoints":[{"Time":0,"ParameterValue":-1}]}}]}
            """#)
        #expect(ahap.ignored.isEmpty && ahap.pattern.events.isEmpty)
        #expect(ahap.pattern.sounds == [
            PatternSound(time: Seconds(0.1), source: .tone(duration: Seconds(0.5)), volume: 0.8, pitch: -0.5, brightness: 0,
                         envelope: HapticEnvelope(attack: 0.3)),
            PatternSound(time: Seconds(0.2), source: .file("knock.wav")),
        ])
        #expect(ahap.pattern.controls.map(\.parameter) == [.volume, .pitch])
        #expect { try AHAP([UInt8](#"{"Pattern":[{},{"Event":{"EventType":"AudioCustom","EventWaveformPath":"a.wav"}}]}"#.utf8)) { _ in nil } } throws: {
            "\($0)" == "Pattern[1].Event.EventWaveformPath: expected a sound file that can be read, found \"a.wav\""
        }
        #expect { try read(#"{"Pattern":[{"Event":{"EventType":"AudioCustom"}}]}"#) } throws: {
            "\($0)" == "Pattern[0].Event.EventWaveformPath: expected text of 1 to 4096 characters, found nothing"
        }
    }

    /// The reference is made by numpy: Tests/Fixtures/haptics/reference.py.
    @Test(arguments: ["wave", "storm", "touch-down", "touch-up", "swipe", "unlock", "surprise"])
    func `a pattern's waveform is that of its definition`(name: String) throws {
        let ahap = try AHAP([UInt8](try Data(contentsOf: URL(fileURLWithPath: fixtures + name + ".ahap"))))
        #expect(ahap.ignored.isEmpty)
        let lines = try String(contentsOfFile: fixtures + name + ".reference", encoding: .utf8).split(separator: "\n")
        let waveform = TransducerWaveform(ahap.pattern, rate: .standard)
        #expect(waveform.samples.count == Int(lines[0]))
        let errors = zip(stride(from: 0, to: waveform.samples.count, by: 37), lines.dropFirst()).map { frame, line in
            abs((Float(line) ?? .nan) - waveform.samples[frame])
        }
        #expect(errors.count == (waveform.samples.count + 36) / 37)
        #expect(errors.allSatisfy { $0 < 2e-5 })
    }
}
