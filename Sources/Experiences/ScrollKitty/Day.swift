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

    /// Nominal time of the evening's message, and until when on the next day it may come late, in seconds of the day.
    static let nightly = 23 * 3_600
    static let latestNightly = 3_600
    /// Days that are kept.
    static let longestHistory = 31

    /// Comes to `now`, however long that takes. All that falls due on the way happens once, in the order of the clock. `pass` is told of
    /// each, with the cat as it is then, and the moment. One pure function, so that a machine that was off lives the same days.
    mutating func advance(to now: Moment, _ pass: (Happening, Cat, Moment) -> Void) {
        for index in openings.indices { openings[index].bound(by: now.seconds) }
        if now.dayNumber > day {
            turn(to: now, pass)
        } else if now.dayNumber < day - 1 {
            // The clock was ahead by more than a day: what it called days to come has not been.
            day = now.dayNumber
            history.removeAll { $0.day >= day }
        }
        offset = now.offset
        returnShields(by: now.seconds, at: now, pass)
        if now.dayNumber == day, now.secondOfDay >= Self.nightly { tellNightly(at: now, pass) }
    }

    private mutating func turn(to now: Moment, _ pass: (Happening, Cat, Moment) -> Void) {
        // By the offset that the day had last.
        let midnight = (day + 1) * Moment.day - offset
        let last = Moment(seconds: midnight - 1, offset: offset)
        // What is open belongs to the plan it was opened under.
        if nextPlan != nil { for index in openings.indices { openings[index].until = min(openings[index].until, midnight) } }
        returnShields(by: midnight, at: last, pass)
        countUse(until: midnight)
        let isTimely = now.dayNumber == day + 1 && now.secondOfDay < Self.latestNightly
        if isTimely { tellNightly(at: last, pass) }
        let record = record
        let achieved = streaks.end(record, after: history.last { $0.day == day - 1 })
        pass(.ended(record, achieved: achieved), self, last)
        history = (history + [record]).suffix(Self.longestHistory)
        let daysOff = now.dayNumber - day - 1
        begin(now.dayNumber)
        // What was open through days that nobody lived counts from today on.
        let begin = daysOff > 0 ? now.seconds(of: 0, on: day) : midnight
        for index in openings.indices { openings[index].since = max(openings[index].since, begin) }
        pass(.turned(daysOff: daysOff), self, now)
    }

    /// The day, as it is now.
    private var record: DayRecord {
        DayRecord(day: day, parts: health.total, use: today.use.reduce(0, +), bypasses: today.bypasses.reduce(0, +), goal: goal,
                  firstUse: today.firstUse, lastUse: today.lastUse, terminalAt: today.terminalAt,
                  points: today.points.map { [$0.second, $0.parts] })
    }

    /// A new day: full health, no figures, and the plan that was chosen for it.
    private mutating func begin(_ day: Int) {
        self.day = day
        if let next = nextPlan {
            plan = next
            nextPlan = nil
            cooldown = plan.counting.allowedCooldowns.first { $0 >= cooldown } ?? Counting.cooldowns.upperBound
        }
        health = Health(plan)
        today = Today(apps: plan.apps.count)
    }

    private mutating func returnShields(by moment: Int, at now: Moment, _ pass: (Happening, Cat, Moment) -> Void) {
        let over = openings.filter { $0.until <= moment }.sorted { ($0.until, $0.app) < ($1.until, $1.app) }
        guard !over.isEmpty else { return }
        for opening in over {
            today.use[opening.app] += max(0, opening.until - opening.since)
            openings.removeAll { $0 == opening }
        }
        pass(.returned(over.map(\.app)), self, now)
    }

    private mutating func tellNightly(at now: Moment, _ pass: (Happening, Cat, Moment) -> Void) {
        guard !today.hasNightly else { return }
        today.hasNightly = true
        pass(.nightly, self, now)
    }

    /// When it wants to be looked at next, in the piece's seconds: for a shield, the window, the evening's message, at midnight; at the
    /// next full hour at the latest, because the zone's offset may be another one then.
    func nextWake(after now: Moment) -> Int {
        let evening = today.hasNightly || now.secondOfDay >= Self.nightly ? [] : [Self.nightly]
        let ofDay = (evening + window.edges(on: now.dayNumber) + [(now.secondOfDay / 3_600 + 1) * 3_600]).filter { $0 > now.secondOfDay }
        let due = openings.map(\.until) + ofDay.map { now.seconds(of: $0, on: now.dayNumber) }
        return max(now.seconds + 1, due.min() ?? now.seconds + 3_600)
    }
}
