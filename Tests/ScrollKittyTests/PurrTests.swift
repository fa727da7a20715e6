import Signals
import Testing
import Units

@testable import ScrollKitty

@Suite struct PurrTests {
    private func touch(_ phase: Touch.Phase, _ finger: Int = 0) -> EventKind { .touch(Touch(phase, finger: finger, x: 0.5, y: 0.5)) }

    /// The textures that this leads to.
    private func purrs(_ keeper: inout Keeper, _ kind: EventKind) throws -> [Cue] {
        try keeper.act(kind).cues.filter { if case .texture = $0 { true } else { false } }
    }

    @Test func `the cat purrs from the first finger to the last, as it was then, and no tone is heard`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        let first = try keeper.act(touch(.began, 1)).cues
        #expect(first == [.haptic("touch-down"), .texture("purr-healthy", on: true), .chime("mew-healthy")])
        #expect(try purrs(&keeper, touch(.began, 2)).isEmpty)
        for _ in 0..<4 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(keeper.state.condition == .concerned)
        #expect(try purrs(&keeper, touch(.ended, 1)).isEmpty)
        #expect(try purrs(&keeper, touch(.ended, 2)) == [.texture("purr-healthy", on: false)])
        #expect(try purrs(&keeper, touch(.began, 3)) == [.texture("purr-concerned", on: true)])
    }

    @Test func `a dead cat does not purr, and after a stop nothing is left to end`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        #expect(try purrs(&keeper, touch(.began)) == [.texture("purr-healthy", on: true)])
        #expect(try keeper.act(.stop).cues == [.stop])
        #expect(try purrs(&keeper, touch(.ended)).isEmpty)
        for _ in 0..<20 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(keeper.state.condition == .dead)
        #expect(try purrs(&keeper, touch(.began)).isEmpty)
    }

    /// When it mews, in seconds from now on.
    private func mews(_ keeper: inout Keeper, for seconds: Int) -> [Int] {
        (1...seconds).filter { _ in
            keeper.wait(1)
            return keeper.cues.contains { if case .chime(let name) = $0 { name.hasPrefix("mew-") } else { false } }
        }
    }

    @Test func `while it is stroked it mews every 8 s, concerned every 5 s, and many strokes give no more`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.act(touch(.began))
        #expect(mews(&keeper, for: 30) == [8, 16, 24])
        // Six strokes in three seconds, when the next is due in two.
        var cues: [Cue] = []
        for _ in 0..<6 {
            cues += try keeper.act(touch(.ended)).cues
            keeper.wait(0.25)
            cues += try keeper.act(touch(.began)).cues
            keeper.wait(0.25)
            cues += keeper.cues
        }
        #expect(cues.count { $0 == .chime("mew-healthy") } == 1)
        try keeper.act(touch(.ended))
        #expect(mews(&keeper, for: 30).isEmpty)
        for _ in 0..<4 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(try keeper.act(touch(.began)).cues.contains(.chime("mew-concerned")))
        #expect(mews(&keeper, for: 16) == [5, 10, 15])
    }

    @Test func `when it dies its purr fades, one last long mew is heard, and then nothing until the morning`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        for _ in 0..<19 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(try keeper.act(touch(.began)).cues.contains(.chime("mew-weak")))
        let death = try keeper.bypass().cues
        #expect(Array(death.suffix(2)) == [.texture("purr-weak", on: false), .chime("mew-dead")])
        #expect(mews(&keeper, for: 60).isEmpty)
        #expect(try purrs(&keeper, touch(.ended)).isEmpty)
        keeper.wait(toDay: 1, "08:00")
        #expect(try keeper.act(touch(.began)).cues.contains(.chime("mew-healthy")))
    }

    @Test func `whoever enters while a hand strokes finds a silent cat, which purrs and mews when it is stroked anew, unless it is dead`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.act("household.enter", ["household": .text("dead")])
        for _ in 0..<20 { try keeper.bypass(); keeper.wait(1_200) }
        for (name, purr) in [("dead", nil), ("new", "purr-healthy")] {
            try keeper.act("household.enter")
            #expect(try purrs(&keeper, touch(.began)) == [.texture("purr-healthy", on: true)])
            try keeper.act("household.enter", ["household": .text(name)])
            // Not among the effects that are returned: those are the other's arrival, which is greeted.
            #expect(keeper.cues.suffix(3) == [.texture("purr-healthy", on: false), .chime("welcome"), .haptic("welcome")])
            #expect(mews(&keeper, for: 20).isEmpty)
            #expect(try purrs(&keeper, touch(.ended)).isEmpty)
            #expect(try purrs(&keeper, touch(.began)) == (purr.map { [.texture($0, on: true)] } ?? []))
            #expect(mews(&keeper, for: 10).isEmpty == (purr == nil))
            try keeper.act(touch(.ended))
        }
    }

    @Test func `an event that comes before the tick of a mew that is due asks for no tick in the past`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.act(touch(.began))
        keeper.oversleep(9)
        try keeper.bypass()
        #expect(keeper.run.unusedEffects.wakes == 0)
        keeper.wait(0.01)
        #expect(keeper.cues.contains(.chime("mew-healthy")))
    }

    @Test func `every theme's purrs are there for every condition`() {
        #expect(Condition.allCases.compactMap(\.purr) == ["purr-healthy", "purr-concerned", "purr-tired", "purr-weak"])
        #expect(Condition.allCases.compactMap(\.purr).allSatisfy { Theme.standard.textures[$0] != nil })
        #expect(Condition.allCases.map(\.mew).allSatisfy { Theme.standard.chimes[$0] != nil })
    }
}
