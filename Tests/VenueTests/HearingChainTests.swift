import Foundation
import Realtime
import Signals
import Synth
import Testing
import Units
import Venue

/// The dose of what the engine renders, as its meter measures it.
@Suite struct HearingChainTests {
    /// The closed forms of IEC 61672-1 for the weighting and of NIOSH 98-126 for the dose, within 0.1 dB.
    @Test(arguments: [100.0, 1_000, 2_500, 5_000], [48_000, 44_100])
    func `a steady tone makes the dose of its level`(frequency: Double, rate: Int) throws {
        let rate = try #require(SampleRate(rate))
        let commands = [SynthCommand.pitch(Hertz(frequency), glide: .zero), .level(Decibels(-12)), .gate(open: true)]
        let found = try dose(of: [.event(due: Due(.zero), gap: .zero)] + commands.map { .command($0) }, SpeechTrack(rate: rate))
        let level = 100 - 12 + Self.weighting(frequency) - Self.weighting(1_000)
        #expect(abs(10 * log10(found / Self.dose(at: level))) < 0.1)
    }

    @Test func `what is spoken makes the dose of its level, too`() throws {
        var track = SpeechTrack(rate: .standard)
        let amplitude = pow(10, -12.0 / 20)
        let speech = track.put((0..<144_000).map { Float(amplitude * sin(2 * Double.pi * 1_000 * Double($0) / 48_000)) })
        let found = try dose(of: [.aside(speech)], track)
        #expect(abs(10 * log10(found / Self.dose(at: 100 - 12))) < 0.1)
    }

    /// Returns the dose of the 2 s that follow 0.5 s after `instructions`.
    private func dose(of sent: [Instruction], _ speech: borrowing SpeechTrack) throws -> Double {
        let (rate, sound) = (speech.rate, speech.sound)
        let instructions = Ring.make(of: Instruction.self, capacity: 64)
        let notices = Ring.make(of: Notice.self, capacity: 64)
        let reports = Latest.make(OutputReport())
        var renderer = Renderer(EngineSettings(rate: rate, speech: sound), speech: sound, instructions: instructions.consumer,
                                notices: notices.producer, reports: reports.writer)
        var control = instructions.producer
        for instruction in sent { _ = control.stage(instruction) }
        control.publish()
        _ = renderer.revise(from: .zero)

        let settings = HearingSettings(calibration: SoundLevel(100))
        let meter = Meter(renderer.frames)
        var ears = HearingGuard(settings)
        let piece = Int(rate.hertz) / 2
        var samples = [Float](repeating: 0, count: piece)
        for number in 0..<5 {
            let start = renderer.position
            samples.withUnsafeMutableBufferPointer { buffer in
                var span = buffer.mutableSpan
                renderer.render(into: &span, at: 0, count: piece)
            }
            // The first has the beginning in it.
            guard number > 0 else { continue }
            let reading = try #require(meter.reading(of: start..<renderer.position))
            ears.account(weightedMeanSquare: reading.weightedMeanSquare, for: Seconds(0.5), on: 1)
        }
        return ears.readings.dayDose
    }

    /// The dose of 2 s at a level, in dB(A).
    private static func dose(at level: Double) -> Double { 100 * 2 / (8 * 3600 / pow(2, (level - 85) / 3)) }

    private static func weighting(_ f: Double) -> Double {
        let (f1, f2, f3, f4) = (20.598997, 107.65265, 737.86223, 12_194.217)
        return 20 * log10(f4 * f4 * pow(f, 4) / ((f * f + f1 * f1) * sqrt((f * f + f2 * f2) * (f * f + f3 * f3)) * (f * f + f4 * f4)))
    }
}
