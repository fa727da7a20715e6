import Signals
import Synth
import Testing
import Units

/// A score that uses everything: glides, levels, chimes, overlapping stops, a limited tutti.
private let score: [StampedCommand] = [
    SynthCommand.level(Decibels(-3)).at(0), SynthCommand.gate(open: true).at(10),
    SynthCommand.pitch(Hertz(777), glide: Seconds(0.3)).at(2_000), SynthCommand.note(659.2551).at(4_001),
    SynthCommand.note(987.7666, start: 0.12).at(4_001), SynthCommand.gate(open: false).at(9_999),
    SynthCommand.note(1_500, level: 0, decay: 0.2).at(12_345), SynthCommand.note(1_501, level: 0, decay: 0.2).at(12_345),
    SynthCommand.gate(open: true).at(12_346), SynthCommand.level(Decibels(-20)).at(13_000),
    SynthCommand.pitch(Hertz(240), glide: .zero).at(15_000), SynthCommand.stop.at(18_000),
    SynthCommand.gate(open: true).at(18_100), SynthCommand.gate(open: false).at(20_000),
]

@Suite struct TimelineTests {
    @Test(arguments: [1, 7, 64, 480])
    func `samples are the same bits whatever the block size`(block: Int) {
        let expected = render(score, frames: 24_000, block: 4096).map(\.bitPattern)
        let same = render(score, frames: 24_000, block: block).map(\.bitPattern) == expected
        #expect(same)
    }

    @Test func `a copy is a checkpoint: rendering from it again gives the same samples`() {
        var timeline = Timeline(EngineSettings())
        _ = render(score.filter { $0.frame < Frame(12_400) }, on: &timeline, frames: 12_400)
        let checkpoint = timeline
        let rest = score.filter { $0.frame >= Frame(12_400) }
        let first = render(rest, on: &timeline, frames: 8_000)
        var again = checkpoint
        let same = render(rest, on: &again, frames: 8_000) == first
        #expect(same)
        var revised = checkpoint
        let differs = render([SynthCommand.stop.at(12_500)], on: &revised, frames: 8_000) != first
        #expect(differs)
    }

    @Test func `commands for the same frame apply in order`() {
        let open = SynthCommand.gate(open: true)
        let closed = SynthCommand.gate(open: false)
        let loud = SynthCommand.level(Decibels(-6)).at(0)
        #expect(peak(render([loud, open.at(100), closed.at(100)], frames: 4_800)) == 0)
        #expect(peak(render([loud, closed.at(100), open.at(100)], frames: 4_800)) > 0.4)
    }

    @Test func `a reset engine is as new`() {
        let fresh = render(score, frames: 24_000)
        var timeline = Timeline(EngineSettings())
        _ = render(score, on: &timeline, frames: 24_000)
        let shifted = [SynthCommand.reset(ceiling: Decibels(-1)).at(24_000)]
            + score.map { StampedCommand($0.command, at: Frame($0.frame.rawValue + 24_000)) }
        let same = render(shifted, on: &timeline, frames: 24_000) == fresh
        #expect(same)
    }

    @Test func `the engine is a value of a few KiB`() {
        #expect(MemoryLayout<Engine>.size < 17 * 1024)
        #expect(_isPOD(Engine.self))
    }
}
