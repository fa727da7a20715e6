import Calendar

/// What the house's own cat has in a walk-up: each visitor finds it rested, whatever those before have done.
extension Cat {
    /// HP that it has then, at least.
    static let rested = 70

    /// Another visitor has come: shields are back, and health is `rested` at least. Returns the apps whose shields were away, by their
    /// places, and the parts of health that were given back.
    mutating func rest(at now: Moment) -> (returned: [Int], gained: Int) {
        let wasDead = health.isDead
        let returned = close(openings.map(\.app), at: now)
        let gained = health.rise(to: Self.rested)
        guard gained > 0 else { return (returned, 0) }
        today.bands.removeAll { health.total > $0.parts }
        if wasDead {
            today.terminalAt = nil
            // The evening has words of its own again.
            if now.secondOfDay < Self.evening { today.hasNightly = false }
        }
        return (returned, gained)
    }
}
