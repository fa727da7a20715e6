import Signals
import Synth
import Testing
import Units

@Suite struct TransducerTests {
    private static let ramp = (1...1_000).map { Float($0) / 1_000 }

    private func settings(_ bank: WaveformBank) -> EngineSettings {
        EngineSettings(ceiling: Decibels(0), bank: bank)
    }

    /// The two channels of `frames` frames, in blocks of `block`.
    private func render(_ commands: [StampedCommand], bank: WaveformBank, frames: Int, block: Int = 480) -> (sound: [Float], touch: [Float]) {
        var timeline = Timeline(settings(bank))
        var samples = [Float](repeating: .nan, count: 2 * frames)
        var waiting = commands[...]
        samples.withUnsafeMutableBufferPointer { buffer in
            var out = buffer.mutableSpan
            var written = 0
            while written < frames {
                let end = Frame(timeline.position.rawValue + Int64(min(block, frames - written)))
                while let next = waiting.first, next.frame < end {
                    written += timeline.render(until: next.frame, into: &out, at: written)
                    timeline.apply(next.command)
                    waiting.removeFirst()
                }
                written += timeline.render(until: end, into: &out, at: written)
            }
        }
        return ((0..<frames).map { samples[2 * $0] }, (0..<frames).map { samples[2 * $0 + 1] })
    }

    @Test func `a pattern begins with the sound that is commanded at the same frame`() {
        let bank = WaveformBank(touches: [[], Self.ramp])
        let (sound, touch) = render([SynthCommand.level(Decibels(0)).at(0), SynthCommand.gate(open: true).at(700),
                                     SynthCommand.haptic(1).at(700)], bank: bank, frames: 3_000)
        let latency = Int(Engine(settings(bank)).latency.rawValue)
        #expect(sound.firstIndex { $0 != 0 } == 700 + latency)
        #expect(touch.firstIndex { $0 != 0 } == 700 + latency)
        #expect(Array(touch[(700 + latency)..<(1_700 + latency)]) == Self.ramp)
        #expect(touch[(1_700 + latency)...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 7, 64, 4_096])
    func `blocks of any size give the same samples`(block: Int) {
        let bank = WaveformBank(touches: [Self.ramp, Self.ramp.reversed()])
        let commands = [SynthCommand.haptic(0).at(10), SynthCommand.haptic(1).at(200), SynthCommand.stop.at(900), SynthCommand.haptic(0).at(950)]
        #expect(render(commands, bank: bank, frames: 3_000, block: block).touch == render(commands, bank: bank, frames: 3_000).touch)
    }

    @Test func `the sound is the same with a transducer as without`() {
        let bank = WaveformBank(touches: [Self.ramp])
        let commands = [SynthCommand.level(Decibels(0)).at(0), SynthCommand.gate(open: true).at(5), SynthCommand.note(659, level: 0).at(300),
                        SynthCommand.stop.at(2_000)]
        #expect(render(commands + [SynthCommand.haptic(0).at(2_100)], bank: bank, frames: 4_000).sound
            == SynthTests.render(commands, frames: 4_000, settings: EngineSettings(ceiling: Decibels(0))))
    }

    @Test func `patterns add up, and are held at the ceiling`() {
        let bank = WaveformBank(touches: [[Float](repeating: 0.6, count: 100)])
        let touch = render([SynthCommand.haptic(0).at(0), SynthCommand.haptic(0).at(50)], bank: bank, frames: 400).touch
        #expect(Set(touch) == [0, 0.6, 1])
        #expect(touch.filter { $0 == 1 }.count == 50)
    }

    @Test func `a stop fades what is felt within 10 ms, and what comes after it is felt`() {
        let bank = WaveformBank(touches: [[Float](repeating: 0.5, count: 48_000)])
        let touch = render([SynthCommand.haptic(0).at(0), SynthCommand.stop.at(1_000)], bank: bank, frames: 3_000).touch
        #expect(touch[..<1_048].dropFirst(48).allSatisfy { $0 == 0.5 })
        #expect(touch[1_528...].allSatisfy { $0 == 0 })
        #expect(largestStep(touch[900...]) < 0.002)
        #expect(render([SynthCommand.haptic(0).at(0), SynthCommand.stop.at(1_000), SynthCommand.haptic(0).at(1_001)], bank: bank,
                       frames: 3_000).touch[1_600] == 0.5)
    }

    @Test func `what a pattern has ears hear is sound like any other, limited with it`() {
        let bank = WaveformBank(sounds: [[], [Float](repeating: 0.4, count: 500)])
        let samples = SynthTests.render([SynthCommand.haptic(1).at(100), SynthCommand.haptic(0).at(100)], frames: 1_000,
                                        settings: EngineSettings(ceiling: Decibels(0), bank: bank))
        #expect(samples.enumerated().allSatisfy { $0.element == ((148..<648).contains($0.offset) ? 0.4 : 0) })
        let loud = SynthTests.render((0..<8).map { SynthCommand.haptic(1).at($0) }, frames: 1_000,
                                     settings: EngineSettings(ceiling: Decibels(-1), bank: bank))
        #expect(peak(loud) <= Decibels(-1).magnitude.rawValue)
    }

    @Test func `a seventeenth pattern at once is not begun, and counted; one that does not exist is nothing`() {
        let bank = WaveformBank(touches: [[Float](repeating: 0.01, count: 1_000)])
        var engine = Engine(settings(bank))
        engine.apply(.haptic(5))
        engine.apply(.haptic(-1))
        for _ in 0..<17 { engine.apply(.haptic(0)) }
        #expect(engine.counters.refusedPatterns == 1)
        withExtendedLifetime(bank) {}
    }
}
