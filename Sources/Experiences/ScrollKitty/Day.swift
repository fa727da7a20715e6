import Calendar

/// What happens to a cat at midnight, and what falls due during a day.
extension Cat {
    /// Something that has happened because time passed, without an action.
    enum Happening: Equatable, Sendable {
        /// The cooldown of these apps is over; they are given by their indices in the plan.
        case returned([Int])
        /// The evening's message is due.
        case nightly
        /// A day is over. The record has the figures of that day, from before they are reset for the next day.
        case ended(DayRecord, achieved: [Achievement])
        /// A new day has begun, with full health and figures at 0. In between, the machine was off for `daysOff` whole days.
        case turned(daysOff: Int)
    }

    /// The largest number of past days that are stored.
    static let longestHistory = 31

    /// Something that has happened, with the time at which it happened and the cat as it was then.
    struct Occurrence: Sendable {
        var happening: Happening
        var cat: Cat
        var moment: Moment
    }

    func occurrence(_ happening: Happening, at moment: Moment) -> Occurrence {
        Occurrence(happening: happening, cat: self, moment: moment)
    }

    /// Limits the time that each app stays open to its cooldown. It can be longer after the clock was set back.
    mutating func bound(by now: Moment) {
        for index in openings.indices { openings[index].bound(by: now.seconds) }
    }

    /// Removes days from the history that are today or in the future by `now`, because the clock was set back.
    mutating func forgetDaysToCome() {
        let today = day
        history.removeAll { $0.day >= today }
    }

    /// Ends the day and adds its figures to the history.
    mutating func endDay(at last: Moment, now: Moment) -> [Occurrence] {
        let midnight = last.seconds + 1
        // An app that is open belongs to the plan under which it was opened, so a new plan closes it at midnight.
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

    /// Begins a new day: full health, figures at 0, and the plan that was chosen for this day.
    mutating func beginDay(at now: Moment, daysOff: Int) -> [Occurrence] {
        if let next = nextPlan {
            plan = next
            nextPlan = nil
            cooldown = plan.counting.allowedCooldowns.first { $0 >= cooldown } ?? Counting.cooldowns.upperBound
        }
        health = Health(plan)
        today = Today(apps: plan.apps.count)
        // An app that was open through days when the machine was off is counted from the start of today. Its use until the end of the last
        // lived day is counted already.
        if daysOff > 0 {
            let begin = now.seconds(of: 0, on: day)
            for index in openings.indices { openings[index].since = max(openings[index].since, begin) }
        }
        return [occurrence(.turned(daysOff: daysOff), at: now)]
    }

    /// Closes the apps whose cooldown is over at `now`. Returns an occurrence for what has happened, with the cat as it was then.
    mutating func fallDue(by now: Moment) -> [Occurrence] { returnShields(by: now.seconds, at: now) }

    /// The figures of the current day so far.
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

    /// Returns when something next falls due, in the piece's seconds: a shield returns, the focus window opens or closes, or the evening's
    /// message is due. Nil where none of this follows on this day.
    func nextDue(after now: Moment) -> Int? {
        let evening = today.hasNightly ? [] : [Self.evening, Self.nightly]
        let ofDay = (evening + window.edges(on: now.dayNumber)).filter { $0 > now.secondOfDay }
        return (openings.map(\.until) + ofDay.map { now.seconds(of: $0, on: now.dayNumber) }).min()
    }
}

/// The figures of the current day.
struct Today: Codable, Equatable, Sendable {
    /// The health after a loss.
    struct Point: Codable, Equatable, Sendable {
        /// When the health was lost, in seconds of the day.
        var second: Int
        /// The index in the plan of the app that was opened.
        var app: Int
        /// The health that was left, in parts of an HP (`Health.partsPerPoint`).
        var parts: Int
    }

    /// The number beyond which an app's bypasses are not counted. Only an app whose own health is at 0 can be opened that often, because
    /// that costs nothing.
    static let mostBypasses = 100_000
    static let mostPoints = 100

    /// The number of bypasses of each app, at most `mostBypasses`.
    var bypasses: [Int]
    /// The counted use of each app today, in the piece's seconds. For an app that is open now, the time since it was last counted is not
    /// included.
    var use: [Int]
    /// The latest losses, at most `mostPoints`. Twenty bypasses take all health, so usually there are no more. Only the house's cat can
    /// lose more in a day, because it rests between visitors.
    var points: [Point] = []
    /// When an app was first opened today, and last, in seconds of the day; nil while none was opened.
    var firstUse: Int?
    var lastUse: Int?
    /// When health reached 0 HP, in seconds of the day; nil where it did not.
    var terminalAt: Int?
    /// The bands of health (`Band`) into which the cat has fallen today.
    var bands: [Band] = []
    /// Whether the cat has said its welcome today, at the day's first event of a visitor.
    var isWelcomed = false
    /// Whether the cat has said its evening's message today, or the terminal message in place of it.
    var hasNightly = false

