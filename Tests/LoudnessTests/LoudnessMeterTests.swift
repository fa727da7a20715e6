import Foundation
import Loudness
import Testing
import Units

/// Signals and expected readings of EBU Tech 3341 and 3342, version 4.0, some of them shorter: what the gates let through is the same.
@Suite struct LoudnessMeterTests {
    private struct Reading {
        var integrated: Double?
        var momentary: Double?
        var range: Double
        /// In dBTP.
        var truePeak: Double?

        init(_ meter: borrowing LoudnessMeter) {
            integrated = meter.integrated
            momentary = meter.momentary
            range = meter.range
            truePeak = meter.truePeak.decibels?.rawValue
        }
    }

    private func isNear(_ found: Double?, _ expected: Double, within limit: Double) -> Bool {
        found.map { abs($0 - expected) < limit } ?? false
    }

    /// Pieces of a sine, each of so many seconds at a level in dBFS, on both channels alike.
    private func sine(_ pieces: [(seconds: Double, level: Double)], channels: Int = 2, isDoubled: Bool = false) -> Reading {
        var meter = LoudnessMeter(rate: .standard, channels: channels, isDoubled: isDoubled)
        // A whole number of turns of 1 kHz.
        let turn = (0..<48).map { Float(sin(2 * .pi * Double($0) / 48)) }
        for piece in pieces {
            let gain = Float(pow(10, piece.level / 20))
            let block = (0..<100).flatMap { _ in turn.flatMap { Array(repeating: $0 * gain, count: channels) } }
            for _ in 0..<Int(piece.seconds * 10) { meter.add(block.span) }
        }
        return Reading(meter)
    }

    @Test(arguments: [-23.0, -33]) func `a sine of 1 kHz on both channels has as many LUFS as dBFS`(level: Double) throws {
        let meter = sine([(20, level)])
        #expect(isNear(meter.integrated, level, within: 0.1))
        #expect(isNear(meter.momentary, level, within: 0.1))
        #expect(isNear(meter.truePeak, level, within: 0.2))
        #expect(meter.range < 0.1)
    }

    @Test(arguments: [48_000, 44_100, 11_025])
    func `five minutes of silence change nothing of what is around them`(hertz: Int) throws {
        let rate = try #require(SampleRate(hertz))
        /// Every reading of 4 s of sound, silence, and 4 s of other sound, the last two while it sounds.
        func readings(silence frames: Int) -> [Double?] {
            var meter = LoudnessMeter(rate: rate, channels: 1)
            func sound(_ frequency: Double, _ level: Double) {
                let samples = (0..<(4 * hertz)).map { Float(level * sin(2 * .pi * frequency * Double($0) / Double(hertz))) }
                // In blocks that fit nothing.
                for start in stride(from: 0, to: samples.count, by: 777) {
                    let block = samples[start..<min(start + 777, samples.count)]
                    meter.add(block.span)
                }
            }
            sound(997, 0.2)
            for start in stride(from: 0, to: frames, by: 10_000) {
                let block = [Float](repeating: 0, count: min(10_000, frames - start))
                meter.add(block.span)
            }
            let quiet = [meter.momentary, meter.shortTerm]
            sound(440, 0.05)
            return quiet + [meter.integrated, meter.range, Double(meter.truePeak.rawValue), meter.momentary, meter.shortTerm]
        }
        // Of 8 s libebur128 is given every sample. It keeps 3 s in parts of about 100 ms, and counts by ten of them.
        let short = readings(silence: 8 * hertz)
        #expect(short == readings(silence: 8 * hertz + 3_000 * ((hertz + 5) / 10)), "\(short)")
        #expect(short[0] == nil && short[1] == nil && short[2] != nil && short[5] != nil)
    }

    @Test func `one channel is 3 LU less, unless it is played by both speakers`() throws {
        #expect(isNear(sine([(5, -23)], channels: 1).integrated, -26.01, within: 0.1))
        #expect(isNear(sine([(5, -23)], channels: 1, isDoubled: true).integrated, -23, within: 0.1))
    }

    @Test func `what is far below the rest does not count`() throws {
        // Tech 3341, cases 3 and 4.
        #expect(isNear(sine([(10, -36), (30, -23), (10, -36)]).integrated, -23, within: 0.1))
        #expect(isNear(sine([(10, -72), (10, -36), (30, -23), (10, -36), (10, -72)]).integrated, -23, within: 0.1))
    }

    @Test(arguments: [(-20.0, -30.0, 10.0), (-20, -15, 5), (-40, -20, 20)])
    func `the range is that between quiet and loud`(first: Double, second: Double, expected: Double) {
        // Tech 3342, cases 1 to 3.
        #expect(abs(sine([(20, first), (20, second)]).range - expected) < 1)
    }

    @Test func `a peak between two samples is found`() throws {
        // Tech 3341, case 16: a quarter of the rate, a half of full scale, 45° off, so that no sample is larger than 0.354.
        var meter = LoudnessMeter(rate: .standard, channels: 1)
        let block = (0..<48_000).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        meter.add(block.span)
        let peak = try #require(Reading(meter).truePeak)
        #expect(peak < -6.02 + 0.2 && peak > -6.02 - 0.4)
    }

    @Test func `silence has no loudness`() {
        var meter = LoudnessMeter(rate: .standard, channels: 1)
        let nothing = Reading(meter)
        #expect(nothing.integrated == nil && nothing.momentary == nil && nothing.truePeak == nil)
        meter.add([Float](repeating: 0, count: 48_000).span)
        let silence = Reading(meter)
        #expect(silence.integrated == nil && silence.range == 0 && silence.truePeak == nil)
    }
}
