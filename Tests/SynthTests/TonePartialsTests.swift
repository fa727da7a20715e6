import Foundation
import Signals
import Synth
import Testing
import Units

/// A tone of several sines.
@Suite struct TonePartialsTests {
    private static let rich = [TonePartial(ratio: 1), TonePartial(ratio: 2, level: Decibels(-6)), TonePartial(ratio: 3, level: Decibels(-12)),
                               TonePartial(ratio: 5, level: Decibels(-20)), TonePartial(ratio: 32, level: Decibels(-30))]

    private func settings(_ partials: [TonePartial], rate: Int = 48_000) throws -> EngineSettings {
        EngineSettings(rate: try #require(SampleRate(rate)), tonePartials: TonePartials(partials), ceiling: Decibels(0))
    }

    /// At −12 dBFS from the first frame on.
    private func tone(_ frequency: Double) -> [StampedCommand] {
        [SynthCommand.pitch(Hertz(frequency), glide: .zero).at(0), SynthCommand.level(Decibels(-12)).at(0), SynthCommand.gate(open: true).at(0)]
    }

    /// The sum of sines: each 10^(dB/20), all of it up to 0.35 of the rate, nothing from 0.45 on, and in between on a straight line.
    private func expected(_ frame: Int, _ partials: [TonePartial], turnsPerFrame: Double) -> Double {
        let turns = (turnsPerFrame * Double(frame)).truncatingRemainder(dividingBy: 1)
        return partials.reduce(0) { sum, partial in
            let ratio = Double(partial.ratio)
            let left = min(1, max(0, (0.45 - turnsPerFrame * ratio) / 0.1))
            return sum + left * pow(10, (partial.level.rawValue - 12) / 20) * sin(2 * Double.pi * ratio * turns)
        }
    }

    /// Of 5 kHz at 48 kHz the fourth partial is at 20 kHz, a third as loud; the fifth would be at 25 kHz, and be heard at 23. Of 600 Hz at
    /// 8 kHz the fifth is at 3 kHz, three quarters as loud.
    @Test(arguments: [(1_000.0, 48_000), (240, 48_000), (5_000, 48_000), (5_000, 44_100), (600, 8_000), (3_900, 8_000), (5_000, 192_000)])
    func `a steady tone is the sum of its sines, and none that would fold back is in it`(frequency: Double, hertz: Int) throws {
        let partials = Self.rich + [TonePartial(ratio: 4, level: Decibels(-6)), TonePartial(ratio: 8, level: Decibels(-6))]
        let settings = try settings(partials, rate: hertz)
        let samples = render(tone(frequency), frames: hertz / 2, settings: settings)
        let latency = Int(Engine(settings).latency.rawValue)
        let turns = Double(settings.rate.phaseIncrement(Hertz(frequency))) / 0x1p32
        let worst = (hertz / 100..<(samples.count - latency)).reduce(0) { worst, frame in
            max(worst, abs(Double(samples[frame + latency]) - expected(frame, partials, turnsPerFrame: turns)))
        }
        // Seven sines, each right to 3.3e-9, in 24 bits.
        #expect(worst < 1e-6, "\(worst)")
    }

    @Test(arguments: [1, 7, 64, 480]) func `samples are the same bits whatever the block size, while it glides across its partials' fades`(block: Int) throws {
        let score = tone(240) + [
            SynthCommand.pitch(Hertz(5_000), glide: Seconds(0.2)).at(1_001), SynthCommand.level(Decibels(-20)).at(3_333),
            SynthCommand.tonePartials(TonePartials()).at(5_000), SynthCommand.gate(open: false).at(11_003),
            SynthCommand.gate(open: true).at(12_000), SynthCommand.tonePartials(TonePartials(Self.rich)).at(12_100),
            SynthCommand.gate(open: false).at(13_000), SynthCommand.gate(open: true).at(14_000),
            SynthCommand.pitch(Hertz(700), glide: Seconds(0.05)).at(14_005), SynthCommand.stop.at(17_000),
        ]
        let settings = try settings(Self.rich)
        let whole = render(score, frames: 18_000, block: 4_096, settings: settings).map(\.bitPattern)
        let same = render(score, frames: 18_000, block: block, settings: settings).map(\.bitPattern) == whole
        #expect(same)
    }

    @Test func `while it glides a partial fades by the pitch of each frame`() throws {
        let partials = [TonePartial(ratio: 4)]
        let settings = try settings(partials)
        let latency = Int(Engine(settings).latency.rawValue)
        let samples = render(tone(4_000) + [SynthCommand.pitch(Hertz(6_000), glide: Seconds(1)).at(4_800)], frames: 60_000, settings: settings)
        // 4,000 · 1.5^t Hz are 5,400, a quarter of 0.45 · 48 kHz, at t = log 1.35 / log 1.5.
        let gone = 4_800 + latency + Int(48_000 * log(1.35) / log(1.5))
        #expect(peak(samples[(gone + 2)...]) == 0)
        // And 4,800 Hz, half as loud as up to 4,200, at t = log 1.2 / log 1.5; 10^(−12/20) / 2 = 0.1256.
        let half = 4_800 + latency + Int(48_000 * log(1.2) / log(1.5))
        #expect(abs(peak(samples[(half - 240)..<(half + 240)]) - 0.1256) < 0.003)
    }

    @Test func `one partial of the tone's own frequency and level is the sine, to the bit`() {
        let score = tone(777) + [SynthCommand.pitch(Hertz(5_000), glide: Seconds(0.1)).at(2_000), SynthCommand.gate(open: false).at(9_000)]
        let plain = render(score, frames: 12_000).map(\.bitPattern)
        let told = [SynthCommand.tonePartials(TonePartials([TonePartial(ratio: 1, level: Decibels(0))])).at(0)] + score
        let same = render(told, frames: 12_000).map(\.bitPattern) == plain
        #expect(same)
    }

    @Test func `other partials are heard from the next time on that it begins out of silence`() throws {
        let change = SynthCommand.tonePartials(TonePartials(Self.rich)).at(5_000)
        // It is closed for less than its fade of 240 frames, and then for more.
        let gate = [SynthCommand.gate(open: false).at(8_000), SynthCommand.gate(open: true).at(8_100), SynthCommand.gate(open: false).at(12_000),
                    SynthCommand.gate(open: true).at(13_000)]
        let (plain, changed) = (render(tone(500) + gate, frames: 20_000), render(tone(500) + [change] + gate, frames: 20_000))
        let latency = Int(Engine(EngineSettings()).latency.rawValue)
        let same = plain[..<(13_000 + latency)] == changed[..<(13_000 + latency)]
        #expect(same)
        let turns = Double(SampleRate.standard.phaseIncrement(Hertz(500))) / 0x1p32
        for frame in [14_000, 15_001, 17_777] {
            #expect(abs(Double(changed[frame + latency]) - expected(frame, Self.rich, turnsPerFrame: turns)) < 1e-6)
        }
    }

    @Test func `a reset makes it a sine again`() throws {
        var timeline = Timeline(try settings(Self.rich))
        _ = render(tone(500), on: &timeline, frames: 5_000)
        timeline.apply(.reset(ceiling: Decibels(0)))
        let samples = render(tone(500).map { StampedCommand($0.command, at: Frame(5_000)) }, on: &timeline, frames: 5_000)
        let same = samples == render(tone(500), frames: 5_000, settings: try settings(TonePartial.sine))
        #expect(same)
    }

    @Test func `partials that make no sense are left out`() {
        let wrong = [TonePartial(ratio: 0), TonePartial(ratio: -3), TonePartial(ratio: 33), TonePartial(ratio: .max), TonePartial(ratio: .min),
                     TonePartial(ratio: 1, level: Decibels(.nan)), TonePartial(ratio: 1, level: Decibels(-.infinity))]
        let change = SynthCommand.tonePartials(TonePartials(wrong)).at(0)
        #expect(peak(render([change] + tone(500), frames: 5_000)) == 0)
        let loud = SynthCommand.tonePartials(TonePartials([TonePartial(ratio: 1, level: Decibels(60))])).at(0)
        #expect(render([loud] + tone(500), frames: 5_000) == render(tone(500), frames: 5_000))
        var many = TonePartials(Self.rich)
        many.count = 9_999
        #expect(peak(render([SynthCommand.tonePartials(many).at(0)] + tone(500), frames: 5_000)) <= 1)
    }
}
