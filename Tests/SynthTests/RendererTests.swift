import Realtime
import Signals
import Synth
import Testing
import TestSupport
import Units

@Suite struct RendererTests {
    private static func random(_ generator: inout SplitMix64, loud: Bool) -> [SynthCommand] {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: [.gate(open: true)]
        case 1: [.gate(open: false)]
        case 2: [.pitch(Hertz(.random(in: 240...5_000)), glide: Seconds(.random(in: 0...0.1, using: &generator))), .level(Decibels(.random(in: -30 ... -6, using: &generator)))]
        case 3: [.note(1_568, level: loud ? 0 : -20, attack: loud ? 0.0002 : 0.003)]
        case 4: [.note(659.2551, level: loud ? 0 : -20), .note(987.7666, start: 0.12, level: loud ? 0 : -20)]
        case 5: [.texture(purr, id: UInt64(Int.random(in: 1...2, using: &generator)))]
        case 6: [.endTexture(id: UInt64(Int.random(in: 1...2, using: &generator)))]
        case 7: [.tonePartials(TonePartials([TonePartial(ratio: .random(in: 1...4, using: &generator)), TonePartial(ratio: 5, level: Decibels(-9))]))]
        default: Bool.random(using: &generator) ? [] : [.stop]
        }
    }

    private static let purr = Texture(
        level: Decibels(-20), noise: .init(low: Hertz(120), high: Hertz(400)), pulse: .init(rate: Hertz(60), depth: 0.5, jitter: 0.2, gaps: 0.3),
        breath: .init(period: Seconds(0.5), depth: 0.5), voice: .init(frequency: Hertz(450), level: Decibels(-18)),
        attack: .milliseconds(20), release: .milliseconds(30))

    /// The definition of it all: whatever was revised how often, what is heard is what the events give when each is
    /// known in time.
    @Test(arguments: [8_000, 48_000, 192_000], [false, true])
    func `what is heard is what rendering the placed events from the start gives`(rate: Int, loud: Bool) throws {
        let settings = EngineSettings(rate: try #require(SampleRate(rate)))
        var bench = Bench(settings)
        var generator = SplitMix64(seed: UInt64(rate))
        let queue = rate / 5
        var heard = 0
        for _ in 0..<30 {
            bench.fill(to: heard + queue, block: .random(in: 1...700, using: &generator))
            heard += .random(in: 0...(queue / 2), using: &generator)
            bench.fill(to: heard + queue)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                // Past, within the look-ahead, soon, or after all that has been rendered.
                let due = heard + (-100...400).randomElement(using: &generator)! * (Int.random(in: 0..<8, using: &generator) == 0 ? rate / 500 : 1)
                bench.send(Self.random(&generator, loud: loud), due: due)
            }
            let before = bench.written
            if let from = bench.revise(from: heard) {
                #expect(from >= heard, "nothing that has been heard is written again")
                let kept = bench.written[..<from] == before[..<from]
                #expect(kept)
            }
        }
        let expected = render(bench.placed, frames: bench.written.count, settings: settings).map(\.bitPattern)
        let same = bench.written.map(\.bitPattern) == expected
        #expect(same)
        #expect(zip(bench.placed, bench.placed.dropFirst()).allSatisfy { $0.frame <= $1.frame })
    }

    /// Of each note 250 ms are kept; the queue is shorter or longer than that.
    @Test(arguments: [0.1, 0.4]) func `notes that were kept sound as if they were computed anew: up to 48 of them, gliding, fading, stolen`(queue: Double) {
        var bench = Bench()
        var generator = SplitMix64(seed: 5)
        var heard = 0
        for round in 0..<120 {
            bench.fill(to: heard + Int(queue * 48_000), block: .random(in: 1...700, using: &generator))
            let decay = Seconds(.random(in: 0.02...3, using: &generator))
            var note = ChimeNote(start: Seconds(.random(in: 0...0.05, using: &generator)), frequency: Hertz(.random(in: 100...4_000, using: &generator)),
                                 level: Decibels(-45), attack: Seconds(.random(in: 0...0.1, using: &generator)), decay: decay,
                                 partials: [Partial(ratio: 1, level: Decibels(0)), Partial(ratio: 2.7, level: Decibels(-9))])
            if round.isMultiple(of: 3) { note.glide = .init(to: Hertz(900), time: Seconds(0.2)) }
            bench.send([.note(NoteCommand(note))] + (round % 50 == 49 ? [.stop] : []), due: heard + .random(in: 0...3_000, using: &generator))
            #expect(bench.revise(from: heard) != nil)
            heard += .random(in: 0...2_000, using: &generator)
        }
        let same = bench.written.map(\.bitPattern) == render(bench.placed, frames: bench.written.count).map(\.bitPattern)
        #expect(same && peak(bench.written) > 0.01)
    }

    @Test func `an event is heard at the first frame that can be changed, its look-ahead given back`() throws {
        var bench = Bench()
        bench.fill(to: 9_600)
        bench.send([.level(Decibels(-6)), .gate(open: true)], due: 100)
        #expect(bench.revise(from: 2_000) == 2_000)
        #expect(bench.placed.map(\.frame) == [Frame(1_952), Frame(1_952)])
        #expect(peak(bench.written[..<2_000]) == 0)
        #expect(peak(bench.written[2_000..<2_010]) > 0)
    }

    @Test func `a loud note that the limiter must see coming waits for its look-ahead`() throws {
        var bench = Bench()
        bench.send([.level(Decibels(0)), .gate(open: true)], due: 0)
        _ = bench.revise(from: 0)
        bench.fill(to: 9_600)
        let before = bench.written
        bench.send([.note(2_000, level: 0, attack: 0)], due: 0)
        #expect(bench.revise(from: 5_000) == 5_000)
        #expect(bench.placed.last?.frame == Frame(5_000))
        let kept = bench.written[..<5_000] == before[..<5_000]
        #expect(kept)
        #expect(peak(bench.written) <= Decibels(-1).magnitude.rawValue)
    }

    @Test func `an event of the future waits for its frame, and one far in the future does not`() {
        var bench = Bench()
        bench.fill(to: 1_000)
        bench.send([.gate(open: true)], due: 5_000)
        #expect(bench.revise(from: 0) == nil)
        bench.send([.gate(open: false)], due: 3_600 * 48_000)
        #expect(bench.revise(from: 0) == nil)
        #expect(bench.placed.map(\.frame) == [Frame(5_000), Frame(5_000)])
    }

    @Test func `a gap is kept`() {
        var bench = Bench()
        bench.fill(to: 9_600)
        bench.send([.stop], due: 0)
        bench.send([.reset(ceiling: Decibels(-1))], due: 0, gap: 528)
        _ = bench.revise(from: 1_000)
        #expect(bench.placed.map(\.frame) == [Frame(952), Frame(1_480)])
    }

    @Test func `an event that cannot be answered or scheduled yet is taken later, whole`() {
        var bench = Bench(noticeCapacity: 2)
        for _ in 0..<3 { bench.send([.gate(open: true), .gate(open: false)], due: 0) }
        _ = bench.revise(from: 0)
        #expect(bench.placed.count == 4 && bench.renderer.hasInstructions)
        _ = bench.revise(from: 0)
        #expect(bench.placed.count == 6 && !bench.renderer.hasInstructions)
    }

    @Test func `ten thousand events at once are worked off, none is lost and none out of order`() {
        var bench = Bench()
        var sent = 0
        var now = 0
        while sent < 10_000 || bench.renderer.hasInstructions {
            while sent < 10_000, bench.control.room >= 2 {
                bench.send([.pitch(Hertz(Double(240 + sent % 4_000)), glide: .zero)], due: now)
                sent += 1
            }
            bench.fill(to: now + 9_600)
            _ = bench.revise(from: now)
            now += 500
        }
        #expect(bench.placed.count == 10_000)
        let inOrder = zip(bench.placed, bench.placed.dropFirst()).allSatisfy { $0.frame <= $1.frame }
        #expect(inOrder)
        let same = bench.written == render(bench.placed, frames: bench.written.count)
        #expect(same)
    }

    @Test func `moving on and back changes nothing of what is rendered`() {
        var bench = Bench()
        bench.send([.level(Decibels(-6)), .gate(open: true)], due: 10)
        _ = bench.revise(from: 0)
        bench.fill(to: 20_000)
        let first = bench.written
        bench.renderer.move(to: Frame(3_333))
        bench.fill(to: 20_000)
        bench.renderer.move(to: Frame(20_500))
        bench.renderer.move(to: Frame(19_000))
        bench.fill(to: 20_000)
        let same = bench.written == first
        #expect(same)
        // No further back than the checkpoints reach.
        bench.fill(to: 100_000)
        bench.renderer.move(to: Frame(0))
        let position = bench.renderer.position
        #expect(position > Frame(60_000) && position <= Frame(64_000))
    }
}
