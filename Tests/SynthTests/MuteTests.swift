import Signals
import Synth
import Testing
import Units

@Suite struct MuteTests {
    private static let tone = [SynthCommand.pitch(Hertz(1_000), glide: .zero), .level(Decibels(-6)), .gate(open: true)].map { $0.at(0) }

    @Test func `what is muted fades out within 20 ms, and comes back as it would have been`() {
        let plain = render(Self.tone, frames: 48_000)
        let muted = render(Self.tone + [SynthCommand.mute(true).at(12_000), SynthCommand.mute(false).at(24_000)], frames: 48_000)
        // A command acts 48 frames later, the limiter's look-ahead; a fade takes 960.
        #expect(plain[..<12_048] == muted[..<12_048])
        #expect(peak(muted[13_008..<24_048]) == 0)
        let isBack = plain[25_008...].map(\.bitPattern) == muted[25_008...].map(\.bitPattern)
        #expect(isBack)
        // A fade changes a sine by no more than the sine itself changes, and its own slope: π/2 ÷ 960 a frame, of an amplitude of a half.
        #expect(largestStep(muted[...]) < largestStep(plain[...]) + 0.5 * 1.6 / 960)
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

    @Test(arguments: [(-1.0, -20.0), (-20.0, -1.0), (-6.0, -60.0)])
    func `a ceiling is moved within 50 ms, without a click, and then passed by no sample`(from: Double, to: Double) {
        let settings = EngineSettings(ceiling: Decibels(from))
        let loud = [SynthCommand.pitch(Hertz(500), glide: .zero), .level(Decibels(0)), .gate(open: true)].map { $0.at(0) }
        let samples = render(loud + [SynthCommand.ceiling(Decibels(to)).at(24_000)], frames: 48_000, settings: settings)
        let (before, after) = (Decibels(from).magnitude.rawValue, Decibels(to).magnitude.rawValue)
        #expect(peak(samples[..<24_000]) <= before)
        #expect(peak(samples[24_000..<26_500]) <= max(before, after))
        // 50 ms and twice the look-ahead.
        #expect(peak(samples[26_500...]) <= after)
        #expect(peak(samples[36_000...]) > after * 0.98)
        // A sine of 500 Hz and the larger of both amplitudes changes by 2π·500/48000 of it a frame at most.
        #expect(largestStep(samples[...]) < max(before, after) * 0.0655 * 1.05)
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
                                    SynthCommand.ceiling(Decibels(-12)).at(3_000)]
        let whole = render(commands, frames: 12_000, block: 12_000).map(\.bitPattern)
        for block in [1, 7, 255, 1_000] { #expect(render(commands, frames: 12_000, block: block).map(\.bitPattern) == whole) }
    }
}
