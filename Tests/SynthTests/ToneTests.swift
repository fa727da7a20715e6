import Foundation
import Signals
import Synth
import Testing
import Units

private let loud = [SynthCommand.pitch(Hertz(1000), glide: .zero).at(0), SynthCommand.level(Decibels(-6)).at(0)]
private let latency = Int(Engine(EngineSettings()).latency.rawValue)

/// The steepest step of a sine at −6 dBFS: 2π f/rate times its amplitude, a little more for fades and rounding.
private func steepest(_ frequency: Double) -> Float { Float(2 * Double.pi * frequency / 48_000 * 0.5012 * 1.02) }

@Suite struct ToneTests {
    @Test(arguments: [1, 7, 64, 480, 4096])
    func `a gate opens on its exact frame whatever the block size`(block: Int) throws {
        let samples = render(loud + [SynthCommand.gate(open: true).at(1234)], frames: 4000, block: block)
        #expect(peak(samples[..<(1234 + latency)]) == 0)
        #expect(samples[1234 + latency] != 0)
    }

    @Test func `the gate fades as a raised cosine of 5 ms`() {
        // At a quarter of the rate sin is 0, 1, 0, −1: odd frames show the envelope. The phase starts at zero.
        let samples = render([SynthCommand.pitch(Hertz(12_000), glide: .zero).at(0), SynthCommand.level(Decibels(-6)).at(0),
                              SynthCommand.gate(open: true).at(0)], frames: 1000)
        for n in stride(from: 1, to: 400, by: 2) {
            let progress = min(1, Double(n + 1) / 240)
            let expected = 0.5011872 * (0.5 - 0.5 * cos(Double.pi * progress))
            #expect(abs(Double(samples[n + latency].magnitude) - expected) < 1e-6, "frame \(n)")
        }
    }

    @Test func `opening an open gate, or closing a closed one, changes nothing`() {
        let once = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.gate(open: false).at(5_000)], frames: 6_000)
        let twice = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.gate(open: true).at(100),
                                   SynthCommand.gate(open: false).at(5_000), SynthCommand.gate(open: false).at(5_100)], frames: 6_000)
        let same = once == twice
        #expect(same)
    }

    @Test func `a closed gate is silent after its fade`() {
        let samples = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.gate(open: false).at(10_000)],
                             frames: 20_000)
        #expect(peak(samples[(9_000 + latency)..<(10_000 + latency)]) > 0.5)
        #expect(peak(samples[(10_240 + latency)...]) == 0)
    }

    @Test func `opening and closing at any moment never steps more than the sine itself`() {
        var commands = loud
        var frame = 100
        for n in 0..<200 {
            commands.append(SynthCommand.gate(open: n.isMultiple(of: 2)).at(frame))
            frame += 1 + (n * 37) % 300
        }
        let samples = render(commands, frames: frame + 1000)
        #expect(largestStep(samples[...]) <= steepest(1000))
    }

    @Test func `a pitch change keeps the phase`() {
        var commands = loud + [SynthCommand.gate(open: true).at(0)]
        for n in 0..<100 { commands.append(SynthCommand.pitch(Hertz(300 + Double(n) * 40), glide: .zero).at(1000 + n * 97)) }
        let samples = render(commands, frames: 20_000)
        #expect(largestStep(samples[...]) <= steepest(300 + 99 * 40))
    }

    @Test func `the phase turns on in silence`() {
        let heard = render(loud + [SynthCommand.gate(open: true).at(0)], frames: 30_000)
        let muted = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.gate(open: false).at(5_000),
                                   SynthCommand.gate(open: true).at(12_345)], frames: 30_000)
        let same = heard[20_000...] == muted[20_000...]
        #expect(same)
    }

    @Test func `a glide passes through equal musical steps and ends on its pitch`() {
        let commands = [SynthCommand.level(Decibels(-6)).at(0), SynthCommand.pitch(Hertz(500), glide: .zero).at(0),
                        SynthCommand.gate(open: true).at(0), SynthCommand.pitch(Hertz(2000), glide: Seconds(1)).at(4800)]
        let samples = render(commands, frames: 120_000)
        // Two octaves in a second: after half of it one octave, 1000 Hz.
        #expect(abs(frequency(samples, around: 4800 + 24_000 + latency, span: 960) - 1000) < 5)
        #expect(abs(frequency(samples, around: 80_000, span: 48_000) - 2000) < 0.1)
    }

    @Test func `a level change ramps`() {
        let samples = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.level(Decibels(-60)).at(10_000)],
                             frames: 20_000)
        #expect(largestStep(samples[...]) <= steepest(1000))
        #expect(peak(samples[(10_960 + latency)...]) < 0.00101)
        #expect(peak(samples[(10_400 + latency)..<(10_500 + latency)]) > 0.2)
    }

    @Test func `stop silences the tone within 10 ms and the next gate sounds again`() {
        let samples = render(loud + [SynthCommand.gate(open: true).at(0), SynthCommand.stop.at(10_000),
                                     SynthCommand.gate(open: true).at(20_000)], frames: 30_000)
        #expect(peak(samples[(10_480 + latency)..<(20_000 + latency)]) == 0)
        #expect(peak(samples[(21_000 + latency)...]) > 0.5)
        #expect(largestStep(samples[...]) <= steepest(1000))
    }

    @Test func `values that make no sense are brought into range`() {
        var commands = loud + [SynthCommand.gate(open: true).at(0)]
        for (n, value) in [Double.nan, .infinity, -.infinity, -1, 0, 1e300].enumerated() {
            commands.append(SynthCommand.pitch(Hertz(value), glide: Seconds(value)).at(1000 + n * 500))
            commands.append(SynthCommand.level(Decibels(value)).at(1000 + n * 500))
            commands.append(SynthCommand.note(value, start: value, level: value, attack: value, decay: value).at(1000 + n * 500))
        }
        let samples = render(commands, frames: 20_000)
        let ceiling = Decibels(-1).magnitude.rawValue
        #expect(samples.allSatisfy { $0.isFinite && $0.magnitude <= ceiling })
    }

    /// From upward zero crossings, interpolated.
    private func frequency(_ samples: [Float], around center: Int, span: Int) -> Double {
        var crossings: [Double] = []
        for n in (center - span / 2)..<(center + span / 2) where samples[n] < 0 && samples[n + 1] >= 0 {
            crossings.append(Double(n) + Double(samples[n] / (samples[n] - samples[n + 1])))
        }
        return 48_000 * Double(crossings.count - 1) / (crossings[crossings.count - 1] - crossings[0])
    }
}
