import TestSupport

/// The rules once more, written from the words alone and in another way: second by second of real time, in hundredths of a percent of
/// nothing: health is a fraction with the number of apps below. It knows the zone, and is never restarted.
struct HouseholdModel {
    struct Day: Equatable {
        var day: Int
        /// HP times the number of shares.
        var health: Int
        var use: Int
        var bypasses: Int
        var bands: [Int]
    }

    let zone: Zone
    let isPerApp: Bool
    let apps: Int
    let cooldown: Int
    /// Minutes of the day, from and to, for Monday to Sunday; nil for none.
    let window: [(Int, Int)?]
    private(set) var now: Int
    private(set) var health: [Int]
    private(set) var days: [Day] = []
    private var returns: [Int?]
    private var used = 0
    private var bypasses = 0
    private var bands: [Int] = []

    init(at now: Int, zone: Zone, isPerApp: Bool, apps: Int, cooldown: Int, window: [(Int, Int)?]) {
        self.now = now
        self.zone = zone
        self.isPerApp = isPerApp
        self.apps = apps
        self.cooldown = cooldown
        self.window = window
        health = Array(repeating: 100, count: isPerApp ? apps : 1)
        returns = Array(repeating: nil, count: isPerApp ? apps : 1)
    }

    private var local: Int { now + zone.offset(now) }
    var total: Int { health.reduce(0, +) }
    /// What 100 HP are in its units: the pool has them once, the apps once each.
    private var shares: Int { isPerApp ? apps : 1 }

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

    /// Second by second, but for stretches in which nothing can change.
    mutating func live(until end: Int) {
        while now < end {
            let midnight = now + 86_400 - local % 86_400
            var step = min(end, midnight) - now
            // The hour in which clocks may be changed is gone through second by second.
            if zone.offset(now) != zone.offset(now + step) { step = 1 }
            for case let time? in returns { step = min(step, time - now) }
            used += step * returns.count { $0 != nil }
            let day = local / 86_400
            now += step
            for index in returns.indices where returns[index] == now { returns[index] = nil }
            guard local / 86_400 > day else { continue }
            days.append(Day(day: day, health: total, use: used, bypasses: bypasses, bands: bands))
            (used, bypasses, bands) = (0, 0, [])
            health = health.map { _ in 100 }
        }
    }

    enum Answer: Equatable { case lost, free, refused }

    mutating func bypass(_ app: Int) -> Answer {
        guard isInWindow else { return .free }
        let place = isPerApp ? app : 0
        guard health[place] > 0, returns[place] == nil else { return .refused }
        let before = total
        // 10 HP are 10 n of an app's 100 n-ths.
        health[place] = max(0, health[place] - (isPerApp ? 10 * apps : 5))
        for band in [80, 60, 40, 20, 10, 0] where before > band * shares && total <= band * shares { bands.append(band) }
        bypasses += 1
        if health[place] > 0 { returns[place] = now + cooldown * 60 }
        if total == 0 { returns = returns.map { _ in nil } }
        return .lost
    }

    func isOpen(_ app: Int) -> Bool { isInWindow && health[isPerApp ? app : 0] > 0 && returns[isPerApp ? app : 0] != nil }
    func isLocked(_ app: Int) -> Bool { isInWindow && health[isPerApp ? app : 0] == 0 }
}
