import Calendar
import Experience
import Fields
import Signals

// What visitors of an exhibition get in place of months with the pet: see docs/unhooked.md, "A walk-up".
extension Unhooked {
    static let awayGems = Knob("away-gems", .number(0...500, standard: 0), unit: "Gems",
                               about: "that ten seconds without a hand on the screen earn")
    static let knobs = [PieceTime.dayMinutesKnob, PieceTime.visitorDayMinutesKnob, WalkUp.knob, awayGems]
    /// The knobs of an exhibition: a week of a visitor's own pet takes three and a half minutes.
    static let exhibition = KnobSettings([
        PieceTime.visitorDayMinutesKnob.name: .number(PieceTime.shortestDay), WalkUp.knob.name: .flag(true), awayGems.name: .number(40),
    ])

    /// The Gems that ten seconds without a hand on the screen earn.
    var gemsForAway: Int { Int(life.knobs.number(Self.awayGems).rounded()) }

    /// The number of days as which a fed day counts for the pet's growth.
    var growthPace: Int { isWalkUp && !home.isHouse ? Home.fastGrowth : 1 }

    /// Returns why `move` is refused in a walk-up; nil where the rules of walk-ups do not refuse it.
    func refusalOfWalkUp(_ move: UnhookedMove) -> Fault? {
        guard isWalkUp else { return nil }
        switch move {
        case .report where home.today.hasReported == true:
            return Fault(field: "minutes", expected: home.isHouse ? "one report a visit" : "one report a day", found: "one more")
        case .purchase(let purchase) where !purchase.isRefund && home.household == Household.guest:
            return Fault(field: "household", expected: "one with a name of its own, which keeps what is bought", found: "a guest's")
        default: return nil
        }
    }

    mutating func earn(by minutes: Int, at now: Moment) -> Effects {
        let movement = home.earn(by: minutes, configuration, at: now.seconds)
        var effects = movement.map { .entered($0) + .earcon("award") } ?? Effects()
        effects.tell(Earned(day: home.day, usedMinutes: minutes, limitMinutes: home.limit, energy: movement?.legs.first?.amount ?? 0))
        return effects
    }

    mutating func stayAway(at now: Moment) -> Effects {
        guard let movement = home.stayAway(gems: gemsForAway, at: now.seconds) else { return Effects() }
        var effects = .entered(movement) + .earcon("award")
        effects.tell(StayedAway(day: home.day, gems: gemsForAway, left: home.breaksLeft))
        return effects
    }

    /// In a walk-up, revives the house's pet without Gems if it is dead, so that no visitor meets a dead pet. Otherwise changes nothing.
    mutating func revive() -> Effects {
        guard isWalkUp, let before = home.reviveForNothing() else { return Effects() }
        var effects = Effects.earcon("revive")
        effects.tell(Recovered(.revive, gems: 0, before, day: home.day))
        return effects
    }

    /// Receives what visitors have left: hangs their own pets on the house's wall, and feeds the house's pet for their good days.
    mutating func receive(_ farewells: [Farewell], at now: Moment) -> Effects {
        var effects = Effects()
        for farewell in farewells {
            home.hang(farewell.portrait)
            effects.tell(Hung(portrait: Portrait(farewell.portrait)))
        }
        let goodDays = farewells.reduce(0) { $0 + $1.goodDays }
        if let movement = home.treat(goodDays: goodDays, at: now.seconds) {
            effects += .entered(movement) + .earcon("eating")
            effects.tell(Treated(day: home.day, goodDays: min(goodDays, Home.mostGoodDays), eaten: home.today.eaten, isFed: home.isFed))
        }
        return effects
    }

    mutating func reset(at now: Moment) -> Effects {
        let movement = home.reset(configuration, at: now.seconds)
        return (movement.map { .entered($0) } ?? Effects()) + .earcon("restart")
    }
}
