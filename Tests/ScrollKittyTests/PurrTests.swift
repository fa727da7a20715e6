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
        #expect(first == [.haptic("touch-down"), .texture("purr-healthy", on: true)])
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

    @Test func `every theme's purrs are there for every condition`() {
        #expect(Condition.allCases.compactMap(\.purr) == ["purr-healthy", "purr-concerned", "purr-tired", "purr-weak"])
        #expect(Condition.allCases.compactMap(\.purr).allSatisfy { Theme.standard.textures[$0] != nil })
    }
}
