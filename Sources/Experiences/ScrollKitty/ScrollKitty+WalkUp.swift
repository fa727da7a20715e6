import Calendar
import Experience
import Signals

// What visitors of an exhibition get in place of months with the cat: see docs/scrollkitty.md, "A walk-up".
extension ScrollKitty {
    /// The knobs of an exhibition: a day of a visitor's own cat takes three minutes, which is how long many visitors stay.
    static let exhibition = KnobSettings([PieceTime.visitorDayMinutesKnob.name: .number(3), WalkUp.knob.name: .flag(true)])

    /// A guest's cat begins at 6 in the morning, so that its evening comes after two minutes, and not at once.
    public static var dawn: Int { 6 * 3_600 }

    /// For how long an app stays open after a bypass, in seconds of the piece. The longest cooldown counts for a visitor's own cat, because
    /// a shorter one would be over before anybody has felt it.
    var secondsOpen: Int { (isOwn == true ? max(cat.cooldown, Counting.cooldowns.upperBound) : cat.cooldown) * 60 }

    /// Whether the cat is the visitor's own, in a walk-up; nil outside of a walk-up.
    var isOwn: Bool? { isWalkUp ? home.household != Household.home : nil }

    /// Returns a new household for a guest, after the guest's household `last`. Its cat does not soon repeat messages that earlier guests
    /// have got. It continues the count of ledger entries, so that their keys differ from earlier ones.
    public func anew(_ last: Home, _ days: Days) -> Home {
        var home = recall(nil, days)
        home.cat.deeds = last.cat.deeds
        home.messages = last.messages
        home.messages.beginDay()
        return home
    }
}

/// The rest that the house's own cat has between visitors in a walk-up. Each visitor finds the cat rested, whatever others have done.
extension Cat {
    /// The health that the cat has at least after its rest, in HP.
    static let rested = 70

    /// Prepares the house's cat for another visitor: closes all apps, and raises each share of health to `rested` hundredths at least.
    /// `returned` are the closed apps by their indices in the plan, and `gained` are the parts of health that were given back.
    mutating func rest(at now: Moment) -> (returned: [Int], gained: Int) {
        let wasDead = health.isDead
        let returned = close(openings.map(\.app), at: now)
        let gained = health.rise(to: Self.rested)
        guard gained > 0 else { return (returned, 0) }
        today.bands.removeAll { health.total > $0.parts }
        if wasDead {
            today.terminalAt = nil
            // The cat is not dead any more, so the evening's message is due again.
            if now.secondOfDay < Self.evening { today.hasNightly = false }
        }
        return (returned, gained)
    }
}
