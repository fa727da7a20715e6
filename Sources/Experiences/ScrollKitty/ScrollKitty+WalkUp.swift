import Calendar
import Experience
import Signals

// What an exhibition's visitors have instead of months: see docs/scrollkitty.md, "A walk-up".
extension ScrollKitty {
    /// A day of a visitor's own cat is three minutes, which is how long many stay.
    static let exhibition = KnobSettings([PieceTime.visitorDayMinutesKnob.name: .number(3), WalkUp.knob.name: .flag(true)])

    /// Whether the cat is a visitor's own, in a walk-up; nil where months count.
    var isOwn: Bool? { isWalkUp ? home.household != Household.home : nil }

    /// A guest has a new cat. What the guests before were told is not told again so soon, and keys of the ledger go on.
    public func anew(_ last: Home, _ days: Days) -> Home {
        var home = recall(nil, days)
        home.cat.deeds = last.cat.deeds
        home.messages = last.messages
        home.messages.beginDay()
        return home
    }
}
