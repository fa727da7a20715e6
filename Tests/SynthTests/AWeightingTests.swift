import Foundation
import Testing
import Units
@testable import Synth

/// Against the closed form of IEC 61672-1, annex E, which is written down here once more.
@Suite struct AWeightingTests {
    /// In decibels, 0 at 1 kHz.
    private static func closedForm(_ frequency: Double) -> Double {
        func response(_ f: Double) -> Double {
            let (f1, f2, f3, f4) = (20.598997, 107.65265, 737.86223, 12_194.217)
            return f4 * f4 * f * f * f * f
                / ((f * f + f1 * f1) * ((f * f + f2 * f2) * (f * f + f3 * f3)).squareRoot() * (f * f + f4 * f4))
        }
        return 20 * log10(response(frequency) / response(1_000))
    }

    /// What the meter reads of a sine of full scale after it has settled, relative to its unweighted mean square of one half.
    private static func measured(_ frequency: Double, rate: Int) throws -> Double {
        let samples = (0..<rate).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
        let meter = try MeterBench(rate: rate, samples: samples)
        return 10 * log10(2 * Double(meter.reading(from: rate / 10, to: rate).weightedMeanSquare))
    }

    @Test(arguments: [44_100, 48_000, 96_000, 192_000])
    func `from 50 Hz to 5 kHz it is within 0.02 dB of the standard, and within 0.1 dB to 10 kHz`(rate: Int) throws {
        #expect(abs(try Self.measured(1_000, rate: rate)) < 0.005)
        for frequency in [50.0, 63, 125, 250, 500, 2_000, 4_000, 5_000] {
            #expect(abs(try Self.measured(frequency, rate: rate) - Self.closedForm(frequency)) < 0.02, "\(frequency) Hz")
        }
        #expect(abs(try Self.measured(10_000, rate: rate) - Self.closedForm(10_000)) < 0.1)
    }

    @Test(arguments: [8_000, 11_025, 22_050, 32_000])
    func `at low rates it is within 0.2 dB up to 0.3 of the rate`(rate: Int) throws {
        for frequency in [50.0, 250, 1_000, 0.2 * Double(rate), 0.3 * Double(rate)] {
            #expect(abs(try Self.measured(frequency, rate: rate) - Self.closedForm(frequency)) < 0.2, "\(frequency) Hz")
        }
    }

    /// From table 3 of IEC 61672-1, which rounds to a tenth. Its frequencies are 1,000·10^(n/10) Hz, and their names are rounder.
    @Test(arguments: [(31.623, -39.4), (100, -19.1), (1_000, 0), (2_511.9, 1.3), (7_943.3, -1.1)])
    func `it has the standard's table of values`(frequency: Double, level: Double) throws {
        #expect(abs(try Self.measured(frequency, rate: 48_000) - level) < 0.1)
    }

    @Test func `only the sound is weighted, not what a transducer gets`() throws {
        let sound = (0..<24_000).map { Float(0.25 * sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
        let alone = try MeterBench(rate: 48_000, samples: sound)
        let both = try MeterBench(rate: 48_000, samples: sound.flatMap { [$0, 1] }, channels: 2)
        #expect(both.reading(from: 4_800, to: 23_000) == alone.reading(from: 4_800, to: 23_000))
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func `a sample that is no number is forgotten with its block`(sample: Float) throws {
        var samples = (0..<48_000).map { Float(sin(2 * .pi * 1_000 * Double($0) / 48_000)) }
        samples[1_000] = sample
        let reading = try MeterBench(rate: 48_000, samples: samples).reading(from: 24_000, to: 47_000)
        #expect(abs(reading.weightedMeanSquare - 0.5) < 0.001)
    }

    @Test func `after a sound comes silence, without an end that never ends`() throws {
        let samples = (0..<96_000).map { $0 < 24_000 ? Float(sin(2 * .pi * 40 * Double($0) / 48_000)) : 0 }
        let meter = try MeterBench(rate: 48_000, samples: samples)
        #expect(meter.reading(from: 40_000, to: 95_000).weightedMeanSquare == 0)
    }
}

/// A meter of a renderer that has rendered `samples`, in pieces that lie across the meter's blocks.
private struct MeterBench {
    private let meter: Meter

    init(rate: Int, samples: [Float], channels: Int = 1) throws {
        let rate = try #require(SampleRate(rate))
        let frames = samples.count / channels
        var sent = SentFrames(rate: rate, reach: Seconds(2), channels: channels)
        meter = Meter(sent.reader)
        var samples = samples
        samples.withUnsafeMutableBufferPointer { buffer in
            let span = buffer.mutableSpan
            for frame in stride(from: 0, to: frames, by: 100) {
                sent.keep(span, at: frame, count: min(100, frames - frame), as: Frame(Int64(frame)))
            }
        }
    }

    func reading(from start: Int, to end: Int) -> MeterReading {
        meter.reading(of: Frame(Int64(start))..<Frame(Int64(end))) ?? MeterReading(peak: .nan, meanSquare: .nan, weightedMeanSquare: .nan)
    }
}
