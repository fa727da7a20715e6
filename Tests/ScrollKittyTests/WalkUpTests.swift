import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

/// The rules where visitors stay for minutes, as an exhibition has them.
@Suite struct WalkUpTests {
    private func keeper(at start: Double = 9 * 3_600, perApp: Bool = false) -> Keeper {
        var knobs = ScrollKitty.exhibition
        knobs[ScrollKitty.perApp] = .flag(perApp)
        return Keeper(at: start, knobs: knobs)
    }

    private func enterGuest(_ keeper: inout Keeper) throws { try keeper.act("household.enter", ["household": .text(Household.guest)]) }
    private func evenings(_ keeper: Keeper) -> [KittySays] { keeper.said(KittySays.self).filter { $0.group.hasPrefix("nightly") } }

    /// An app is opened, and closed again at once.
    private func openAndClose(_ keeper: inout Keeper, _ times: Int) throws {
        for _ in 0..<times {
            try keeper.bypass()
            if keeper.shield() == .open { try keeper.act("kitty.shield") }
        }
    }

    @Test func `the standards of the knobs are the app's months, and the state says whose cat it is in a walk-up alone`() throws {
        #expect(ScrollKitty.declaration.exhibition == ScrollKitty.exhibition && !KnobSettings.standard.isOn(WalkUp.knob))
        #expect(Keeper().state.isOwn == nil)
        var keeper = keeper()
        #expect(keeper.state.isOwn == false)
        try enterGuest(&keeper)
        #expect(keeper.state.isOwn == true)
    }

    @Test func `a guest's cat is new, lives a day in three minutes, and says good night before its guest goes`() throws {
        var keeper = keeper()
        keeper.visit(.began)
        try enterGuest(&keeper)
        #expect(keeper.hp == 100 && keeper.said(KittySays.self).map(\.group) == ["welcome", "greeting"])
        try keeper.bypass()
        // 60 of the day's 1,440 minutes are 7.5 s of three minutes.
        #expect(keeper.shield() == .open && keeper.state.apps[0].opensFor == 7.5)
        keeper.wait(8)
        #expect(keeper.shield() == .shielded && keeper.hp == 95)
        keeper.wait(180)
        #expect(keeper.said(DaySummary.self).count == 1 && evenings(keeper).count == 1 && keeper.hp == 100)
        try keeper.bypass()
        keeper.visit(.ended)
        #expect(keeper.state.household == Household.home && keeper.hp == 100)
    }

    /// A day is 180 s, so the 18 hours from 6 o'clock to midnight are 135 s.
    @Test(arguments: [0.0, 1, 44, 45, 100, 179]) func `a guest's cat begins in the morning, whenever its guest comes`(_ seconds: Double) throws {
        var keeper = keeper(at: 9 * 3_600 + seconds)
        keeper.visit(.began)
        try enterGuest(&keeper)
        #expect(keeper.state.time == "06:00" && keeper.state.dayEndsIn == 135)
        keeper.wait(134)
        #expect(keeper.said(DaySummary.self).isEmpty && evenings(keeper).count == 1)
        keeper.wait(2)
        #expect(keeper.said(DaySummary.self).count == 1 && keeper.state.time == "00:08")
    }

    @Test func `guests one after the other live days of different numbers`() throws {
        var keeper = keeper()
        for _ in 0..<8 {
            keeper.visit(.began)
            try enterGuest(&keeper)
            keeper.wait(140)
            keeper.visit(.ended)
        }
        let days = keeper.ledger.filter { $0.kind == "day" }.map(\.key)
        #expect(days.count == 8 && Set(days).count == 8)
    }

    @Test func `in a walk-up the cat tells the health that is shown, and in months its band`() throws {
        var keeper = keeper()
        try enterGuest(&keeper)
        try keeper.bypass()
        #expect(keeper.state.percent == 95)
        #expect(MessageFacts(keeper.cat, at: keeper.moment, isWalkUp: true).en["currentHealthBand"] == "95")
        #expect(MessageFacts(keeper.cat, at: keeper.moment).en["currentHealthBand"] == "100")
    }

    @Test func `the evening's words of one's own cat are told when the visit ends, and when its visitor goes to the house's`() throws {
        for ends in [true, false] {
            var keeper = keeper()
            keeper.visit(.began)
            try enterGuest(&keeper)
            try keeper.bypass()
            if ends { keeper.visit(.ended) } else { try keeper.act("household.enter") }
            #expect(evenings(keeper).map(\.group) == ["nightly-good"])
            #expect(keeper.cues.contains(.chime("nightly")) && keeper.cues.contains(.haptic("nightly")))
        }
        var months = Keeper(at: 9 * 3_600)
        months.visit(.began)
        try enterGuest(&months)
        months.visit(.ended)
        #expect(evenings(months).isEmpty, "in months it waits for the evening")
    }

    @Test func `the next guest has a cat of their own, and is told other words`() throws {
        var keeper = keeper()
        var told: [String] = []
        for _ in 0..<6 {
            keeper.visit(.began)
            try enterGuest(&keeper)
            #expect(keeper.hp == 100 && keeper.state.bypasses == 0)
            told += keeper.said(KittySays.self).filter { $0.group == "welcome" }.map(\.id)
            try openAndClose(&keeper, 5)
            keeper.visit(.ended)
            keeper.wait(20)
        }
        #expect(Set(told).count == 6)
        #expect(Set(keeper.ledger.map(\.key)).count == keeper.ledger.count, "no two entries have one key")
    }

    @Test(arguments: [false, true]) func `whoever comes finds the house's cat alive and its apps shielded, whatever those before did`(_ perApp: Bool) throws {
        var keeper = keeper(at: 6 * 3_600, perApp: perApp)
        for visitor in 0..<160 {
            keeper.visit(.began)
            #expect(keeper.hp >= 70 && keeper.state.apps.allSatisfy { $0.shield == .shielded }, "visitor \(visitor)")
            // Children open whatever they can.
            for app in ["Chat", "Photos", "Clips", "News"] {
                for _ in 0..<6 where keeper.shield(app) == .shielded {
                    try keeper.bypass(app)
                    if keeper.shield(app) == .open, !perApp || visitor % 2 == 0 { try keeper.act("kitty.shield") }
                }
            }
            keeper.wait(80)
            keeper.visit(.ended)
            keeper.wait(100)
        }
        #expect(keeper.cat.today.points.count <= Today.mostPoints)
        var memory = keeper
        memory.restart(knobs: ScrollKitty.exhibition)
        #expect(memory.state.date == keeper.state.date && memory.state.bypasses == keeper.state.bypasses)
    }

    @Test func `what the house's cat gets back is an entry of the ledger, and bands are crossed anew`() throws {
        var keeper = keeper()
        keeper.visit(.began)
        try openAndClose(&keeper, 20)
        #expect(keeper.state.condition == .dead)
        keeper.visit(.ended)
        keeper.visit(.began)
        let rest = try #require(keeper.ledger.last { $0.kind == "rest" })
        #expect(rest.transfers == [Transfer(70 * 2_520, of: "health", from: "apps", to: "cat")])
        #expect(keeper.hp == 70 && keeper.state.terminalAt == nil)
        for _ in 0..<2 { try openAndClose(&keeper, 1) }
        #expect(keeper.cat.today.bands.contains(.sixty) && keeper.hp == 60)
        keeper.wait(toDay: 0, "21:30")
        #expect(evenings(keeper).map(\.group) == ["nightly-good"], "it lives, and has an evening")
    }
}
