import Foundation
import Signals
import Synth
import Testing
import Units

/// Fits a sine of known frequency by least squares in double precision and returns what is left over, in dB below it.
private func distortionAndNoise(_ samples: ArraySlice<Float>, turnsPerFrame: Double) -> Double {
    // Normal equations for a·sin + b·cos + c.
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 3)
    for (n, sample) in samples.enumerated() {
        let angle = 2 * Double.pi * (turnsPerFrame * Double(n)).truncatingRemainder(dividingBy: 1)
        let basis = [sin(angle), cos(angle), 1]
        for row in 0..<3 {
            for column in 0..<3 { matrix[row][column] += basis[row] * basis[column] }
            matrix[row][3] += basis[row] * Double(sample)
        }
    }
    for pivot in 0..<3 {
        for row in 0..<3 where row != pivot {
            let factor = matrix[row][pivot] / matrix[pivot][pivot]
            for column in pivot..<4 { matrix[row][column] -= factor * matrix[pivot][column] }
        }
    }
    let fit = (0..<3).map { matrix[$0][3] / matrix[$0][$0] }
    var rest = 0.0
    for (n, sample) in samples.enumerated() {
        let angle = 2 * Double.pi * (turnsPerFrame * Double(n)).truncatingRemainder(dividingBy: 1)
        let error = Double(sample) - fit[0] * sin(angle) - fit[1] * cos(angle) - fit[2]
        rest += error * error
    }
    let signal = (fit[0] * fit[0] + fit[1] * fit[1]) / 2
    return 10 * log10(rest / Double(samples.count) / signal)
}

@Suite struct PurityTests {
    @Test(arguments: [240.0, 1000, 5000], [8_000, 44_100, 48_000, 192_000])
    func `distortion and noise of the tone are below -110 dB`(frequency: Double, hertz: Int) throws {
        let rate = try #require(SampleRate(hertz))
        guard frequency < Double(hertz) / 2 else { return }
        let samples = render([SynthCommand.pitch(Hertz(frequency), glide: .zero).at(0),
                              SynthCommand.level(Decibels(-6)).at(0), SynthCommand.gate(open: true).at(0)],
                             frames: hertz, settings: EngineSettings(rate: rate))
        let turns = Double(rate.phaseIncrement(Hertz(frequency))) / 0x1p32
        #expect(abs(turns * Double(hertz) - frequency) < frequency * 1e-6)
        let measured = distortionAndNoise(samples[(hertz / 10)...], turnsPerFrame: turns)
        #expect(measured < -110, "\(measured) dB")
    }

    @Test func `the level is exact`() {
        let samples = render([SynthCommand.pitch(Hertz(1000), glide: .zero).at(0), SynthCommand.level(Decibels(-6)).at(0),
                              SynthCommand.gate(open: true).at(0)], frames: 48_000)
        // 10^(−6/20) = 0.501187.
        #expect(abs(peak(samples) - 0.501187) < 1e-5)
    }
}
