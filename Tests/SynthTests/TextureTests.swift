import Foundation
import Signals
import Synth
import Testing
import Units

@Suite struct TextureTests {
    private static let band = Texture.Band(low: Hertz(120), high: Hertz(400))

    /// Begins at frame 0 and goes on; fades in 5 ms.
    private func samples(_ texture: Texture, seconds: Int, block: Int = 480, rate: SampleRate = .standard) -> [Double] {
        render([SynthCommand.texture(texture, id: 1).at(0)], frames: seconds * Int(rate.hertz), block: block,
               settings: EngineSettings(rate: rate)).map(Double.init)
    }

    private func texture(_ level: Double = -20, pulse: Texture.Pulse? = nil, breath: Texture.Breath? = nil, voice: Texture.Voice? = nil,
                         band: Texture.Band = band, touch: Texture.Feel? = nil) -> Texture {
        Texture(level: Decibels(level), noise: band, pulse: pulse, breath: breath, voice: voice, touch: touch, attack: .milliseconds(5),
                release: .milliseconds(5))
    }

    private func decibels(_ power: Double) -> Double { 10 * log10(power) }

    private func power(_ samples: some Collection<Double>) -> Double { samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count) }

    /// The power about `frequency`, of stretches of 8,192 frames under a Hann window: a plain Fourier sum.
    private func spectrum(_ samples: [Double], at frequency: Double, rate: Double = 48_000) -> Double {
        let length = 8_192
        var sum = 0.0
        var windows = 0
        for start in stride(from: 0, to: samples.count - length, by: length / 2) {
            var (a, b) = (0.0, 0.0)
            for n in 0..<length {
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(n) / Double(length))
                let angle = 2 * .pi * frequency * Double(n) / rate
                a += samples[start + n] * window * cos(angle)
                b += samples[start + n] * window * sin(angle)
            }
            sum += a * a + b * b
            windows += 1
        }
        return sum / Double(windows)
    }

    @Test(arguments: [8_000, 44_100, 48_000, 96_000])
    func `the level is the noise's, within half a decibel at any rate`(hertz: Int) throws {
        let rate = try #require(SampleRate(hertz))
        let measured = decibels(power(samples(texture(-20), seconds: 12, rate: rate).dropFirst(hertz)))
        #expect(abs(measured - -20) < 0.5, "\(measured) dB")
    }

    @Test func `the noise is in its band, 3 dB down at the edges and 24 dB an octave beyond`() {
        let samples = samples(texture(-20), seconds: 10)
        // An average over the flat middle.
        let middle = [190.0, 202, 214, 226, 238, 250, 262].map { spectrum(samples, at: $0) }.reduce(0, +) / 7
        func level(_ frequencies: [Double]) -> Double {
            decibels(frequencies.map { spectrum(samples, at: $0) }.reduce(0, +) / Double(frequencies.count) / middle)
        }
        #expect(abs(level([114, 120, 126]) - -3) < 1.2)
        #expect(abs(level([388, 400, 412]) - -3) < 1.2)
        // Two octaves off, 48 dB; leakage and chance leave some.
        #expect(level([30, 36]) < -38)
        #expect(level([1_600, 1_700]) < -40)
        // Images of the splines, about multiples of 6 kHz.
        #expect(level([5_740, 6_260]) < -70)
    }

    /// The square of what pulses has its own spectrum line at the pulse's rate.
    private func pulseRate(_ samples: [Double], near rate: Double, hertz: Double = 48_000) -> Double {
        // The loudness, each 4 ms.
        let step = 192
        let loudness = stride(from: 0, to: samples.count - step, by: step).map { start in power(samples[start..<(start + step)]) }
        let mean = loudness.reduce(0, +) / Double(loudness.count)
        func strength(_ frequency: Double) -> Double {
            var (a, b) = (0.0, 0.0)
            for (n, value) in loudness.enumerated() {
                let angle = 2 * .pi * frequency * Double(n * step) / hertz
                a += (value - mean) * cos(angle)
                b += (value - mean) * sin(angle)
            }
            return a * a + b * b
        }
        return stride(from: rate * 0.8, through: rate * 1.2, by: 0.05).max { strength($0) < strength($1) } ?? 0
    }

    @Test(arguments: [21.0, 27]) func `it pulses at its rate, within one in a hundred`(rate: Double) {
        let measured = pulseRate(samples(texture(pulse: Texture.Pulse(rate: Hertz(rate), depth: 0.8)), seconds: 8), near: rate)
        #expect(abs(measured - rate) < rate * 0.01, "\(measured) Hz")
    }

    @Test func `it breathes out at one rate and in at another`() {
        let texture = texture(pulse: Texture.Pulse(rate: Hertz(26), inhaled: Hertz(20), depth: 1),
                              breath: Texture.Breath(period: Seconds(10), depth: 0.2))
        let samples = samples(texture, seconds: 10)
        #expect(abs(pulseRate(Array(samples[24_000..<(9 * 24_000)]), near: 26) - 26) < 0.3)
        #expect(abs(pulseRate(Array(samples[(11 * 24_000)..<(20 * 24_000)]), near: 20) - 20) < 0.3)
    }

    /// A raised cosine from 1 − d to 1 has a mean square of (1 − d/2)² + d²/8.
    @Test func `pulse and breath take as much of the power as their shapes say`() {
        let plain = power(samples(texture(), seconds: 15))
        for depth in [0.3, 1] {
            let expected = pow(1 - depth / 2, 2) + depth * depth / 8
            let pulsed = power(samples(texture(pulse: Texture.Pulse(rate: Hertz(26), depth: depth)), seconds: 15))
            #expect(abs(decibels(pulsed / plain) - decibels(expected)) < 0.4)
            let breathed = power(samples(texture(breath: Texture.Breath(period: Seconds(3), depth: depth)), seconds: 15))
            #expect(abs(decibels(breathed / plain) - decibels(expected)) < 0.6)
        }
    }

    @Test func `as many cycles are left out as it says, and those are silent`() {
        let rate = 20.0
        let samples = samples(texture(pulse: Texture.Pulse(rate: Hertz(rate), depth: 0.3, gaps: 0.4)), seconds: 20)
        // The middle half of each cycle; the limiter's delay is a small part of one.
        let cycle = Int(48_000 / rate)
        let silent = stride(from: 0, to: samples.count - cycle, by: cycle).count { start in
            power(samples[(start + cycle * 3 / 8)..<(start + cycle * 3 / 4)]) < 1e-9
        }
        // 400 cycles, of which 40 % are 160 ± 3 · 10.
        #expect(abs(silent - 160) < 30, "\(silent)")
    }

    @Test func `each cycle's rate is off by as much as the jitter at most`() {
        func power(jitter: Double) -> Double {
            let samples = samples(texture(pulse: Texture.Pulse(rate: Hertz(26), depth: 1, jitter: jitter)), seconds: 8)
            let loudness = stride(from: 0, to: samples.count - 192, by: 192).map { self.power(samples[$0..<($0 + 192)]) }
            let mean = loudness.reduce(0, +) / Double(loudness.count)
            var (a, b) = (0.0, 0.0)
            for (n, value) in loudness.enumerated() {
                a += (value - mean) * cos(2 * .pi * 26 * Double(n) * 0.004)
                b += (value - mean) * sin(2 * .pi * 26 * Double(n) * 0.004)
            }
            return a * a + b * b
        }
        // Phases that wander have their line smeared.
        #expect(power(jitter: 0.2) < power(jitter: 0) / 4)
    }

    @Test func `the voice is as far above or below the noise as it says`() {
        let with = samples(texture(-40, voice: Texture.Voice(frequency: Hertz(1_000), level: Decibels(12))), seconds: 3)
        let voice = power(with) - power(samples(texture(-40), seconds: 3))
        #expect(abs(decibels(voice) - -28) < 0.1)
    }

    @Test(arguments: [1, 7, 64, 4_096]) func `blocks of any size give the same samples`(block: Int) {
        let wide = texture(band: Texture.Band(low: Hertz(300), high: Hertz(1_900)))
        let commands = [SynthCommand.texture(Self.weak, id: 3).at(13), SynthCommand.texture(wide, id: 5).at(2_001),
                        SynthCommand.endTexture(id: 3).at(9_003), SynthCommand.texture(Self.weak, id: 3).at(9_500), SynthCommand.stop.at(30_001)]
        #expect(render(commands, frames: 40_000, block: block) == render(commands, frames: 40_000))
    }

    private static let weak = Texture(level: Decibels(-20), noise: band, pulse: .init(rate: Hertz(60), depth: 0.3, jitter: 0.3, gaps: 0.4),
                                      breath: .init(period: Seconds(0.5), depth: 0.5), voice: .init(frequency: Hertz(450), level: Decibels(-18)),
                                      touch: .init(intensity: 1, sharpness: 1), attack: .milliseconds(5), release: .milliseconds(100))

    /// Noise of 400 Hz at most does not change faster than a few parts in a hundred of its peak from one sample to the next: 2π · 400 / 48,000.
    @Test func `nothing clicks where it begins, leaves out cycles, and ends`() {
        let commands = [SynthCommand.texture(Self.weak, id: 3).at(100), SynthCommand.endTexture(id: 3).at(200_000)]
        let samples = render(commands, frames: 240_000)
        #expect(largestStep(samples[...]) < peak(samples) * 0.075)
        #expect(samples[206_000...].allSatisfy { $0 == 0 })
    }

    /// A lock, not a golden value: FNV-1a of the samples' bits, as this engine gave them when it was written. Whoever changes the sound of
    /// textures changes it, too. `TextureSoundTests` has the release program give the same samples.
    @Test func `the standard theme's textures are the same samples in every build`() {
        var hashes: [String: UInt64] = [:]
        for (name, texture) in Theme.standard.textures {
            hashes[name] = render([SynthCommand.texture(texture, id: 77).at(0)], frames: 24_000).reduce(0xCBF2_9CE4_8422_2325) { hash, sample in
                (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01B3
            }
        }
        #expect(hashes == [
            "pant-healthy": 0xC1585081F20810A7, "pant-sick": 0xFF2F288E3CD771B6, "purr-concerned": 0x8FEA79F333D292B7,
            "purr-healthy": 0x1D46BD904BA4BDEE, "purr-sick": 0x30CEF9C505C230B3, "purr-tired": 0x47A032687353468B,
            "purr-weak": 0x184780AFB1E60A93,
        ])
    }

    @Test func `a texture that sounds already goes on, one that is told to end twice ends once, and two sound together`() {
        let one = SynthCommand.texture(Self.weak, id: 3)
        let once = render([one.at(0), SynthCommand.endTexture(id: 3).at(5_000)], frames: 20_000)
        let twice = render([one.at(0), one.at(900), SynthCommand.endTexture(id: 3).at(5_000), SynthCommand.endTexture(id: 3).at(5_900)],
                           frames: 20_000)
        #expect(once == twice)
        let other = render([SynthCommand.texture(Self.weak, id: 5).at(0)], frames: 20_000)
        let both = render([one.at(0), SynthCommand.texture(Self.weak, id: 5).at(0)], frames: 4_000)
        #expect(zip(both, zip(once, other)).allSatisfy { abs($0 - ($1.0 + $1.1)) < 1e-6 })
        #expect(once[..<4_000] != other[..<4_000])
    }

    @Test func `the fifth is refused and counted`() {
        var timeline = Timeline(EngineSettings())
        for id in 1...5 { timeline.apply(.texture(Self.weak, id: UInt64(id))) }
        #expect(timeline.engine.counters.refusedTextures == 1)
    }

    @Test func `what is felt pulses with what is heard, in step`() {
        let bank = WaveformBank(touches: [[]])
        let texture = Texture(level: Decibels(-20), noise: Self.band, pulse: .init(rate: Hertz(25), depth: 1, gaps: 0.5),
                              touch: .init(intensity: 0.5, sharpness: 1), attack: .milliseconds(5), release: .milliseconds(5))
        var timeline = Timeline(EngineSettings(bank: bank))
        timeline.apply(.texture(texture, id: 1))
        var samples = [Float](repeating: 0, count: 2 * 96_000)
        samples.withUnsafeMutableBufferPointer { buffer in
            var out = buffer.mutableSpan
            var written = 0
            for end in stride(from: 331, through: 96_000, by: 331) {
                written += timeline.render(until: Frame(Int64(end)), into: &out, at: written)
            }
        }
        // Cycles of 1,920 frames: heard ones are felt, silent ones are not.
        let latency = Int(timeline.engine.latency.rawValue)
        var felt = 0
        for cycle in 0..<49 {
            let middle = (latency + cycle * 1_920 + 700)..<(latency + cycle * 1_920 + 1_400)
            let heardPower = middle.reduce(0.0) { $0 + Double(samples[2 * $1] * samples[2 * $1]) }
            let feltPower = middle.reduce(0.0) { $0 + Double(samples[2 * $1 + 1] * samples[2 * $1 + 1]) }
            #expect((heardPower > 1e-6) == (feltPower > 1e-6), "cycle \(cycle)")
            if feltPower > 1e-6 { felt += 1 }
        }
        #expect((12...37).contains(felt))
        #expect(abs(peak((0..<96_000).map { samples[2 * $0 + 1] }) - 0.5) < 0.01)
    }
}