    init(apps: Int) {
        bypasses = Array(repeating: 0, count: apps)
        use = Array(repeating: 0, count: apps)
    }

    /// Whether nothing was opened today, and nothing was still open from the day before.
    var isUntouched: Bool { points.isEmpty && use.allSatisfy { $0 == 0 } }
}

/// The figures of a day that is over.
struct DayRecord: Codable, Equatable, Sendable {
    /// The number of the day, counted from 1970-01-01 by the piece's clock.
    var day: Int
    /// The health at the day's end, in parts of an HP (`Health.partsPerPoint`).
    var parts: Int
    /// How long all apps together were used, in the piece's seconds.
    var use: Int
    var bypasses: Int
    /// The day's goal in minutes; nil where no goal was chosen.
    var goal: Int?
    /// When an app was first and last opened, and when health reached 0 HP, in seconds of the day; nil where that did not happen.
    var firstUse: Int?
    var lastUse: Int?
    var terminalAt: Int?
    /// A pair of numbers for each loss of health: its second of the day, and the health that was left, in parts of an HP.
    var points: [[Int]]
}

/// The evening's message, which the cat says once a day. On a day when health reached 0 HP, the terminal message replaces it.
extension Cat {
    /// The time of day, in seconds, from which the message is said if somebody is there.
    static let evening = 21 * 3_600
    /// The time of day, in seconds, from which the message is said even if nobody is there.
    static let nightly = 23 * 3_600
    /// The time of day, in seconds, until which the message of the day before may still be said, if the machine was off before.
    static let latestNightly = 3_600

    /// Lets the cat say the evening's message if its time has come. That time is earlier where somebody is there (`isSeen`). Returns
    /// nothing before that time, and where the message was said already.
    mutating func turnToEvening(at now: Moment, isSeen: Bool) -> [Occurrence] {
        now.dayNumber == day && now.secondOfDay >= (isSeen ? Self.evening : Self.nightly) ? sayGoodNight(at: now) : []
    }

    /// Lets the cat say the evening's message, whatever the time. Returns nothing where it has been said today.
    mutating func sayGoodNight(at now: Moment) -> [Occurrence] {
        guard !today.hasNightly else { return [] }
        today.hasNightly = true
        return [occurrence(.nightly, at: now)]
    }
}

/// The number of days in a row that ended above 40 HP, and the achievements that were reached.
struct Streaks: Codable, Equatable, Sendable {
    /// The number of parts of health above which a day must end to count for a streak: those of 40 HP.
    static let above = Band.forty.rawValue * Health.partsPerPoint
    /// The largest number of days in a row that is counted. It stays the same however much longer the streak lasts.
    private static let most = 1_000_000

    private(set) var current = 0
    private(set) var longest = 0
    private(set) var achievements: [Achievement] = []

    /// Whether the values are valid: whether this version of the rules can have stored them.
    var isWell: Bool { (0...Self.most).contains(current) && (current...Self.most).contains(longest) }

    /// Counts a day that is over. Returns the achievements that it reached for the first time.
    mutating func end(_ day: DayRecord, after yesterday: DayRecord?) -> [Achievement] {
        current = day.parts > Self.above ? min(Self.most, current + 1) : 0
        longest = max(longest, current)
        let new = Achievement.allCases.filter { !achievements.contains($0) && $0.isReached(day, after: yesterday, streak: current) }
        achievements += new
        return new
    }
}

public enum Achievement: String, CaseIterable, Codable, Sendable {
    /// 1, 3, 7 and 30 days in a row that ended above 40 HP.
    case firstGoodDay = "first-good-day", threeDays = "three-days", week, month
    /// A day on which no shielded app was opened.
    case untouchedDay = "untouched-day"
    /// A day with at least one bypass whose use stayed within the goal.
    case withinGoal = "within-goal"
    /// A day that ended above 40 HP after one that ended at 0.
    case comeback

    fileprivate func isReached(_ day: DayRecord, after yesterday: DayRecord?, streak: Int) -> Bool {
        switch self {
        case .firstGoodDay: streak >= 1
        case .threeDays: streak >= 3
        case .week: streak >= 7
        case .month: streak >= 30
        case .untouchedDay: day.bypasses == 0
        case .withinGoal: day.bypasses > 0 && day.goal.map { day.use <= $0 * 60 } ?? false
        case .comeback: yesterday?.parts == 0 && day.parts > Streaks.above
        }
    }
}
