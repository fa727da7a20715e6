import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing
import TestSupport

@Suite struct DayTests {
    @Test(arguments: [Zone.berlin, .newYork, .lordHowe, .casablanca]) func `midnight is the zone's, on days of any length`(_ zone: Zone) throws {
        var keeper = Keeper(at: 12 * 3_600, zone: zone)
        var midnights: [Int] = []
        for day in 1...320 {
            keeper.wait(toDay: day, "00:00")
            #expect(keeper.said(DayBegan.self).count == 1)
            #expect(keeper.said(DaySummary.self).count == 1)
            midnights.append(Int(keeper.now))
        }
        #expect(keeper.cat.history.map(\.day) == keeper.cat.history.indices.map { keeper.cat.day - 31 + $0 })
        #expect(Set(zip(midnights, midnights.dropFirst()).map { $1 - $0 }).count > 1, "clocks were changed")
    }

    @Test func `the summary comes before the reset, and once, whatever restarts in between`() throws {
        for pause in [0, 1, 5, 40].map({ $0 * 3_600.0 }) {
            var keeper = Keeper(at: 23 * 3_600 + 1_800)
            try keeper.bypass()
            keeper.restart(after: pause)
            var summaries = keeper.said(DaySummary.self)
            keeper.wait(1_800)
            summaries += keeper.said(DaySummary.self)
            keeper.restart()
            summaries += keeper.said(DaySummary.self)
            let first = summaries.filter { $0.figures.date == "2026-01-01" }
            #expect(first.count == 1 && first.first?.figures.hp == 95 && first.first?.figures.bypasses == 1)
            #expect(first.first?.figures.useMinutes == 20)
            #expect(keeper.hp == 100 && keeper.state.bypasses == 0)
        }
    }

    @Test func `use across midnight counts on both days`() throws {
        var keeper = Keeper(at: 23 * 3_600 + 3_000)
        try keeper.bypass()
        keeper.wait(1_200)
        #expect(keeper.said(DaySummary.self).first?.figures.useMinutes == 10)
        #expect(keeper.state.useMinutes == 10 && keeper.shield() == .shielded)
    }

    @Test(arguments: [true, false]) func `where another plan begins at midnight, the shields of what is open are back, and it is told`(_ isPerApp: Bool) throws {
        var keeper = Keeper(at: 23 * 3_600 + 3_000, knobs: isPerApp ? perApp : .standard)
        try keeper.bypass("Chat")
        if isPerApp { try keeper.bypass("News") }
        // In one case the way of counting changes, in the other the apps.
        if isPerApp { try keeper.act("kitty.apps", names("Chat", "Games")) } else { try keeper.act(.knob(KnobChange("health-per-app", .flag(true)))) }
        keeper.wait(600)
        #expect(keeper.said(ShieldsBack.self) == [ShieldsBack(apps: isPerApp ? ["Chat", "News"] : ["Chat"])])
        #expect(keeper.cues.contains(.chime("shield-back")))
        #expect(keeper.said(DaySummary.self).first?.figures.useMinutes == (isPerApp ? 20 : 10))
        #expect(keeper.state.apps.map(\.shield) == Array(repeating: .shielded, count: isPerApp ? 2 : 4))
        keeper.wait(1_200)
        #expect(keeper.said(ShieldsBack.self).isEmpty && keeper.state.useMinutes == 0)
    }

