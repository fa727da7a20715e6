import ColorScroller
import Experience
import Journal
import Offline
import Registry
import Signals
import Testing
import Units

/// The minute that `thrum demo` shows.
@Suite struct DemonstrationTests {
    /// Of whatever seed: chance must not spoil the story.
    @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] as [UInt64])
    func `in a minute a visitor unlocks, tires, is given a reward with a taunt, and goes on`(seed: UInt64) throws {
        let demonstration = try #require(ColorScroller.declaration.demonstration)
        var simulation = Simulation(ColorScroller.self, demonstration.visitor, seed: seed, turns: .max, idle: Seconds(3),
                                    theme: demonstration.theme, knobs: demonstration.knobs)
        var (chimes, levels, length): ([(name: String, at: Double)], [Double], Double) = ([], [], 0)
        while let step = simulation.next() {
            switch step.entry {
            case .event(_, let frame, _, let gave):
                for cue in gave?.cues ?? [] {
                    if case .chime(let name) = cue { chimes.append((name, Double(frame.rawValue) / 48_000)) }
                    if case .toneLevel(let level) = cue { levels.append(level.rawValue) }
                }
            case .end(_, let frame): length = Double(frame.rawValue) / 48_000
            default: break
            }
        }
        #expect((55...62).contains(length))
        let dings = chimes.filter { $0.name == "ding" }.map(\.at)
        let unlocks = chimes.filter { $0.name == "unlock" }.map(\.at)
        #expect(dings.count == 1 && dings.allSatisfy { (28.0...42).contains($0) }, "\(dings)")
        let ding = try #require(dings.first)
        #expect(unlocks.count { $0 < ding } >= 5 && unlocks.count { $0 > ding } >= 5, "\(unlocks)")
        // The tone has come most of its way from −34 to −14 dBFS, and only ever grew.
        #expect(levels == levels.sorted() && (levels.last ?? -100) > -18, "\(levels.last ?? -100)")
    }

    @Test func `its theme and knobs are such as the piece accepts`() throws {
        let declaration = ColorScroller.declaration
        let demonstration = try #require(declaration.demonstration)
        #expect(declaration.lacking(in: demonstration.theme) == nil)
        try demonstration.knobs.check(declaration.knobs)
    }
}
