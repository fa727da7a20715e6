import CEbur128
import Foundation
import Testing
import TestSupport
import Units

@testable import Loudness

/// What libebur128 finds of the same samples is expected, to the last bit.
@Suite struct TruePeakMeterTests {
    private func expected(_ samples: [Float], _ hertz: Int, channels: Int) -> Double {
        var state: UnsafeMutablePointer<ebur128_state>? = ebur128_init(UInt32(channels), UInt(hertz),
                                                                       Int32(EBUR128_MODE_TRUE_PEAK.rawValue))
        defer { ebur128_destroy(&state) }
        #expect(ebur128_add_frames_float(state, samples, samples.count / channels) == Int32(EBUR128_SUCCESS.rawValue))
        return (0..<channels).map { channel in
            var peak = 0.0
            ebur128_true_peak(state, UInt32(channel), &peak)
            return peak
        }.max() ?? 0
    }

    private func measured(_ samples: [Float], _ hertz: Int, channels: Int, block: Int) throws -> TruePeakMeter {
        var meter = TruePeakMeter(rate: try #require(SampleRate(hertz)), channels: channels)
        for start in stride(from: 0, to: samples.count, by: block * channels) {
            meter.add(samples[start..<min(samples.count, start + block * channels)].span)
        }
        return meter
    }

    @Test(arguments: [8_000, 44_100, 48_000, 96_000, 192_000], [1, 2])
    func `the peak is that of libebur128, whatever is passed over and however the sound comes in blocks`(hertz: Int, channels: Int) throws {
        var dice = SplitMix64(seed: 5)
        for _ in 0..<20 {
            // Louder and quieter stretches of noise and tones with silence between them.
            var samples: [Float] = []
            for _ in 0..<12 {
                let (level, turn) = (Float.random(in: 0...1, using: &dice), Double.random(in: 0.01...3.1, using: &dice))
                let isNoise = Bool.random(using: &dice)
                for frame in 0..<Int.random(in: 1...700, using: &dice) {
                    for channel in 0..<channels {
                        let tone = Float(sin(turn * Double(frame + 7 * channel)))
                        samples.append(level * level * level * (isNoise ? Float.random(in: -1...1, using: &dice) : tone))
                    }
                }
                samples += [Float](repeating: 0, count: channels * Int.random(in: 0...90, using: &dice))
            }
            let peak = expected(samples, hertz, channels: channels)
            for block in [1, 64, 777, 100_000] {
                #expect(try Double(measured(samples, hertz, channels: channels, block: block).peak) == peak, "blocks of \(block)")
            }
        }
    }

    @Test func `after a loud chime a tone at half of its level is passed over`() throws {
        let chime = (0..<4_800).map { Float(sin(0.3 * Double($0))) }
        let tone = (0..<480_000).map { Float(0.5 * sin(0.1 * Double($0))) }
        let meter = try measured(chime + tone, 48_000, channels: 1, block: 16_384)
        #expect(meter.interpolatedFrames < 5_000 && meter.peak >= 0.999)
    }
}
