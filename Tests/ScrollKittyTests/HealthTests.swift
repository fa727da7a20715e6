import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

@Suite struct HealthTests {
    @Test func `one pool: a bypass costs 5 HP of 100, and the twentieth is the last`() throws {
        var keeper = Keeper()
        for count in 1...20 {
            let effects = try keeper.bypass()
            #expect(keeper.hp == Double(100 - 5 * count))
            #expect(keeper.said(Lost.self).map(\.lost) == [5])
            #expect(effects.ledger.map(\.transfers) == [[Transfer(5 * 2_520, of: "health", from: "cat", to: "apps")]])
            keeper.wait(20 * 60)
        }
        #expect(keeper.state.condition == .dead && keeper.state.apps.allSatisfy { $0.shield == .locked && !$0.canBypass })
        let fault = #expect(throws: Fault.self) { try keeper.bypass("Photos") }
        #expect(fault?.field == "app" && fault?.found == "Photos, which is locked until midnight")
        #expect(keeper.hp == 0)
    }

    /// 100 ÷ n each, 10 HP a bypass, and never below 0: n apps take ceil(10 ÷ n) bypasses each.
    @Test(arguments: 1...10) func `each app has its share, exactly`(_ count: Int) throws {
        var keeper = Keeper(knobs: perApp)
        let apps = (1...count).map { "App \($0)" }
        try keeper.act("kitty.apps", ["apps": .list(apps.map { .text($0) })])
        let share = 100 / Double(count)
        for app in apps {
            #expect(keeper.state.apps.first { $0.name == app }?.of == (share * 100).rounded() / 100)
            for _ in 0..<(10 + count - 1) / count {
                try keeper.bypass(app)
                keeper.wait(60 * 60)
            }
            let isLast = app == apps.last
            #expect(keeper.shield(app) == (isLast ? .locked : .shielded), "it is the cat's death alone that locks")
        }
        #expect(keeper.cat.health.total == 0 && keeper.state.condition == .dead)
    }

