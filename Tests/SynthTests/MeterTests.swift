import Foundation
import Signals
import Testing
import TestSupport
import Units
@testable import Synth

@Suite struct MeterTests {
    private static let tone: [SynthCommand] = [.pitch(Hertz(1_000), glide: .zero), .level(Decibels(-12)), .gate(open: true)]

    private static func decibels(_ value: Float) -> Double { Magnitude(value).decibels?.rawValue ?? -.infinity }

    /// Of a sine the peak is its level, and the root mean square 10·log10(2) dB below.
    @Test(arguments: [8_000, 48_000, 192_000])
    func `a sine's peak is its level, and its root mean square 3 dB below`(rate: Int) throws {
        var bench = Bench(EngineSettings(rate: try #require(SampleRate(rate))))
        bench.send(Self.tone, due: 0)
        bench.fill(to: 10)
        _ = bench.revise(from: 0)
        bench.fill(to: rate / 2)
        let reading = try #require(Meter(bench.renderer.frames).reading(of: Frame(Int64(rate / 10))..<Frame(Int64(rate / 2))))
        #expect(abs(Self.decibels(reading.peak) + 12) < 0.05)
        #expect(abs(Self.decibels(reading.meanSquare.squareRoot()) + 12 + 3.0103) < 0.05)
    }

    /// Of what a session's events give, each revising what was rendered ahead: against the whole of what was written in the end, weighted
    /// from its beginning to its end.
    @Test(arguments: 0..<(Int(ProcessInfo.processInfo.environment["THRUMDEV_METER_SESSIONS"] ?? "") ?? 5))
    func `what was played is measured, as it was written last, in whatever pieces somebody asks`(session: Int) throws {
        var random = SplitMix64(seed: UInt64(session))
        var bench = Bench()
        let meter = Meter(bench.renderer.frames)
        let blockLength = 255
        var asked = 0
        var readings: [(range: Range<Int>, reading: MeterReading)] = []
        for heard in stride(from: 0, to: 40_000, by: 500) {
            if random.next() % 3 == 0 {
                bench.send([.pitch(Hertz(Double(UInt64(100) + random.next() % 4_000)), glide: .zero), .level(Decibels(-Double(random.next() % 40))),
                            .gate(open: random.next() % 4 != 0)], due: heard + 600)
            }
            _ = bench.revise(from: heard + 100)
            bench.fill(to: heard + 9_600)
            guard random.next() % 5 == 0, heard > asked + blockLength else { continue }
            readings.append((asked..<heard, try #require(meter.reading(of: Frame(Int64(asked))..<Frame(Int64(heard))))))
            asked = heard
        }
        let weighting = AWeighting(rate: .standard)
        var memory = AWeighting.Memory()
        let blocks = (0..<asked / blockLength).map { number in
            let samples = Array(bench.written[number * blockLength..<(number + 1) * blockLength])
            defer { memory = memory.settled }
            return (energy: weighting.energy(of: samples.span, memory: &memory), peak: peak(samples[...]))
        }
        #expect(!readings.isEmpty && blocks.contains { $0.energy > 0 })
        for (range, reading) in readings {
            let whole = blocks[range.lowerBound / blockLength..<range.upperBound / blockLength]
            let energy = whole.map(\.energy).reduce(0, +) / Double(whole.count * blockLength)
            #expect(abs(Double(reading.weightedMeanSquare) - energy) <= 1e-5 * energy, "frames \(range)")
            #expect(reading.peak == whole.map(\.peak).max(), "frames \(range)")
        }
    }

    @Test func `what was asked for once is told again, and is not what is rendered since`() throws {
        var bench = Bench()
        bench.fill(to: 9_600)
        let meter = Meter(bench.renderer.frames)
        let silence = MeterReading(peak: 0, meanSquare: 0, weightedMeanSquare: 0)
        #expect(meter.reading(of: Frame(0)..<Frame(4_800)) == silence)
        bench.send(Self.tone, due: 0)
        _ = bench.revise(from: 5_000)
        #expect(meter.reading(of: Frame(0)..<Frame(4_800)) == silence)
        let after = try #require(meter.reading(of: Frame(5_500)..<Frame(9_000)))
        #expect(abs(Self.decibels(after.peak) + 12) < 0.05)
    }

    @Test func `nothing is known of what is not rendered, or too long ago`() {
        var bench = Bench()
        bench.fill(to: 48_000 * 4)
        let levels = Meter(bench.renderer.frames)
        #expect(levels.reading(of: Frame(48_000 * 5)..<Frame(48_000 * 6)) == nil)
        #expect(levels.reading(of: Frame(0)..<Frame(4_800)) == nil)
        #expect(levels.reading(of: Frame(48_000 * 3)..<Frame(48_000 * 4)) != nil)
    }

    @Test func `a new session is weighted as if none had been before`() throws {
        var bench = Bench()
        bench.send([.pitch(Hertz(60), glide: .zero), .level(Decibels(0)), .gate(open: true)], due: 0)
        _ = bench.revise(from: 0)
        bench.fill(to: 20_000)
        bench.send([.reset(ceiling: Decibels(-1))], due: 20_000)
        bench.send(Self.tone, due: 48_000)
        _ = bench.revise(from: 20_000)
        bench.fill(to: 96_000)
        let levels = Meter(bench.renderer.frames)
        #expect(levels.reading(of: Frame(46_000)..<Frame(47_900))?.weightedMeanSquare == 0)
        let after = try #require(levels.reading(of: Frame(60_000)..<Frame(96_000)))
        #expect(abs(Self.decibels(after.weightedMeanSquare.squareRoot()) + 12 + 3.0103) < 0.05)
    }
}