    @Test func `days on which the machine was off are not lived`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        keeper.restart(after: 5 * 86_400)
        #expect(keeper.said(DayBegan.self).map(\.daysOff) == [4])
        #expect(keeper.cat.history.count == 1 && keeper.cat.streaks.current == 1)
        keeper.wait(toDay: 1, "00:00")
        #expect(keeper.cat.streaks.current == 2)
    }

    @Test func `where nobody is there, the evening's message comes at 23:00, late until 1:00, and once`() throws {
        var keeper = Keeper(at: 12 * 3_600)
        keeper.wait(toDay: 0, "22:59")
        #expect(!keeper.cues.contains(.chime("nightly")))
        keeper.wait(60)
        #expect(keeper.cues.contains(.chime("nightly")))
        keeper.wait(3_600)
        #expect(!keeper.cues.contains(.chime("nightly")))
        for (pause, comes) in [(12.5 * 3_600, true), (13.5 * 3_600, false)] {
            var late = Keeper(at: 12 * 3_600)
            late.restart(after: pause)
            #expect(late.effects.cues.contains(.chime("nightly")) == comes)
        }
    }

    @Test func `a clock that was ahead by days is followed, and one ahead by minutes changes nothing`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        keeper.wait(toDay: 10, "09:00")
        try keeper.bypass()
        keeper.restart(after: -5 * 86_400)
        #expect(keeper.state.date == "2026-01-06" && keeper.hp == 95)
        #expect(keeper.cat.history.allSatisfy { $0.day < keeper.cat.day })
        var midnight = Keeper(at: 9 * 3_600)
        midnight.wait(toDay: 1, "00:00")
        midnight.restart(after: -10)
        midnight.wait(20)
        #expect(midnight.said(DaySummary.self).isEmpty && midnight.state.date == "2026-01-02" && midnight.cat.history.count == 1)
    }

    @Test func `a cat that lived fast and was off for years is remembered when its days are real ones again`() throws {
        let fast = KnobSettings(["day-minutes": .number(1)])
        var keeper = Keeper(at: 0.5, knobs: fast)
        keeper.wait(150)
        keeper.restart(after: 3 * 365 * 86_400, knobs: fast)
        try keeper.act(.knob(KnobChange("day-minutes", .number(1_440))))
        let days = keeper.cat.history.map(\.day)
        #expect(days.count == 3 && days.allSatisfy { $0 < -1_000_000 })
        keeper.restart()
        #expect(keeper.cat.history.map(\.day) == days)
    }

    @Test func `a streak of a million days is not counted further, and is remembered`() throws {
        let keeper = Keeper(at: 9 * 3_600)
        guard case .object(var memory)? = keeper.run.memory, case .object(var cat)? = memory["cat"] else {
            Issue.record("an object")
            return
        }
        cat["streaks"] = .object(["current": .integer(1_000_000), "longest": .integer(1_000_000), "achievements": .list([])])
        memory["cat"] = .object(cat)
        var other = Keeper(at: 9 * 3_600, memory: .object(memory))
        other.wait(toDay: 1, "12:00")
        other.restart()
        #expect(other.cat.streaks.current == 1_000_000 && other.cat.history.count == 1)
    }

    @Test func `a household's day is kept in the ledger, once`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        keeper.wait(toDay: 3, "12:00")
        let days = keeper.ledger.filter { $0.kind == "day" }
        let health = days.map { day in if case .object(let note)? = day.note { note["health"] } else { JSONValue?.none } }
        #expect(health == [.integer(95 * 2_520), .integer(252_000), .integer(252_000)] && Set(days.map(\.key)).count == 3)
    }

    /// In 10 minutes each moment of a day is 144 times as near.
    @Test func `a day of minutes is the same day, scaled`() throws {
        let scale = 144.0
        // So that both clocks show the same: 1970 is a multiple of 10 minutes and of a day away.
        // Half a second past, so that a frame more or less is no other second.
        var slow = Keeper(at: 0.5)
        var fast = Keeper(at: 0.5 / scale, knobs: KnobSettings(["day-minutes": .number(10)]))
        var draws = TestSupport.SplitMix64(seed: 7)
        for _ in 0..<300 {
            let pause = Double(1 + draws.next() % 10_000)
            slow.wait(pause)
            fast.wait(pause / scale)
            let app = ["Chat", "Photos", "Clips", "News"][Int(draws.next() % 4)]
            #expect((try? slow.bypass(app)) != nil ? (try? fast.bypass(app)) != nil : (try? fast.bypass(app)) == nil)
            #expect(slow.state.time == fast.state.time && slow.hp == fast.hp && slow.state.useMinutes == fast.state.useMinutes)
        }
        #expect(slow.cat.history.map(\.parts) == fast.cat.history.map(\.parts) && slow.cat.history.count > 10)
        #expect(slow.cat.history.map(\.use) == fast.cat.history.map(\.use))
    }

    @Test func `turning the day's length keeps what was lost, and what is open stays so for its time`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        keeper.wait(600)
        try keeper.act(.knob(KnobChange("day-minutes", .number(10))))
        #expect(keeper.hp == 95 && keeper.state.apps[0].opensFor.map { abs($0 - 600 / 144.0) < 0.01 } == true)
        keeper.wait(5)
        #expect(keeper.state.useMinutes == 20 && keeper.shield() == .shielded)
        keeper.wait(600)
        #expect(keeper.hp == 100)
        try keeper.bypass()
        try keeper.act(.knob(KnobChange("day-minutes", .number(1_440))))
        #expect(keeper.hp == 95 && keeper.state.date == "2026-01-01")
    }
}
