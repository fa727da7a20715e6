import Calendar
import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

@Suite struct WindowTests {
    /// 2026-01-01 is a Thursday.
    @Test func `outside of the window nothing costs, and shields are away`() throws {
        var keeper = Keeper(at: 8 * 3_600)
        try keeper.act("kitty.window", ["days": .text("mon-fri"), "start": .text("09:00"), "until": .text("18:00")])
        try keeper.act("kitty.window", ["days": .text("sat-sun")])
        #expect(keeper.shield() == .free && !keeper.state.shieldsAct)
        let effects = try keeper.bypass()
        #expect(effects.result == .object(["app": .text("Chat"), "lost": .integer(0), "shield": .text("free")]))
        #expect(keeper.hp == 100 && keeper.state.bypasses == 0)
        keeper.wait(toDay: 0, "09:00")
        #expect(keeper.shield() == .shielded && keeper.said(CatState.self).last?.shieldsAct == true, "told at the window's edge")
        keeper.wait(toDay: 0, "18:00")
        #expect(keeper.shield() == .free && keeper.said(CatState.self).last?.shieldsAct == false)
        keeper.wait(toDay: 2, "12:00")
        #expect(keeper.shield() == .free, "a Saturday")
        keeper.wait(toDay: 4, "12:00")
        #expect(keeper.shield() == .shielded, "a Monday")
    }

    @Test func `a journal may have its start under the older name, which clients may not send`() throws {
        let action = try #require(ScrollKitty.declaration.actions.first { $0.name == "kitty.window" })
        let old = JSONValue.object(["days": .text("mon"), "from": .text("09:00"), "until": .text("18:00")])
        let new = JSONValue.object(["days": .text("mon"), "start": .text("09:00"), "until": .text("18:00")])
        let read = try old.read { try action.action($0) }
        #expect(try read == new.read { try action.action($0) } && read == new.read { try action.request($0) })
        let fault = try #require(throws: Fault.self) { try old.read { try action.request($0) } }
        #expect(fault.field == "from" && fault.expected == "only days, start, until")
        #expect(action.fields.map(\.name) == ["days", "start", "until"])
    }

    @Test func `it is told how long it takes until shields act, or cease to`() throws {
        var keeper = Keeper(at: 8 * 3_600)
        #expect(keeper.state.shieldsTurnIn == nil, "they always act")
        try keeper.act("kitty.window", ["days": .text("mon-fri"), "start": .text("09:00"), "until": .text("18:00")])
        try keeper.act("kitty.window", ["days": .text("sat-sun")])
        #expect(keeper.state.shieldsTurnIn == 3_600 && keeper.state.dayEndsIn == 16 * 3_600)
        keeper.wait(toDay: 1, "18:00")
        // From Friday evening to Monday morning.
        #expect(keeper.state.shieldsTurnIn == 63 * 3_600 && !keeper.state.shieldsAct)
    }

    /// Against a walk through every minute of nine days.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func `the next turn is the first minute at which shields act otherwise`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let days: [FocusWindow.Hours?] = (0..<7).map { _ in
            guard dice.next() % 3 > 0 else { return nil }
            return FocusWindow.Hours(from: Int(dice.next() % 96) * 15, to: Int(dice.next() % 97) * 15)
        }
        let window = FocusWindow(days: days)
        func acts(_ minute: Int) -> Bool { window.acts(on: 20_000 + minute / 1_440, at: minute % 1_440 * 60) }
        for start in stride(from: 0, to: 7 * 1_440, by: 45) {
            let walked = (start + 1..<start + 8 * 1_440).first { acts($0) != acts(start) }
            #expect(window.turn(after: start % 1_440 * 60, on: 20_000 + start / 1_440) == walked.map { ($0 - start) * 60 })
        }
    }

    @Test func `the window is told by days, from Monday on`() throws {
        var keeper = Keeper()
        #expect(keeper.state.window.map(\.day) == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
        #expect(keeper.state.window.allSatisfy { $0.start == "00:00" && $0.until == "24:00" })
        try keeper.act("kitty.window", ["days": .text("fri"), "start": .text("22:30"), "until": .text("06:00")])
        try keeper.act("kitty.window", ["days": .text("sun")])
        #expect(keeper.state.window[4] == CatState.WindowDay(day: "fri", start: "22:30", until: "06:00"))
        #expect(keeper.state.window[6] == CatState.WindowDay(day: "sun"))
        #expect(keeper.said(CatState.self).last?.window == keeper.state.window, "it is told")
    }

    @Test func `hours may go over midnight, into a day without any`() throws {
        var window = FocusWindow(days: Array(repeating: nil, count: 7))
        window.set(FocusWindow.Hours(from: 22 * 60, to: 6 * 60), on: Weekdays(words: "fri")!)
        // Day 1 since 1970-01-01 is a Friday.
        let acts = [(1, 21.9), (1, 22), (1, 23.9), (2, 0), (2, 5.9), (2, 6), (2, 22)].map { window.acts(on: $0, at: Int($1 * 3_600)) }
        #expect(acts == [false, true, true, true, true, false, false])
        #expect(window.edges(on: 1) == [22 * 3_600] && window.edges(on: 2) == [6 * 3_600])
    }

    @Test func `dead or not, outside of the window an app is free`() throws {
        var keeper = Keeper(at: 0)
        try keeper.act("kitty.window", ["days": .text("daily"), "start": .text("00:00"), "until": .text("20:00")])
        for _ in 0..<20 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(keeper.shield() == .locked)
        keeper.wait(toDay: 0, "20:00")
        #expect(keeper.shield() == .free && keeper.hp == 0)
    }
}

