import Foundation
import Signals
import Synth
import Testing
import Units

@Suite struct GlideTests {
    private func note(_ glide: ChimeNote.Glide?) -> SynthCommand {
        .note(NoteCommand(ChimeNote(start: .zero, frequency: Hertz(147), level: Decibels(-20), attack: .milliseconds(1), decay: Seconds(30),
                                    partials: [Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 2, level: Decibels(-6))], glide: glide)))
    }

    /// The phase of a frequency that falls evenly is the integral of a straight line: f·t + (g − f)·t²/(2T), and from T on g·t more.
    @Test func `a note's partials glide evenly to another pitch, and stay there`() {
        let latency = Int(Engine(EngineSettings()).latency.rawValue)
        let samples = render([note(ChimeNote.Glide(to: Hertz(125), time: Seconds(2))).at(0)], frames: 144_000)
        let magnitude = 0.1
        var largest = 0.0
        for n in stride(from: 480, to: 143_000, by: 7) {
            let t = Double(n) / 48_000
            let turns = t < 2 ? 147 * t - 22 * t * t / 4 : 147 * 2 - 22 + 125 * (t - 2)
            let decay = pow(10, -3 * t / 30)
            let expected = magnitude * decay * (sin(2 * .pi * turns) + pow(10, -0.3) * sin(4 * .pi * turns))
            largest = max(largest, abs(Double(samples[n + latency]) - expected))
        }
        // Steps of 2⁻³² turns add up to a few parts in a million in 3 s.
        #expect(largest < 2e-4, "\(largest)")
    }

    @Test(arguments: [1, 7, 4_096]) func `blocks of any size give the same samples`(block: Int) {
        let commands = [note(ChimeNote.Glide(to: Hertz(300), time: Seconds(0.1))).at(13), note(nil).at(1_001), SynthCommand.stop.at(9_001)]
        #expect(render(commands, frames: 12_000, block: block) == render(commands, frames: 12_000))
    }
}
