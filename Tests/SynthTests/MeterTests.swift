import Signals
import Synth
import Testing
import Units

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
        let reading = try #require(bench.renderer.levels.reading(of: Frame(Int64(rate / 10))..<Frame(Int64(rate / 2))))
        #expect(abs(Self.decibels(reading.peak) + 12) < 0.05)
        #expect(abs(Self.decibels(reading.meanSquare.squareRoot()) + 12 + 3.0103) < 0.05)
    }

    @Test func `what is rendered again is measured again, and what was heard stays`() throws {
        var bench = Bench()
        bench.fill(to: 9_600)
        let levels = bench.renderer.levels
        #expect(levels.reading(of: Frame(0)..<Frame(9_600)) == MeterReading(peak: 0, meanSquare: 0, weightedMeanSquare: 0))
        bench.send(Self.tone, due: 0)
        _ = bench.revise(from: 5_000)
        #expect(levels.reading(of: Frame(0)..<Frame(4_700))?.peak == 0)
        let after = try #require(levels.reading(of: Frame(5_500)..<Frame(9_000)))
        #expect(abs(Self.decibels(after.peak) + 12) < 0.05)
        // And it is what was written.
        let written = bench.written[5_610..<8_925]
        #expect(abs(after.peak - peak(written)) < 1e-3)
    }

    @Test func `nothing is known of what is not rendered, or too long ago`() {
        var bench = Bench()
        bench.fill(to: 48_000 * 4)
        let levels = bench.renderer.levels
        #expect(levels.reading(of: Frame(48_000 * 5)..<Frame(48_000 * 6)) == nil)
        #expect(levels.reading(of: Frame(0)..<Frame(4_800)) == nil)
        #expect(levels.reading(of: Frame(48_000 * 3)..<Frame(48_000 * 4)) != nil)
    }

    /// Against an engine that was told everything in time, bit for bit.
    @Test func `what is weighted anew goes on from what was weighted before it`() throws {
        let change: [SynthCommand] = [.pitch(Hertz(150), glide: .zero), .level(Decibels(-20))]
        var revised = Bench()
        var ahead = Bench()
        for due in [0, 20_000] {
            ahead.send(due == 0 ? Self.tone : change, due: due)
        }
        _ = ahead.revise(from: 0)
        ahead.fill(to: 40_000)
        revised.send(Self.tone, due: 0)
        _ = revised.revise(from: 0)
        revised.fill(to: 33_333)
        revised.send(change, due: 20_000)
        #expect(revised.revise(from: 20_000) == 20_000)
        revised.fill(to: 40_000)
        let blocks = stride(from: 10_000, to: 39_000, by: 255)
        for start in blocks {
            let frames = Frame(Int64(start))..<Frame(Int64(start + 255))
            let reading = try #require(revised.renderer.levels.reading(of: frames))
            #expect(reading == ahead.renderer.levels.reading(of: frames), "from \(start)")
            #expect(reading.weightedMeanSquare > 0)
        }
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
        let levels = bench.renderer.levels
        #expect(levels.reading(of: Frame(46_000)..<Frame(47_900))?.weightedMeanSquare == 0)
        let after = try #require(levels.reading(of: Frame(60_000)..<Frame(96_000)))
        #expect(abs(Self.decibels(after.weightedMeanSquare.squareRoot()) + 12 + 3.0103) < 0.05)
    }
}
