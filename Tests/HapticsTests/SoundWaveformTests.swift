import Haptics
import Signals
import Testing
import TestSupport
import Units

@Suite struct SoundWaveformTests {
    private func waveform(_ sound: PatternSound, controls: [HapticControl] = [], file: (String) -> [Float]? = { _ in nil }) -> [Float] {
        SoundWaveform(HapticPattern(events: [], controls: controls, sounds: [sound]), rate: .standard, file: file).samples
    }

    private func tone(volume: Double = 1, pitch: Double = 0, brightness: Double = 0) -> PatternSound {
        PatternSound(time: .zero, source: .tone(duration: Seconds(1)), volume: volume, pitch: pitch, brightness: brightness)
    }

    @Test(arguments: [(-1.0, 220.0), (0, 440), (0.5, 622.254), (1, 880)])
    func `a tone's pitch is octaves from 440 Hz, its volume its amplitude`(pitch: Double, hertz: Double) {
        let samples = waveform(tone(volume: 0.6, pitch: pitch))
        // With a release of 5 ms after its duration.
        #expect(samples.count == 48_240)
        let found = component(samples[4_800..<43_200], near: hertz)
        #expect(abs(found.frequency - hertz) < 0.05)
        #expect(abs(found.amplitude - 0.3) < 1e-3)
    }

    @Test func `brightness is harmonics, and never more than full`() {
        let samples = waveform(tone(brightness: 1))
        #expect(abs(component(samples[4_800..<43_200], near: 880).amplitude - 0.25 / 1.75) < 1e-3)
        #expect(abs(component(samples[4_800..<43_200], near: 1_320).amplitude - 0.125 / 1.75) < 1e-3)
        #expect(samples.allSatisfy { $0.magnitude <= 0.5 })
    }

    @Test func `controls change volume and pitch while it lasts`() {
        let controls = [HapticControl(.volume, time: Seconds(0.5), shape: .jump(0.25)), HapticControl(.pitch, time: Seconds(0.5), shape: .jump(1))]
        let samples = waveform(tone(), controls: controls)
        #expect(abs(component(samples[2_400..<21_600], near: 440).amplitude - 0.5) < 2e-3)
        #expect(abs(component(samples[26_400..<45_600], near: 880).amplitude - 0.125) < 2e-3)
    }

    @Test func `a file is heard as it is, from its time on, as loud as the volume says`() {
        let sound = PatternSound(time: .milliseconds(10), source: .file("x"), volume: 0.5)
        #expect(waveform(sound) { $0 == "x" ? [1, -1, 0.5] : nil } == Array(repeating: 0, count: 480) + [0.5, -0.5, 0.25])
        #expect(waveform(sound).isEmpty)
    }
}
