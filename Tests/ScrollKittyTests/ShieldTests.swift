import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

@Suite struct ShieldTests {
    @Test(arguments: [10, 20, 30, 45, 60]) func `the shield is back when the cooldown is over, for all apps of one pool`(_ minutes: Int) throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.act("kitty.cooldown", ["minutes": .integer(Int64(minutes))])
        try keeper.bypass()
        #expect(keeper.state.apps.allSatisfy { $0.shield == .open && $0.opensFor == Double(minutes * 60) })
        keeper.wait(Double(minutes * 60) - 1)
        #expect(keeper.shield("News") == .open && keeper.said(ShieldsBack.self).isEmpty)
        keeper.wait(1)
        #expect(keeper.state.apps.allSatisfy { $0.shield == .shielded } && keeper.said(ShieldsBack.self) == [ShieldsBack(apps: ["Chat"])])
        #expect(keeper.cues.contains(.chime("shield-back")))
        #expect(keeper.state.useMinutes == Double(minutes) && keeper.state.apps[0].useMinutes == Double(minutes))
    }

    @Test func `per app, a bypass opens that app alone`() throws {
        var keeper = Keeper(at: 9 * 3_600, knobs: perApp)
        try keeper.bypass()
        #expect(keeper.shield("Chat") == .open && keeper.shield("News") == .shielded)
        keeper.wait(600)
        try keeper.bypass("News")
        keeper.wait(600)
        #expect(keeper.shield("Chat") == .shielded && keeper.shield("News") == .open)
        keeper.wait(600)
        #expect(keeper.state.useMinutes == 40 && keeper.state.apps.map(\.useMinutes) == [20, 0, 0, 20])
    }

    @Test func `a shield returns after a restart, and its use counts as if nothing had been`() throws {
        for pause in [0.0, 300, 1_200, 7_200] {
            var keeper = Keeper(at: 9 * 3_600)
            try keeper.bypass()
            keeper.wait(60)
            keeper.restart(after: pause)
            #expect((keeper.shield() == .open) == (pause < 1_140))
            keeper.wait(1_200)
            #expect(keeper.shield() == .shielded && keeper.state.useMinutes == 20)
        }
    }

    /// Where one opening is everybody's, closing any app closes all.
    @Test func `with one pool, an app that was not the one opened closes all`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        try keeper.act("kitty.shield", ["app": .text("News")])
        #expect(keeper.cat.openings.isEmpty)
    }

    @Test func `an app can be closed before its time, and only an open one`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        #expect(throws: Fault.self) { try keeper.act("kitty.shield") }
        try keeper.bypass()
        keeper.wait(300)
        try keeper.act("kitty.shield", ["app": .text("Chat")])
        #expect(keeper.shield() == .shielded && keeper.state.useMinutes == 5)
    }

    @Test func `the last health of the cat locks everything at once`() throws {
        var keeper = Keeper(at: 9 * 3_600, knobs: perApp)
        try keeper.act("kitty.apps", names("A", "B"))
        for _ in 0..<5 { try keeper.bypass("A"); keeper.wait(1_200) }
        for _ in 0..<4 { try keeper.bypass("B"); keeper.wait(1_200) }
        try keeper.bypass("B")
        #expect(keeper.state.apps.allSatisfy { $0.shield == .locked } && keeper.state.terminalAt == "12:00")
        #expect(keeper.cues.contains(.chime("terminal")) && keeper.said(Lost.self).first?.bands == [0])
        keeper.wait(toDay: 1, "00:00")
        #expect(keeper.state.apps.allSatisfy { $0.shield == .shielded } && keeper.hp == 100)
    }

    @Test func `a clock that goes back does not keep a shield away for longer than its cooldown`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        keeper.restart(after: -6 * 3_600)
        #expect(keeper.state.apps[0].opensFor == 1_200 && keeper.hp == 95)
        keeper.wait(1_200)
        #expect(keeper.shield() == .shielded && keeper.state.useMinutes == 20)
    }

    @Test(arguments: [1.0, 10, 1_440]) func `an app is open after a restart for what is left of its time, on days of any length`(_ minutes: Double) throws {
        let knobs = KnobSettings(["day-minutes": .number(minutes)])
        var keeper = Keeper(at: 9 * 3_600, knobs: knobs)
        try keeper.bypass()
        let minute = minutes / 1_440 * 60
        keeper.restart(after: 19 * minute, knobs: knobs)
        #expect(keeper.shield() == .open && keeper.hp == 95)
        // Instants are rounded up to a millisecond, which is up to 1.4 of the cat's seconds.
        keeper.wait(1.1 * minute)
        #expect(keeper.shield() == .shielded && keeper.said(ShieldsBack.self).count == 1)
    }
}
