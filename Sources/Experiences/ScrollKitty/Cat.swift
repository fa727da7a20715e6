import Calendar
import Experience

/// Everything that is known of one household's cat. Durations are in the piece's seconds, health in parts.
struct Cat: LivesByDays, Codable, Equatable, Sendable {
    /// The days of the cat, which are kept beside the other fields (`Dated`).
    var days = Days.unread
    var plan: Plan
    /// The plan from midnight on; nil for the same.
    var nextPlan: Plan?
    /// The time that a bypassed app is open, in minutes.
    var cooldown = 20
    /// The goal in minutes a day; nil before one was chosen.
    var goal: Int?
    var window = FocusWindow.always
    var health: Health
    var today: Today
    var openings: [OpenApp] = []
    /// Oldest first.
    var history: [DayRecord] = []
    var streaks = Streaks()
    /// Lines of the ledger so far: no two have the same key.
    var deeds = 0

    private enum CodingKeys: CodingKey {
        case plan, nextPlan, cooldown, goal, window, health, today, openings, history, streaks, deeds
    }

    init(_ plan: Plan, _ days: Days) {
        self.days = days
        self.plan = plan
        health = Health(plan)
        today = Today(apps: plan.apps.count)
    }

    /// The cooldowns that may be chosen, in minutes. A cooldown counts at once, and goes on under the plan to come.
    var allowedCooldowns: [Int] { plan.counting.allowedCooldowns.filter((nextPlan ?? plan).counting.allowedCooldowns.contains) }

    /// What is chosen counts at once while nothing was opened today, else from midnight on: a change of it must not heal.
    mutating func choose(_ next: Plan) {
        guard next != plan else {
            nextPlan = nil
            return
        }
        guard today.isUntouched, openings.isEmpty, health == Health(plan) else {
            nextPlan = next
            return
        }
        plan = next
        nextPlan = nil
        cooldown = plan.counting.allowedCooldowns.first { $0 >= cooldown } ?? Counting.cooldowns.upperBound
        health = Health(plan)
        let (isWelcomed, hasNightly) = (today.isWelcomed, today.hasNightly)
        today = Today(apps: plan.apps.count)
        today.isWelcomed = isWelcomed
        today.hasNightly = hasNightly
    }

    /// Moves the cat to a clock of another speed: days in its history get numbers that are greater by `days`, and apps that are open stay
    /// open for as long as they had left.
    mutating func move(by days: Int, from old: Moment, to new: Moment) {
        countUse(until: old.seconds)
        for index in openings.indices {
            openings[index].until = new.seconds + max(1, openings[index].until - old.seconds)
            openings[index].since = new.seconds
        }
        for index in history.indices { history[index].day = Days.moved(history[index].day, by: days) }
    }
}
