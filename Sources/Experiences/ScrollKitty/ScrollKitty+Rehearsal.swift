import Calendar
import Experience
import Signals

extension ScrollKitty {
    /// The announcements that are rehearsed: what a cat may show in the afternoon of 31 January 2026, with real days, after various numbers
    /// of bypasses.
    static let rehearsal = Rehearsal(query: "kitty.state") { $0 as? CatState } scenes: { Example.scenes }
}

/// Examples of what the piece may announce.
private enum Example {
    typealias Scene = Rehearsal.Scene

    static var scenes: [Scene] {
        cats + losses + [
            Scene("one", ShieldsBack(apps: [Plan.exhibited[0]])),
            Scene("all", ShieldsBack(apps: Plan.exhibited)),
        ] + days + messages
    }

    private static let time = PieceTime(dayMinutes: PieceTime.realDay)
    private static let day = 20_484
    private static let now = Moment(seconds: day * Moment.day + 56_000, offset: 0)
    /// For each condition of the cat, a number of openings of shielded apps (bypasses) that brings it there, from one pool of 100 HP.
    private static let bypasses: [(condition: Condition, count: Int)] = [
        (.healthy, 2), (.concerned, 5), (.tired, 9), (.weak, 14), (.dead, 20),
    ]

    private static func cat(after bypasses: Int, _ counting: Counting = .global) -> Cat {
        var cat = Cat(Plan(counting: counting, apps: Plan.exhibited), Days(Household.home, time, at: now))
        cat.goal = 240
        for bypass in 0..<bypasses {
            let (app, second) = (bypass % cat.plan.apps.count, 30_000 + bypass * 1_200)
            _ = cat.health.bypass(app)
            cat.today.bypasses[app] += 1
            cat.today.use[app] += 900
            cat.today.points.append(Today.Point(second: second, app: app, parts: cat.health.total))
            cat.today.firstUse = cat.today.firstUse ?? second
            cat.today.lastUse = second
        }
        if cat.health.isDead { cat.today.terminalAt = cat.today.lastUse }
        return cat
    }

    private static var cats: [Scene] {
        func scene(_ name: String, _ cat: Cat) -> Scene { Scene(name, CatState(cat, time, at: now)) }
        var open = cat(after: 2)
        open.openings = [OpenApp(app: 0, since: now.seconds - 300, until: now.seconds + 900, cooldown: 1_200)]
        var closed = cat(after: 2)
        closed.window = FocusWindow(days: Array(repeating: FocusWindow.Hours(from: 1_080, to: 1_320), count: 7))
        return bypasses.map { scene($0.condition.rawValue, cat(after: $0.count)) }
            + [scene("open-app", open), scene("per-app", cat(after: 6, .perApp)), scene("outside-window", closed)]
    }

    /// Examples of a loss of health: one that crosses no band, one by an app that has nothing more to lose, and one for each band.
    private static var losses: [Scene] {
        func scene(_ name: String, after bypasses: Int, _ bands: [Band]) -> Scene {
            let loss = Cat.Loss(app: 0, lost: Counting.global.cost * Health.partsPerPoint, bands: bands)
            return Scene(name, Lost(loss, cat(after: bypasses), time))
        }
        let crossings = Band.allCases.filter { $0 != .full }.map { band in
            scene("band-\(band.rawValue)", after: (Band.full.rawValue - band.rawValue) / Counting.global.cost, [band])
        }
        // With health per app, nine bypasses shared by four apps have taken all of the first app's health.
        let nothing = Lost(Cat.Loss(app: 0, lost: 0, bands: []), cat(after: 9, .perApp), time)
        return [scene("within-band", after: 1, []), Scene("nothing", nothing)] + crossings
    }

    private static var days: [Scene] {
        func summary(_ name: String, after bypasses: Int, goal: Int?) -> Scene {
            let cat = cat(after: bypasses)
            let record = DayRecord(
                day: day, parts: cat.health.total, use: cat.today.use.reduce(0, +), bypasses: bypasses, goal: goal,
                firstUse: cat.today.firstUse, lastUse: cat.today.lastUse, terminalAt: cat.today.terminalAt,
                points: cat.today.points.map { [$0.second, $0.parts] })
            return Scene(name, DaySummary(DayFigures(record, time), of: Household.home, streak: cat.health.total > Streaks.above ? 3 : 0))
        }
        let streaks: [(Achievement, Int)] = [
            (.firstGoodDay, 1), (.threeDays, 3), (.week, 7), (.month, 30), (.untouchedDay, 2), (.withinGoal, 2), (.comeback, 1),
        ]
        return [
            summary("untouched", after: 0, goal: 240), summary("within-goal", after: 5, goal: 240),
            summary("over-goal", after: 18, goal: 240), summary("without-goal", after: 9, goal: nil), summary("dead", after: 20, goal: 240),
            Scene("next", DayBegan(day: day + 1, date: time.date(of: day + 1), daysOff: 0)),
            Scene("after-days-off", DayBegan(day: day + 4, date: time.date(of: day + 4), daysOff: 3)),
        ] + streaks.map { Scene($0.0.rawValue, Achieved(achievements: [$0.0], streak: $0.1)) }
    }

    /// Examples of messages: the greetings and, for each group, the first text for whose placeholders a full day gives values.
    private static var messages: [Scene] {
        let facts = MessageFacts(cat(after: 20), at: now)
        let greetings = Band.allCases.map { band in
            let says = KittySays(greeting: cat(after: (Band.full.rawValue - band.rawValue) / Counting.global.cost))
            return Scene(says.id, says)
        }
        return greetings + MessageGroup.allCases.compactMap { group in
            MessageBook.shipped[group].lazy.compactMap { message in
                guard let en = message.en.filled(facts.en), let de = message.de.filled(facts.de) else { return nil }
                return Scene(group.rawValue, KittySays(id: message.id, group: group.rawValue, text: Words(en: en, de: de)))
            }.first
        }
    }
}