    @Test func `with ten apps each bypass takes all of the app's health, and opens it`() throws {
        var keeper = Keeper(at: 9 * 3_600, knobs: perApp)
        let apps = (1...10).map { "App \($0)" }
        try keeper.act("kitty.apps", ["apps": .list(apps.map { .text($0) })])
        for (index, app) in apps.dropLast().enumerated() {
            let effects = try keeper.bypass(app)
            #expect(effects.result == .object(["app": .text(app), "lost": .number(10), "hp": .number(Double(90 - 10 * index)),
                                               "shield": .text("open")]))
            #expect(keeper.shield(app) == .open)
            keeper.wait(1_200)
        }
        #expect(keeper.state.useMinutes == 180 && keeper.hp == 10)
        try keeper.bypass("App 10")
        #expect(keeper.state.apps.allSatisfy { $0.shield == .locked && !$0.canBypass })
    }

    @Test func `an app at 0 HP of its own opens for nothing, which is told, counted and kept`() throws {
        var keeper = Keeper(at: 9 * 3_600, knobs: perApp)
        #expect(keeper.state.apps[0].cost == 10)
        for cost in [10, 10, 5] {
            #expect(keeper.state.apps[0].cost == cost)
            try keeper.bypass()
            keeper.wait(1_200)
        }
        #expect(keeper.state.apps[0].canBypass && keeper.state.apps[0].cost == 0 && keeper.hp == 75)
        let effects = try keeper.bypass()
        #expect(keeper.said(Lost.self).map(\.lost) == [0] && keeper.said(Lost.self).first?.text.en == "Nothing was lost")
        #expect(effects.ledger.map(\.kind) == ["bypass"] && effects.ledger.allSatisfy { $0.transfers.isEmpty })
        #expect(effects.cues.contains(.chime("bypass")) && effects.cues.contains(.haptic("bypass")))
        #expect(keeper.state.bypasses == 4 && keeper.state.points.count == 3 && keeper.shield() == .open && keeper.hp == 75)
        let memory = keeper.run.memory
        keeper.restart(knobs: perApp)
        #expect(keeper.run.memory == memory && keeper.shield() == .open)
    }

    @Test func `the first bypass of a day is told, heard and felt at once`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        let effects = try keeper.bypass()
        #expect(keeper.said(Lost.self).map(\.total) == [95] && keeper.said(CatState.self).last?.percent == 95)
        #expect(effects.cues.contains(.chime("bypass")) && effects.cues.contains(.haptic("bypass")))
    }

    @Test func `what an app shows is its own health and the cat's`() throws {
        var keeper = Keeper(knobs: perApp)
        try keeper.bypass()
        #expect(keeper.state.apps[0].text == Words(en: "Chat 15/25, total 90", de: "Chat 15/25, zusammen 90"))
        #expect(keeper.said(Lost.self).first?.text.en == "Lost 10 HP")
    }

    @Test func `bands are crossed downward once each, all that one event crosses`() {
        func crossed(_ before: Int, _ after: Int) -> [Int] { Band.crossed(from: before * 2_520, to: after * 2_520).map(\.rawValue) }
        #expect(crossed(100, 95) == [] && crossed(85, 80) == [80] && crossed(80, 75) == [])
        #expect(crossed(100, 0) == [80, 60, 40, 20, 10, 0] && crossed(41, 19) == [40, 20])
        #expect(Band.crossed(from: 80 * 2_520 + 1, to: 80 * 2_520) == [.eighty])
        #expect([100, 81, 80, 61, 60, 41, 40, 21, 20, 11, 10, 1, 0].map { Band($0 * 2_520).rawValue }
            == [100, 100, 80, 80, 60, 60, 40, 40, 20, 20, 10, 10, 0])
    }

    @Test func `states, bars and tones follow the bands`() {
        let healths = [100, 80, 60, 40, 20, 1, 0]
        #expect(healths.map { Condition($0 * 2_520) } == [.healthy, .concerned, .tired, .weak, .weak, .weak, .dead])
        #expect(Condition.allCases.map(\.bar) == ["green", "green", "orange", "red", "red"])
        #expect(Condition.allCases.map(\.tone) == ["playful", "concerned", "strained", "faint", "dead"])
    }

    @Test func `a day's bands are told as they are crossed`() throws {
        var keeper = Keeper()
        var bands: [Int] = []
        for _ in 0..<20 {
            try keeper.bypass()
            bands += keeper.said(Lost.self).flatMap(\.bands)
            keeper.wait(3_600)
        }
        #expect(bands == [80, 60, 40, 20, 10, 0])
    }

    @Test func `a choice that could heal waits for midnight`() throws {
        var keeper = Keeper()
        try keeper.act("kitty.apps", names("A", "B"))
        #expect(keeper.state.apps.map(\.name) == ["A", "B"], "nothing was opened today")
        try keeper.bypass("A")
        try keeper.act("kitty.apps", names("C"))
        #expect(keeper.state.apps.map(\.name) == ["A", "B"] && keeper.state.nextApps == ["C"] && keeper.hp == 95)
        try keeper.act(.knob(KnobChange("health-per-app", .flag(true))))
        #expect(keeper.state.counting == .global && keeper.state.nextCounting == .perApp && keeper.hp == 95)
        keeper.wait(toDay: 1, "00:00")
        #expect(keeper.state.apps.map(\.name) == ["C"] && keeper.state.counting == .perApp && keeper.hp == 100)
    }

    @Test func `lives of the first version become HP`() throws {
        let keeper = Keeper(memory: .object(["lives": .integer(2), "of": .integer(5)]))
        #expect(keeper.hp == 40)
        #expect(Keeper(knobs: perApp, memory: .object(["lives": .integer(1), "of": .integer(3)])).cat.health.shares == [21_000, 21_000, 21_000, 21_000])
        #expect(Keeper(memory: .object(["lives": .integer(0), "of": .integer(3)])).state.condition == .dead)
        var back = keeper
        back.restart()
        #expect(back.hp == 40)
    }
}
