import Calendar
import Experience

/// Everything that is known of one household's cat. Durations are in the piece's seconds, health in parts.
struct Cat: Codable, Equatable, Sendable {
    /// The exhibition's own.
    static let shared = Household.home

    var household: String
    var plan: Plan
    /// From midnight on; nil for the same.
    var nextPlan: Plan?
    /// In minutes.
    var cooldown = 20
    /// In minutes a day; nil before one was chosen.
    var goal: Int?
    var window = FocusWindow.always
    /// The day that is lived, counted from 1970-01-01 by the piece's clock.
    var day: Int
    /// The clock's last offset from UTC, in seconds.
    var offset: Int
    /// The real minutes of a day, by which `day` is counted.
    var dayMinutes: Double
    var health: Health
    var today: Today
    var openings: [OpenApp] = []
    /// Oldest first.
    var history: [DayRecord] = []
    var streaks = Streaks()
    /// Lines of the ledger so far: no two have the same key.
    var deeds = 0

    init(household: String, _ plan: Plan, _ time: PieceTime, at now: Moment) {
        self.household = household
        self.plan = plan
        day = now.dayNumber
        offset = now.offset
        dayMinutes = time.dayMinutes
        health = Health(plan)
        today = Today(apps: plan.apps.count)
    }

    /// In minutes. A cooldown counts at once, and goes on under the plan to come.
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

    /// The piece's clock runs at another speed: the day that is lived goes on under its new number, and so do those before. What is open
    /// stays so for as long as it was to be.
    mutating func follow(_ time: PieceTime, from old: Moment, to new: Moment) {
        guard time.dayMinutes != dayMinutes else { return }
        dayMinutes = time.dayMinutes
        countUse(until: old.seconds)
        for index in openings.indices {
            openings[index].until = new.seconds + max(1, openings[index].until - old.seconds)
            openings[index].since = new.seconds
        }
        for index in history.indices { history[index].day = Days.moved(history[index].day, by: new.dayNumber - day) }
        day = new.dayNumber
        offset = new.offset
    }
}
