import Foundation
import Signals
import Synth
import Testing
import Units

private let latency = Int(Engine(EngineSettings()).latency.rawValue)

@Suite struct NotesTests {
    @Test func `a note is its closed form: partials under attack and decay`() {
        let partials = [Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 2.5, level: Decibels(-12))]
        let samples = render([SynthCommand.note(500, start: 0.01, level: -10, attack: 0.004, decay: 0.5, partials: partials).at(100)],
                             frames: 24_000)
        let begin = 100 + 480
        #expect(peak(samples[..<(begin + latency)]) == 0)
        for n in stride(from: 0, to: 20_000, by: 13) {
            let time = Double(n) / 48_000
            let rise = min(1, Double(n + 1) / 192)
            let envelope = (0.5 - 0.5 * cos(.pi * rise)) * pow(10, -3 * time / 0.5) * pow(10, -10.0 / 20)
            let sum = sin(2 * .pi * 500 * time) + pow(10, -12.0 / 20) * sin(2 * .pi * 1250 * time)
            #expect(abs(Double(samples[begin + n + latency]) - envelope * sum) < 2e-6, "frame \(n)")
        }
    }

    @Test func `a note ends in silence without a step`() {
        let samples = render([SynthCommand.note(700, decay: 0.1).at(0)], frames: 20_000)
        // From −16 to −110 dBFS at 60 dB in 0.1 s are 0.1567 s; with attack and the last fade, 7,904 frames.
        #expect(peak(samples[(7_905 + latency)...]) == 0)
        #expect(peak(samples[(7_600 + latency)..<(7_800 + latency)]) > 0)
        #expect(largestStep(samples[7_000...]) < 1e-5)
    }

    @Test func `32 notes sound at once and the 33rd fades the oldest out, counted`() {
        var timeline = Timeline(EngineSettings(ceiling: Decibels(0)))
        let notes = (0..<32).map { SynthCommand.note(200 + Double($0) * 100, level: -40, decay: 30).at(0) }
        _ = render(notes, on: &timeline, frames: 4_800)
        #expect(timeline.engine.counters.stolenNotes == 0)
        let before = timeline
        let next = render([SynthCommand.note(9_000, level: -40, decay: 30).at(4_800)], on: &timeline, frames: 9_600)
        #expect(timeline.engine.counters.stolenNotes == 1)
        #expect(timeline.engine.counters.refusedNotes == 0)
        // The oldest, at 200 Hz, is gone; its neighbour is not; the new one sounds.
        #expect(amplitude(next[4_800...], 200) < 0.0005)
        #expect(amplitude(next[4_800...], 300) > 0.008)
        #expect(amplitude(next[4_800...], 9_000) > 0.008)
        // Without the 33rd the oldest would sound on.
        var other = before
        #expect(amplitude(render([], on: &other, frames: 9_600)[4_800...], 200) > 0.008)
    }

    @Test func `a storm of notes neither clicks nor fails, and every loss is counted`() {
        var timeline = Timeline(EngineSettings())
        let notes = (0..<400).map { SynthCommand.note(300, level: -50, attack: 0.005, decay: 10).at($0) }
        let samples = render(notes, on: &timeline, frames: 48_000)
        let counters = timeline.engine.counters
        #expect(counters.stolenNotes + counters.refusedNotes == 400 - 32)
        #expect(counters.refusedNotes > 0)
        // 48 notes at −50 dBFS and 300 Hz at most: 48 · 10^(−50/20) · 2π·300/48,000, and as much again for their fades.
        #expect(largestStep(samples[...]) < Float(48 * 0.00316 * 0.0393 * 2))
    }

    @Test func `stop fades what sounds and cancels what waits`() {
        let samples = render([SynthCommand.note(600, decay: 5).at(0), SynthCommand.note(900, start: 0.5, decay: 5).at(0),
                              SynthCommand.stop.at(12_000)], frames: 48_000)
        #expect(peak(samples[(11_000 + latency)..<(12_000 + latency)]) > 0.05)
        #expect(peak(samples[(12_480 + latency)...]) == 0)
    }

    @Test func `partials above half the rate are left out`() {
        let partials = [Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 10, level: Decibels(0))]
        let both = render([SynthCommand.note(3_000, partials: partials).at(0)], frames: 9_600)
        let one = render([SynthCommand.note(3_000).at(0)], frames: 9_600)
        let same = both == one
        #expect(same)
    }

    /// Of the component at `frequency`, by correlation.
    private func amplitude(_ samples: ArraySlice<Float>, _ frequency: Double) -> Double {
        var re = 0.0
        var im = 0.0
        for (n, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(n) / 48_000
            re += Double(sample) * cos(angle)
            im += Double(sample) * sin(angle)
        }
        return 2 * (re * re + im * im).squareRoot() / Double(samples.count)
    }
}
