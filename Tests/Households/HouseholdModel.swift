import TestSupport

/// ScrollKitty's rules once more, written from their description alone and in another way: from change to change in the piece's seconds, with
/// health in parts of the number of apps. It knows the zone, and is never restarted.
struct HouseholdModel {
    struct Day: Equatable {
        var day: Int
        /// HP times the number of shares.
        var health: Int
        /// In seconds.
        var use: Int
        var bypasses: Int
        var bands: [Int]
        var streak: Int
        /// Minutes of the day.
        var firstUse: Int?
        var lastUse: Int?
        var terminalAt: Int?
        /// Whether the evening's message was of a good day; nil where there was none.
        var evening: Bool?
    }

    enum Shield: String { case shielded, open, locked, free }
    enum Answer: Equatable {
        /// HP times the number of shares.
        case lost(Int)
        case free, refused
    }

    let zone: Zone
    let isPerApp: Bool
    let apps: Int
    /// In minutes.
    let cooldown: Int
    /// Minutes of the day, from and to, for Monday to Sunday; nil for none.
    let window: [(Int, Int)?]
    /// Seconds since 1970-01-01 by the piece's clock.
    private(set) var now: Int
    private(set) var health: [Int]
    private(set) var days: [Day] = []
    private var returns: [Int?]
    private var used = 0
    private var bypasses = 0
    private var bands: [Int] = []
    private var streak = 0
    private var firstUse: Int?
    private var lastUse: Int?
    private var terminalAt: Int?
    /// Of today.
    private(set) var evening: Bool?
    /// Whether somebody has done something since the house was last left alone.
    private var isSomebodyThere = true

    init(at now: Int, zone: Zone, isPerApp: Bool, apps: Int, cooldown: Int, window: [(Int, Int)?]) {
        self.now = now
        self.zone = zone
        self.isPerApp = isPerApp
        self.apps = apps
        self.cooldown = cooldown
        self.window = window
        health = Array(repeating: 100, count: isPerApp ? apps : 1)
        returns = Array(repeating: nil, count: isPerApp ? apps : 1)
        tellEveningIfDue()
    }

    private var local: Int { now + zone.offset(now) }
    var total: Int { health.reduce(0, +) }
    /// What 100 HP are in its units: the pool has them once, the apps once each.
    var shares: Int { health.count }

    private var isInWindow: Bool {
        let (day, minute) = (local / 86_400, local % 86_400)
        func hours(_ day: Int) -> (Int, Int)? { window[(day + 3) % 7] }
        if let (from, to) = hours(day) {
            if from < to, minute >= from * 60, minute < to * 60 { return true }
            if from >= to, minute >= from * 60 { return true }
        }
        if let (from, to) = hours(day - 1), from >= to, minute < to * 60 { return true }
        return false
    }

    /// Nobody is there any more.
    mutating func leaveAlone() { isSomebodyThere = false }

    /// Over stretches in which nothing can change. In those that the machine `isOff`, nobody is told anything.
    mutating func live(until end: Int, isOff: Bool = false) {
        if isOff { leaveAlone() }
        while now < end {
            let midnight = now + 86_400 - local % 86_400
            var step = min(end, midnight) - now
            for hour in [21, 23] where local % 86_400 < hour * 3_600 { step = min(step, hour * 3_600 - local % 86_400) }
            // The stretch in which clocks are changed is gone through second by second.
            if zone.offset(now) != zone.offset(now + step) { step = 1 }
            for case let time? in returns { step = min(step, time - now) }
            used += step * returns.count { $0 != nil }
            let day = local / 86_400
            now += step
            for index in returns.indices where returns[index] == now { returns[index] = nil }
            if local / 86_400 > day {
                // What was not told because the machine was off comes late, if the new day is not an hour old when it is on again.
                if isOff, (end + zone.offset(end)) - (day + 1) * 86_400 < 3_600 { tellEvening() }
                finish(day)
            } else if !isOff {
                tellEveningIfDue()
            }
        }
        tellEveningIfDue()
    }

    /// Between 21:00 and midnight where somebody is there, and at 23:00 anyway.
    private mutating func tellEveningIfDue() {
        if local % 86_400 >= (isSomebodyThere ? 21 : 23) * 3_600 { tellEvening() }
    }

    /// Once a day. At 0 HP something else was said.
    private mutating func tellEvening() {
        if evening == nil, total > 0 { evening = total >= 40 * shares }
    }

    private mutating func finish(_ day: Int) {
        streak = total > 40 * shares ? streak + 1 : 0
        days.append(Day(day: day, health: total, use: used, bypasses: bypasses, bands: bands, streak: streak, firstUse: firstUse,
                        lastUse: lastUse, terminalAt: terminalAt, evening: evening))
        (used, bypasses, bands, firstUse, lastUse, terminalAt, evening) = (0, 0, [], nil, nil, nil, nil)
        health = health.map { _ in 100 }
    }

    mutating func bypass(_ app: Int) -> Answer {
        switch shield(of: app) {
        case .open, .locked: return .refused
        case .free, .shielded: isSomebodyThere = true
        }
        defer { tellEveningIfDue() }
        guard isInWindow else { return .free }
        let index = isPerApp ? app : 0
        let (before, own) = (total, health[index])
        // 10 HP are 10 n of an app's 100 n-ths.
        health[index] = max(0, own - (isPerApp ? 10 * apps : 5))
        for band in [80, 60, 40, 20, 10, 0] where before > band * shares && total <= band * shares { bands.append(band) }
        bypasses += 1
        let minute = local % 86_400 / 60
        firstUse = firstUse ?? minute
        lastUse = minute
        // First it costs, then it opens. Only a dead cat locks.
        returns[index] = now + cooldown * 60
        if total == 0 {
            terminalAt = minute
            returns = returns.map { _ in nil }
        }
        return .lost(own - health[index])
    }

    func shield(of app: Int) -> Shield {
        let index = isPerApp ? app : 0
        return !isInWindow ? .free : total == 0 ? .locked : returns[index] != nil ? .open : .shielded
    }
}
