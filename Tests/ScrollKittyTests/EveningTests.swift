import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

/// The evening's words, and those for whoever enters.
@Suite struct EveningTests {
    private func groups(_ keeper: Keeper) -> [String] { keeper.said(KittySays.self).map(\.group) }

    @Test func `whoever is there at 21:00 hears the evening's message, once`() throws {
        var keeper = Keeper(at: 12 * 3_600)
        keeper.visit(.began)
        keeper.wait(toDay: 0, "20:59")
        #expect(groups(keeper).isEmpty)
        keeper.wait(60)
        #expect(groups(keeper) == ["nightly-good"] && keeper.cues == [.chime("nightly"), .haptic("nightly")])
        keeper.wait(toDay: 0, "23:30")
        #expect(groups(keeper).isEmpty)
    }

    @Test func `who comes after 21:00 hears it at once, and who comes later does not hear it again`() {
        var keeper = Keeper(at: 12 * 3_600)
        keeper.wait(toDay: 0, "21:30")
        #expect(groups(keeper).isEmpty)
        keeper.visit(.began)
        #expect(groups(keeper) == ["welcome", "nightly-good"])
        keeper.visit(.ended)
        keeper.wait(toDay: 0, "22:00")
        keeper.visit(.began)
        #expect(groups(keeper).isEmpty)
    }

    @Test func `a visit that is over before 21:00 leaves it for 23:00`() {
        var keeper = Keeper(at: 12 * 3_600)
        keeper.visit(.began)
        keeper.visit(.ended)
        keeper.wait(toDay: 0, "22:59")
        #expect(!keeper.cues.contains(.chime("nightly")))
        keeper.wait(60)
        #expect(groups(keeper) == ["nightly-good"])
    }

    @Test func `a bypass that kills in the evening brings the terminal message, and no other`() throws {
        var keeper = Keeper(at: 12 * 3_600, memory: .object(["lives": .integer(1), "of": .integer(20)]))
        keeper.wait(toDay: 0, "22:00")
        try keeper.bypass()
        #expect(groups(keeper).suffix(1) == ["terminal"] && !groups(keeper).contains { $0.hasPrefix("nightly") })
        keeper.wait(toDay: 0, "23:30")
        #expect(groups(keeper).isEmpty)
    }

    @Test func `who enters is greeted with how the cat is, at once, and each household has its evening`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        keeper.visit(.began)
        try keeper.act("household.enter", ["household": .text("badge 7")])
        #expect(groups(keeper) == ["welcome", "greeting"] && keeper.said(KittySays.self).last?.id == "greeting-100")
        #expect(keeper.cues.contains(.chime("welcome")) && keeper.cues.contains(.haptic("welcome")))
        for _ in 0..<4 {
            try keeper.bypass()
            keeper.wait(1_200)
        }
        try keeper.act("household.enter")
        #expect(groups(keeper) == ["greeting"], "it was welcomed today")
        try keeper.act("household.enter", ["household": .text("badge 7")])
        #expect(keeper.said(KittySays.self).map(\.id) == ["greeting-80"])
        keeper.wait(toDay: 0, "21:30")
        #expect(groups(keeper) == ["nightly-good"])
        try keeper.act("household.enter")
        #expect(groups(keeper) == ["greeting", "nightly-good"])
    }

    @Test func `when a visit ends, the exhibition's cat greets nobody`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        keeper.visit(.began)
        try keeper.act("household.enter", ["household": .text("badge 7")])
        keeper.visit(.ended)
        #expect(keeper.state.household == Household.home && groups(keeper).isEmpty && !keeper.effects.cues.contains(.chime("welcome")))
    }

    @Test func `a machine that begins in the evening keeps the words for whoever comes`() {
        var keeper = Keeper(at: 21 * 3_600 + 1_800)
        #expect(groups(keeper).isEmpty)
        keeper.visit(.began)
        #expect(groups(keeper) == ["welcome", "nightly-good"])
    }
}
