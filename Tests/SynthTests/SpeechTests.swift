import Foundation
import Realtime
import Signals
import Synth
import Testing
import TestSupport
import Units

/// What an engine speaks. It keeps the samples for as long as the test needs them.
private final class Talk {
    private var track = SpeechTrack(rate: .standard)

    var settings: EngineSettings { EngineSettings(speech: track.sound) }
    var sound: SpokenSound { track.sound }

    func put(_ samples: [Float]) -> SynthCommand { track.put(samples) }
}

@Suite struct SpeechTests {
    private static let tone = [SynthCommand.pitch(Hertz(1_000), glide: .zero), .level(Decibels(-6)), .gate(open: true)].map { $0.at(0) }
    private let talk = Talk()

    private func spoken(_ value: Float, frames: Int) -> SynthCommand { talk.put(Array(repeating: value, count: frames)) }

    private func play(_ commands: [StampedCommand], frames: Int, block: Int = 480) -> [Float] {
        render(commands, frames: frames, block: block, settings: talk.settings)
    }

    @Test func `all other sound is turned down by 12 dB along a raised cosine, and comes back bit for bit`() {
        let plain = play(Self.tone, frames: 72_000)
        // A command acts 48 frames later, the limiter's look-ahead. What is spoken is silence.
        let samples = play(Self.tone + [spoken(0, frames: 24_000).at(12_012)], frames: 72_000)
        #expect(plain[..<12_060] == samples[..<12_060])
        let ducked = pow(10, -12.0 / 20)
        for step in stride(from: 12, to: 1_920, by: 12) {
            let gain = Float(ducked + (1 - ducked) * (1 + cos(Double.pi * Double(step) / 1_920)) / 2)
            #expect(abs(samples[12_060 + step - 1] - gain * plain[12_060 + step - 1]) < 2e-4, "\(step)")
        }
        for frame in stride(from: 13_980, to: 36_060, by: 12) { #expect(abs(samples[frame] - Float(ducked) * plain[frame]) < 1e-6) }
        for step in stride(from: 12, to: 19_200, by: 1_200) {
            let gain = Float(1 - (1 - ducked) * (1 + cos(Double.pi * Double(step) / 19_200)) / 2)
            #expect(abs(samples[36_060 + step - 1] - gain * plain[36_060 + step - 1]) < 2e-4, "\(step)")
        }
        let isBack = plain[55_260...].map(\.bitPattern) == samples[55_260...].map(\.bitPattern)
        #expect(isBack)
    }

    @Test func `speech comes in and goes out within 10 ms, and where it is replaced the old one goes first`() {
        let samples = play([spoken(0.5, frames: 48_000).at(4_800), spoken(-0.25, frames: 9_600).at(12_000)], frames: 33_600)
        #expect(peak(samples[..<4_848]) == 0)
        for step in stride(from: 0, to: 480, by: 12) {
            // ½(1 − cos(πt)), upwards and downwards.
            let rise = Float((1 - cos(Double.pi * Double(step + 1) / 480)) / 2), fall = Float((1 + cos(Double.pi * Double(step) / 480)) / 2)
            #expect(abs(samples[4_848 + step] - 0.5 * rise) < 1e-4)
            #expect(abs(samples[12_048 + step] - 0.5 * fall) < 1e-4)
            #expect(abs(samples[12_528 + step] + 0.25 * rise) < 1e-4)
            #expect(abs(samples[21_648 + step] + 0.25 * fall) < 1e-4)
        }
        for frame in 5_328..<12_048 { #expect(abs(samples[frame] - 0.5) < 1e-4) }
        for frame in 13_008..<21_648 { #expect(abs(samples[frame] + 0.25) < 1e-4) }
        #expect(peak(samples[22_128...]) == 0)
    }

    @Test(arguments: [SynthCommand.hush, .stop]) func `it is hushed, and stopped with all else, within 10 ms, and what waits does not begin`(end: SynthCommand) {
        let commands = [spoken(0.5, frames: 48_000).at(0), spoken(0.25, frames: 48_000).at(9_600), end.at(9_700)]
        let samples = play(commands, frames: 24_000)
        #expect(peak(samples[9_000..<9_648]) > 0.49)
        #expect(peak(samples[(9_700 + 48 + 480)...]) == 0)
    }

    /// The largest step of the sum is at most the sum of the largest steps: of a sine of amplitude A, 2·A·sin(πf/R); of its gain, which moves
    /// by 1 − 10^(−12/20) in 40 ms, A·π/2 of that a frame; of a fade in 10 ms, π/2 of that.
    @Test func `nothing clicks, however speech begins, is replaced and ends`() {
        let sine = (0..<48_000).map { Float(0.3 * cos(2 * Double.pi * 300 * Double($0) / 48_000)) }
        let commands = Self.tone + [talk.put(sine).at(4_800), talk.put(sine).at(20_001), SynthCommand.hush.at(20_100), talk.put(sine).at(20_200),
                                    SynthCommand.hush.at(30_011), talk.put(Array(sine.prefix(500))).at(33_000)]
        let samples = play(commands, frames: 72_000)
        let tone = 0.5012 * (2 * sin(Double.pi * 1_000 / 48_000) + (1 - pow(10, -12.0 / 20)) * Double.pi / 2 / 1_920)
        let speech = 0.3 * (2 * sin(Double.pi * 300 / 48_000) + Double.pi / 2 / 480)
        #expect(Double(largestStep(samples[4_700...])) < tone + speech)
        #expect(peak(samples[6_000..<20_000]) > 0.3)
    }

    @Test func `mute, volume and ceiling hold for speech, too`() {
        let quiet = play([SynthCommand.volume(Decibels(-20), fade: .zero).at(0), spoken(0.5, frames: 24_000).at(0)], frames: 12_000)
        #expect(abs(peak(quiet[6_000...]) - 0.05) < 1e-4)
        #expect(peak(play([SynthCommand.mute(true).at(0), spoken(0.5, frames: 24_000).at(0)], frames: 12_000)) == 0)
        let low = play([SynthCommand.ceiling(Decibels(-20)).at(0), spoken(0.5, frames: 24_000).at(0)], frames: 12_000)
        #expect(peak(low[2_400...]) <= 0.1 && peak(low[6_000...]) > 0.099)
    }

    @Test func `a session that begins while something is spoken or fades does not click, whatever it begins with`() {
        let sine = (0..<48_000).map { Float(0.3 * cos(2 * Double.pi * 300 * Double($0) / 48_000)) }
        let reset = SynthCommand.reset(ceiling: Decibels(-1))
        let quiet = SynthCommand.volume(Decibels(-20), fade: .zero)
        // Of the sine, of a fade in 10 ms, and of mute and volume in 20 ms each.
        let most = 0.3 * (2 * sin(Double.pi * 300 / 48_000) + Double.pi / 2 * (1.0 / 480 + 2.0 / 960))
        for start in [[reset], [reset, quiet], [reset, .mute(true)], [reset, .mute(true), quiet]] {
            for (volume, hush) in [(0.0, 20_000), (0.0, 9_800), (-6.0, 20_000)] {
                let before = [SynthCommand.volume(Decibels(volume), fade: .zero).at(0), talk.put(sine).at(0)]
                let samples = play(before + [SynthCommand.hush.at(hush)] + start.map { $0.at(10_000) }, frames: 36_000)
                #expect(Double(largestStep(samples[2_000...])) < most)
                #expect(peak(samples[9_000..<9_800]) > 0.14)
            }
        }
        let muted = play([SynthCommand.mute(true).at(0), talk.put(sine).at(0)] + [reset, .mute(true)].map { $0.at(10_000) }, frames: 24_000)
        #expect(peak(muted) == 0, "what was muted stays so")
        let low = play([talk.put(sine).at(0), SynthCommand.reset(ceiling: Decibels(-20)).at(10_000)], frames: 24_000)
        #expect(peak(low[12_400...]) <= 0.1, "the new ceiling holds after 50 ms")
    }

    @Test func `a session that begins meanwhile does not end speech`() {
        let samples = play([spoken(0.5, frames: 24_000).at(0), SynthCommand.reset(ceiling: Decibels(-1)).at(9_600)], frames: 24_000)
        #expect(abs(samples[9_000] - 0.5) < 1e-4 && abs(samples[9_700] - 0.5) < 1e-4)
    }

    @Test func `an engine without a voice does nothing by it, as when a journal is rendered`() {
        let silent = render(Self.tone + [SynthCommand.speak(from: 0, frames: 24_000).at(4_800), SynthCommand.hush.at(9_600)], frames: 24_000)
        let same = silent.map(\.bitPattern) == render(Self.tone, frames: 24_000).map(\.bitPattern)
        #expect(same)
    }

    @Test func `the samples do not depend on the blocks they are rendered in`() {
        let sine = (0..<9_001).map { Float(0.3 * cos(2 * Double.pi * 300 * Double($0) / 48_000)) }
        let commands = Self.tone + [talk.put(sine).at(1_001), talk.put(sine).at(4_000), SynthCommand.hush.at(9_000)]
        let whole = play(commands, frames: 36_000, block: 36_000).map(\.bitPattern)
        for block in [1, 7, 255, 1_000] { #expect(play(commands, frames: 36_000, block: block).map(\.bitPattern) == whole) }
    }

    @Test func `a command beside all events is heard at the first frame that can be changed, and nobody is told where`() {
        var bench = Bench(talk.settings)
        bench.send(Self.tone.map(\.command), due: 0)
        _ = bench.revise(from: 0)
        bench.fill(to: 20_000)
        let command = spoken(0.25, frames: 4_800)
        _ = bench.control.push(.aside(command))
        #expect(bench.revise(from: 10_000) == 10_000)
        bench.fill(to: 48_000)
        let expected = play(bench.placed + [command.at(10_000 - 48)], frames: 48_000).map(\.bitPattern)
        let same = bench.written.map(\.bitPattern) == expected
        #expect(same)
    }

    @Test func `a text of 20 s is the longest, numbers that are none are silent, and the oldest samples make room`() {
        #expect("\(spoken(0.5, frames: 1_000_001))" == "speak(from: 0, frames: 960000)")
        let strange = [Float](repeating: 2, count: 1_000) + [.nan, -.infinity, .infinity] + [Float](repeating: -9, count: 1_000)
        let command = talk.put(strange)
        #expect("\(command)" == "speak(from: 960000, frames: 2003)")
        let samples = play([command.at(0)], frames: 4_800)
        #expect(samples[600] > 0.85 && samples[(48 + 1_000)..<(48 + 1_003)].allSatisfy { $0 == 0 } && samples[1_400] < -0.85)
        // There is room for 2²⁰ samples.
        _ = spoken(0.5, frames: 960_000)
        #expect(peak(play([SynthCommand.speak(from: 0, frames: 4_800).at(0)], frames: 9_600)) == 0)
    }
}
