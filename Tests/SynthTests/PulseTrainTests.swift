import Signals
import Testing
import Units

@testable import Synth

@Suite struct PulseTrainTests {
    /// At 8 kHz a group of eight frames is a tenth of a pulse of 100 Hz, and more than 1/32 of any above 31 Hz.
    @Test(arguments: [20.0, 45, 70, 100]) func `what is left out goes and comes back without a step, however fast pulses are`(hertz: Double) throws {
        let rate = try #require(SampleRate(8_000))
        var pulses = PulseTrain(Texture.Pulse(rate: Hertz(hertz), depth: 0.2, gaps: 0.5), seed: 5, rate: rate)
        var last: Float?
        var largest: Float = 0
        var silent = 0
        for _ in 0..<4_000 {
            let gains = pulses.gains
            for lane in 0..<8 {
                if let last { largest = max(largest, (gains[lane] - last).magnitude) }
                last = gains[lane]
                if gains[lane] == 0 { silent += 1 }
            }
            pulses.advance(isInhaling: false)
        }
        // Within the first quarter of a pulse, less its first group: a raised cosine's steepest is π/2 of its mean.
        let frames = 8_000 / hertz
        #expect(Double(largest) < 1.7 / (frames / 4 - max(8, frames / 32)), "\(largest)")
        #expect(silent > 8_000)
    }
}
