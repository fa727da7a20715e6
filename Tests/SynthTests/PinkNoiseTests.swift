import Foundation
import Signals
import Synth
import Testing
import Units

/// Pink noise has the same power in every octave: its spectrum is that of 1/f, which falls by 10·log10(2) = 3.01 dB an octave.
@Suite struct PinkNoiseTests {
    private func samples(_ seconds: Int, level: Double = -20, rate: SampleRate = .standard, block: Int = 480) -> [Float] {
        render([SynthCommand.noise(Decibels(level)).at(0)], frames: seconds * Int(rate.hertz), block: block,
               settings: EngineSettings(rate: rate, ceiling: Decibels(0)))
    }

    private func decibels(_ power: Double) -> Double { 10 * log10(power) }

    private func power(_ samples: some Collection<Float>) -> Double {
        samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    /// The power about `frequency`, over stretches of 4,096 frames under a Hann window: a plain Fourier sum, by a turning pointer.
    private func spectrum(_ samples: ArraySlice<Float>, at frequency: Double) -> Double {
        let length = 4_096
        let angle = 2 * Double.pi * frequency / 48_000
        var sum = 0.0
        for start in stride(from: samples.startIndex, to: samples.endIndex - length, by: length) {
            var (a, b) = (0.0, 0.0)
            for n in 0..<length {
                let value = Double(samples[start + n]) * (0.5 - 0.5 * cos(2 * .pi * Double(n) / Double(length)))
                a += value * cos(angle * Double(n))
                b += value * sin(angle * Double(n))
            }
            sum += a * a + b * b
        }
        return sum
    }

    @Test(arguments: [8_000, 44_100, 48_000, 96_000])
    func `the level is that of its RMS, within 0.3 dB at any rate`(hertz: Int) throws {
        let rate = try #require(SampleRate(hertz))
        let measured = decibels(power(samples(12, rate: rate).dropFirst(hertz)))
        #expect(abs(measured - -20) < 0.3, "\(measured) dBFS")
    }

    @Test func `it falls by 3 dB an octave, within 1 dB from 125 Hz to 8 kHz`() {
        let noise = samples(12)[48_000...]
        // Five frequencies each, a twelfth of an octave apart at most, make the estimate steady.
        let octaves = [125.0, 1_000, 8_000].map { middle -> Double in
            var sum = 0.0
            for step in [-2.0, -1, 0, 1, 2] {
                let frequency: Double = middle * pow(2, step / 24)
                sum += spectrum(noise, at: frequency) * frequency
            }
            return sum
        }
        let levels = octaves.map { decibels($0 / octaves[1]) }
        #expect(levels.allSatisfy { abs($0) < 1 }, "\(levels) dB about 1 kHz")
    }

    /// A sum of relaxation spectra of the same power, with the corners f, has the correlation Σ exp(−2π·f·lag/rate) ÷ their number.
    @Test func `its correlation is that of relaxations an octave apart`() {
        let noise = samples(20)[48_000...].map(Double.init)
        let corners = (0..<12).map { 10 * pow(2, Double($0)) } as [Double]
        let whole = noise.reduce(0.0) { $0 + $1 * $1 }
        for lag in [1, 4, 16, 64, 256] {
            let sum = zip(noise, noise.dropFirst(lag)).reduce(0.0) { $0 + $1.0 * $1.1 }
            let expected = corners.reduce(0.0) { $0 + exp(-2 * Double.pi * $1 * Double(lag) / 48_000) } / 12
            #expect(abs(sum / whole - expected) < 0.03, "\(lag) frames")
        }
    }

    @Test func `it is the same in blocks of any length, from the same frame on each time`() {
        let once = samples(1)
        #expect(samples(1, block: 77) == once)
        let again = render([SynthCommand.noise(Decibels(-20)).at(0), SynthCommand.endNoise.at(24_000), SynthCommand.noise(Decibels(-20)).at(48_000)],
                           frames: 72_000, settings: EngineSettings(ceiling: Decibels(0)))
        #expect(Array(again[48_000...]) == Array(once[..<24_000]))
        #expect(again[26_000..<48_000].allSatisfy { $0 == 0 })
    }

    @Test func `it passes no ceiling, is taken away by a mute, and ends with everything else`() {
        func played(_ command: SynthCommand, ceiling: Double = 0) -> ArraySlice<Float> {
            render([SynthCommand.noise(Decibels(-14)).at(0), command.at(24_000)], frames: 48_000,
                   settings: EngineSettings(ceiling: Decibels(ceiling)))[26_000...]
        }
        #expect(peak(played(.mute(false), ceiling: -20)) <= 0.10001)
        #expect(peak(played(.mute(false))) > 0.4)
        for command in [SynthCommand.mute(true), .stop, .endNoise] { #expect(peak(played(command)) == 0) }
    }
}
