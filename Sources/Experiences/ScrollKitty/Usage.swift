import Calendar

/// Tracking: from a bypass to the shield again is use.
extension Cat {
    /// Use of an app today, in the piece's seconds, up to now.
    func use(of app: Int, at now: Moment) -> Int {
        today.use[app] + openings.reduce(0) { $0 + ($1.app == app ? max(0, min($1.until, now.seconds) - $1.since) : 0) }
    }

    /// Returns the use of all apps today, in the piece's seconds, up to now.
    func use(at now: Moment) -> Int { plan.apps.indices.reduce(0) { $0 + use(of: $1, at: now) } }

    /// Counts the use of all that is open up to `moment`, in the piece's seconds.
    mutating func countUse(until moment: Int) {
        for index in openings.indices {
            let end = min(openings[index].until, moment)
            guard end > openings[index].since else { continue }
            today.use[openings[index].app] += end - openings[index].since
            openings[index].since = end
        }
    }
}

/// The day's goal.
enum Goal {
    /// Minutes, in steps of `step`.
    static let range = 180...480
    static let step = 30
}
