import Calendar

/// Somebody opens a shielded app anyway.
extension Cat {
    /// What it has cost.
    struct Loss: Equatable, Sendable {
        /// The app, by its place.
        var app: Int
        /// The health that was lost, in parts.
        var lost: Int
        /// The bands that were crossed for the first time today, the highest first.
        var bands: [Band]
    }

    /// `app` is shielded. It is open for the cooldown, whatever that has cost. With the last of the cat's health all are locked at once. An
    /// app whose own health is at 0 has no more to lose.
    mutating func bypass(_ app: Int, at now: Moment) -> Loss {
        let before = health.total
        let lost = health.bypass(app)
        let crossed = Band.crossed(from: before, to: health.total).filter { !today.bands.contains($0) }
        today.bands += crossed
        today.bypasses[app] = min(Today.mostBypasses, today.bypasses[app] + 1)
        today.firstUse = today.firstUse ?? now.secondOfDay
        today.lastUse = now.secondOfDay
        if lost > 0 {
            let point = Today.Point(second: now.secondOfDay, app: app, parts: health.total)
            today.points = (today.points + [point]).suffix(Today.mostPoints)
        }
        if health.isDead {
            today.terminalAt = now.secondOfDay
            // The terminal message takes the evening's place.
            today.hasNightly = true
            close(openings.map(\.app), at: now)
        } else {
            let seconds = cooldown * 60
            openings.append(OpenApp(app: app, since: now.seconds, until: now.seconds + seconds, cooldown: seconds))
        }
        return Loss(app: app, lost: lost, bands: crossed)
    }

    /// Shields return before their time. Returns those that were open.
    @discardableResult mutating func close(_ apps: [Int], at now: Moment) -> [Int] {
        countUse(until: now.seconds)
        let closing = openings.map(\.app).filter(apps.contains)
        openings.removeAll { closing.contains($0.app) }
        return closing
    }
}
