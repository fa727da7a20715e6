import Foundation
import Signals
import Synth
import Testing
import Units

@Suite struct GainTests {
    private static let tone = [SynthCommand.pitch(Hertz(1_000), glide: .zero), .level(Decibels(-6)), .gate(open: true)].map { $0.at(0) }

    @Test func `what is muted fades out within 20 ms, and comes back as it would have been`() {
        let plain = render(Self.tone, frames: 48_000)
        // Where the sine, of 48 frames, is at its largest; a command acts 48 frames later, the limiter's look-ahead; a fade takes 960.
        let muted = render(Self.tone + [SynthCommand.mute(true).at(12_012), SynthCommand.mute(false).at(24_012)], frames: 48_000)
        #expect(plain[..<12_060] == muted[..<12_060])
        #expect(peak(muted[13_020..<24_060]) == 0)
        let isBack = plain[25_020...].map(\.bitPattern) == muted[25_020...].map(\.bitPattern)
        #expect(isBack)
        // A raised cosine: ½(1 + cos(πt)).
        for (start, isUp) in [(12_060, false), (24_060, true)] {
            for step in stride(from: 12, to: 960, by: 48) {
                let cosine = Float(cos(Double.pi * Double(step) / 960))
                let gain = (1 + (isUp ? -cosine : cosine)) / 2
                #expect(abs(muted[start + step - 1] - gain * plain[start + step - 1]) < 2e-4, "\(step)")
            }
        }
    }

    @Test func `a volume is reached along a raised cosine in its time, and silence is none at all`() {
        let plain = render(Self.tone, frames: 96_000)
        let samples = render(Self.tone + [SynthCommand.volume(Decibels(-20), fade: Seconds(0.5)).at(12_012),
                                          SynthCommand.volume(Decibels(-120), fade: Seconds(0.25)).at(48_012)], frames: 96_000)
        #expect(plain[..<12_060] == samples[..<12_060])
        // From 1 to 10^(−20/20) = 0.1 in 24,000 frames: 0.1 + 0.9·½(1 + cos(πt)).
        for step in stride(from: 12, to: 24_000, by: 1_200) {
            let gain = 0.1 + 0.9 * Float((1 + cos(Double.pi * Double(step) / 24_000)) / 2)
            #expect(abs(samples[12_060 + step - 1] - gain * plain[12_060 + step - 1]) < 2e-4, "\(step)")
        }
        for frame in stride(from: 36_060, to: 48_060, by: 12) { #expect(abs(samples[frame] - 0.1 * plain[frame]) < 1e-6) }
        #expect(peak(samples[60_060...]) == 0)
        #expect(largestStep(samples[...]) <= largestStep(plain[...]))
    }

    @Test func `an engine muted before its first sample never sounds`() {
        let samples = render([SynthCommand.mute(true).at(0)] + Self.tone + [SynthCommand.note(1_568).at(100)], frames: 9_600)
        #expect(peak(samples) == 0)
    }

    @Test func `a reset gives the sound back, under the ceiling it names`() {
        let commands = [SynthCommand.mute(true).at(0), SynthCommand.reset(ceiling: Decibels(-20)).at(480)] + [
            SynthCommand.pitch(Hertz(1_000), glide: .zero), .level(Decibels(-6)), .gate(open: true),
        ].map { $0.at(480) }
        let samples = render(commands, frames: 24_000)
        // 10^(−20/20) = 0.1.
        #expect(peak(samples) <= 0.1 && peak(samples) > 0.099)
        let fresh = render(commands.dropFirst(2).map { StampedCommand($0.command, at: Frame($0.frame.rawValue - 480)) }, frames: 23_520,
                           settings: EngineSettings(ceiling: Decibels(-20)))
        let same = samples[480...].map(\.bitPattern) == fresh.map(\.bitPattern)
        #expect(same, "as an engine made with it")
    }

    @Test(arguments: [(-1.0, -20.0), (-20.0, -1.0), (-6.0, -60.0)], [8_000, 48_000])
    func `a ceiling is moved within 50 ms, without a click, and then passed by no sample`(levels: (Double, Double), hertz: Int) throws {
        let settings = EngineSettings(rate: try #require(SampleRate(hertz)), ceiling: Decibels(levels.0))
        let loud = [SynthCommand.pitch(Hertz(100), glide: .zero), .level(Decibels(0)), .gate(open: true)].map { $0.at(0) }
        // A quarter of the sine's period after its zero.
        let start = hertz / 2 + hertz / 400
        let samples = render(loud + [SynthCommand.ceiling(Decibels(levels.1)).at(start)], frames: hertz, settings: settings)
        let (before, after) = (Decibels(levels.0).magnitude.rawValue, Decibels(levels.1).magnitude.rawValue)
        #expect(peak(samples[..<start]) <= before)
        #expect(peak(samples[start..<(start + hertz / 20)]) <= max(before, after))
        #expect(peak(samples[(start + hertz / 20)...]) <= after)
        #expect(peak(samples[(start + hertz / 8)...]) > after * 0.98)
        // What the sine itself changes by from frame to frame, 2π·100 Hz, and the raised cosine over 50 ms, π/2 ÷ 50 ms, of the larger amplitude.
        let slope = Float((2 * Double.pi * 100 + Double.pi / 2 / 0.045) / Double(hertz))
        #expect(largestStep(samples[(start - hertz / 10)...]) < max(before, after) * slope * 1.1)
    }

    @Test func `a ceiling that nothing reaches changes no sample`() {
        let plain = render(Self.tone, frames: 24_000)
        let lowered = render(Self.tone + [SynthCommand.ceiling(Decibels(-3)).at(5_000)], frames: 24_000)
        let same = plain.map(\.bitPattern) == lowered.map(\.bitPattern)
        #expect(same)
    }

    /// In blocks of any size, and after going back, an engine on its way is the same value.
    @Test func `the way there does not depend on the blocks it is rendered in`() {
        let commands = Self.tone + [SynthCommand.mute(true).at(1_000), SynthCommand.mute(false).at(1_500),
                                    SynthCommand.ceiling(Decibels(-12)).at(3_000),
                                    SynthCommand.volume(Decibels(-6), fade: .milliseconds(50)).at(4_000)]
        let whole = render(commands, frames: 12_000, block: 12_000).map(\.bitPattern)
        for block in [1, 7, 255, 1_000] { #expect(render(commands, frames: 12_000, block: block).map(\.bitPattern) == whole) }
    }
}
