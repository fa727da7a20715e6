import Calendar

/// Midnight, and what comes due meanwhile.
extension Cat {
    /// What has happened by itself.
    enum Happening: Equatable, Sendable {
        /// The cooldown of these apps is over, by their places.
        case returned([Int])
        /// The evening's message is due.
        case nightly
        /// A day is over: its summary, before anything is reset.
        case ended(DayRecord, achieved: [Achievement])
        /// Full health, and the day's figures cleared. So many days were not lived: the machine was off.
        case turned(daysOff: Int)
    }

    /// Days that are kept.
    static let longestHistory = 31

    /// What has happened, with the cat as it was then.
    struct Occurrence: Sendable {
        var happening: Happening
        var cat: Cat
        var moment: Moment
    }

    func occurrence(_ happening: Happening, at moment: Moment) -> Occurrence {
        Occurrence(happening: happening, cat: self, moment: moment)
    }

    /// Sees to it, after the clock was set back, that nothing is open longer than its cooldown.
    mutating func bound(by now: Moment) {
        for index in openings.indices { openings[index].bound(by: now.seconds) }
    }

    /// What the clock called days to come has not been.
    mutating func forgetDaysToCome() {
        let today = day
        history.removeAll { $0.day >= today }
    }

    /// The day is over, and its figures are added to the history.
    mutating func endDay(at last: Moment, now: Moment) -> [Occurrence] {
        let midnight = last.seconds + 1
        // What is open belongs to the plan it was opened under.
        if nextPlan != nil { for index in openings.indices { openings[index].until = min(openings[index].until, midnight) } }
        var passed = returnShields(by: midnight, at: last)
        countUse(until: midnight)
        let isTimely = now.dayNumber == day + 1 && now.secondOfDay < Self.latestNightly
        if isTimely { passed += sayGoodNight(at: last) }
        let (record, yesterday) = (record, day - 1)
        let achieved = streaks.end(record, after: history.last { $0.day == yesterday })
        passed.append(occurrence(.ended(record, achieved: achieved), at: last))
        history = (history + [record]).suffix(Self.longestHistory)
        return passed
    }

    /// A new day: full health, no figures, and the plan that was chosen for it.
    mutating func beginDay(at now: Moment, daysOff: Int) -> [Occurrence] {
        if let next = nextPlan {
            plan = next
            nextPlan = nil
            cooldown = plan.counting.allowedCooldowns.first { $0 >= cooldown } ?? Counting.cooldowns.upperBound
        }
        health = Health(plan)
        today = Today(apps: plan.apps.count)
        // What was open through days that nobody lived counts from today on. Of the day before, all use is counted already.
        if daysOff > 0 {
            let begin = now.seconds(of: 0, on: day)
            for index in openings.indices { openings[index].since = max(openings[index].since, begin) }
        }
        return [occurrence(.turned(daysOff: daysOff), at: now)]
    }

    /// Shields that return.
    mutating func fallDue(by now: Moment) -> [Occurrence] { returnShields(by: now.seconds, at: now) }

    /// The day, as it is now.
    private var record: DayRecord {
        DayRecord(day: day, parts: health.total, use: today.use.reduce(0, +), bypasses: today.bypasses.reduce(0, +), goal: goal,
                  firstUse: today.firstUse, lastUse: today.lastUse, terminalAt: today.terminalAt,
                  points: today.points.map { [$0.second, $0.parts] })
    }

    private mutating func returnShields(by moment: Int, at now: Moment) -> [Occurrence] {
        let over = openings.filter { $0.until <= moment }.sorted { ($0.until, $0.app) < ($1.until, $1.app) }
        guard !over.isEmpty else { return [] }
        for opening in over {
            today.use[opening.app] += max(0, opening.until - opening.since)
            openings.removeAll { $0 == opening }
        }
        return [occurrence(.returned(over.map(\.app)), at: now)]
    }

    /// When it wants to be looked at next, in the piece's seconds: for a shield, the window, the evening's message, at midnight.
    func nextDue(after now: Moment) -> Int? {
        let evening = today.hasNightly ? [] : [Self.evening, Self.nightly]
        let ofDay = (evening + window.edges(on: now.dayNumber)).filter { $0 > now.secondOfDay }
        return (openings.map(\.until) + ofDay.map { now.seconds(of: $0, on: now.dayNumber) }).min()
    }
}
