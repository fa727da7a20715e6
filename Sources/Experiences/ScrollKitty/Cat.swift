import Calendar
import Experience
import Fields

/// All data of one household's cat. Durations and times are in seconds of the piece's clock, health is in parts of an HP.
struct Cat: LivesByDays, Codable, Equatable, Sendable {
    /// The days of the cat's life. `Dated` stores them beside the other fields.
    var days = Days.unread
    var plan: Plan
    /// The plan that applies from midnight on; nil where the plan stays the same.
    var nextPlan: Plan?
    /// The time that an app stays open after it was opened in spite of its shield (a bypass), in minutes.
    var cooldown = 20
    /// The goal for how long the apps are used in a day, in minutes; nil before one was chosen.
    var goal: Int?
    var window = FocusWindow.always
    var health: Health
    var today: Today
    var openings: [OpenApp] = []
    /// The days that are over, oldest first.
    var history: [DayRecord] = []
    var streaks = Streaks()
    /// The number of entries that the cat has made in the ledger so far. It is part of their keys, so that no two entries have the same
    /// key.
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

    /// The cooldowns that may be chosen, in minutes. A chosen cooldown applies at once and stays at midnight, so the next plan must allow
    /// it too.
    var allowedCooldowns: [Int] { plan.counting.allowedCooldowns.filter((nextPlan ?? plan).counting.allowedCooldowns.contains) }

    /// Chooses a plan. It applies at once while nothing was opened today, else from midnight on: a change during a day must not heal the
    /// cat.
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

    /// Moves the cat to a clock of another speed: raises the numbers of the days in its history by `days`, and lets each open app stay open
    /// for as long as it had left.
    mutating func move(by days: Int, from old: Moment, to new: Moment) {
        countUse(until: old.seconds)
        for index in openings.indices {
            openings[index].until = new.seconds + max(1, openings[index].until - old.seconds)
            openings[index].since = new.seconds
        }
        for index in history.indices { history[index].day = Days.moved(history[index].day, by: days) }
    }
}

extension Cat {
    /// Returns why the action `move` cannot be taken now; nil when it can.
    func refusal(of move: KittyMove, at now: Moment) -> Fault? {
        switch move {
        case .bypass(let name):
            guard let app = plan.index(of: name) else { return unknown(name) }
            switch shield(of: app, at: now) {
            case .shielded, .free: return nil
            case .open: return Fault(field: "app", expected: "an app that is shielded", found: "\(name), which is open")
            case .locked: return Fault(field: "app", expected: "an app that is shielded", found: "\(name), which is locked until midnight")
            }
        case .shield(let name?):
            guard let app = plan.index(of: name) else { return unknown(name) }
            return isOpen(app) ? nil : Fault(field: "app", expected: "an app that is open", found: name)
        case .shield(nil): return openings.isEmpty ? Fault(field: "app", expected: "an app that is open", found: "none") : nil
        case .cooldown(let minutes):
            guard !allowedCooldowns.contains(minutes) else { return nil }
            let allowed = allowedCooldowns.map(String.init).joined(separator: ", ")
            return Fault(field: "minutes", expected: "one of " + allowed, found: "\(minutes)")
        case .apps, .goal, .window, .onboard, .enter: return nil
        }
    }

    private func unknown(_ app: String) -> Fault {
        Fault(field: "app", expected: "one of " + plan.apps.joined(separator: ", "), found: "\"\(app)\"")
    }
}