@Suite struct HouseholdsTests {
    @Test func `a visitor's cat is another one, and the exhibition's is there again when they have gone`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        try keeper.act("household.enter", ["household": .text("badge 7")])
        #expect(keeper.state.household == "badge 7" && keeper.hp == 100)
        for _ in 0..<3 { try keeper.bypass(); keeper.wait(1_200) }
        #expect(keeper.hp == 85)
        keeper.visit(.ended)
        #expect(keeper.state.household == "home" && keeper.hp == 95 && keeper.shield() == .shielded)
        keeper.wait(60)
        try keeper.act("household.enter", ["household": .text("badge 7")])
        #expect(keeper.hp == 85 && keeper.state.useMinutes == 60)
        try keeper.act("household.enter")
        #expect(keeper.state.household == "home")
    }

    @Test func `a day that ended while another household was there ends when it is entered again, once`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        try keeper.act("household.enter", ["household": .text("A")])
        keeper.wait(toDay: 1, "12:00")
        try keeper.act("household.enter")
        #expect(keeper.said(DaySummary.self).map(\.figures.hp) == [95] && keeper.hp == 100)
    }
}

@Suite struct StreaksTests {
    private func end(_ points: Int, bypasses: Int = 1, use: Int = 3_600, goal: Int? = nil) -> DayRecord {
        DayRecord(day: 0, parts: points * 2_520, use: use, bypasses: bypasses, goal: goal, points: [])
    }

    @Test func `a streak counts days that ended above 40 HP, and achievements come once`() {
        var streaks = Streaks()
        #expect(streaks.end(end(41), after: nil) == [.firstGoodDay])
        #expect(streaks.end(end(40), after: nil) == [] && streaks.current == 0 && streaks.longest == 1)
        var reached: [Achievement] = []
        for _ in 0..<30 { reached += streaks.end(end(50), after: end(50)) }
        #expect(reached == [.threeDays, .week, .month] && streaks.longest == 30)
        #expect(streaks.end(end(100, bypasses: 0), after: nil) == [.untouchedDay])
        #expect(streaks.end(end(60, goal: 60), after: end(0)) == [.withinGoal, .comeback])
        #expect(streaks.end(end(60, use: 3_601, goal: 60), after: end(0)) == [])
    }

    @Test func `the week's figures are those of seven days`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.act("kitty.goal", ["hours": .integer(3)])
        for day in 0..<9 {
            for _ in 0..<day { try keeper.bypass(); keeper.wait(1_200) }
            keeper.wait(toDay: day + 1, "09:00")
        }
        let week = Week(keeper.cat, keeper.piece.time)
        // Days 2 to 8: 2 + … + 8 bypasses of 20 minutes, 10 to 40 HP less.
        #expect(week.bypasses == 35 && week.useMinutes == 700 && week.averageHp == 75 && week.goodDays == 7)
        #expect(week.days.map(\.hp) == [90, 85, 80, 75, 70, 65, 60] && week.withGoal == 7 && week.withinGoal == 7 && week.streak == 9)
    }
}
