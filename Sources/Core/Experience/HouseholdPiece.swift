import Calendar
import Fields
import Signals

/// A piece whose rules are about the days of households. A run has one household at a time. Such a piece has no clock of its own, counts no
/// days and lets nobody enter by itself. The core brings the household to the moment of each event (`HouseholdLife.swift`), and on the way
/// calls these rules in chronological order.
///
/// A `Moment` is by the piece's clock, and rules count in that clock's seconds. A rule that a piece does not implement does nothing.
public protocol HouseholdPiece: Experience {
    /// The type of the piece's data about one household.
    associatedtype Home: LivesByDays & Equatable & Sendable

    /// The present household. The core sets its days.
    var home: Home { get set }
    /// The core's own state for the run. The piece creates it from its opening, and must not change it.
    var life: Life<Memory> { get set }

    /// The second of the day that the clock of a guest's household shows when it begins, by the rules of a walk-up. By default it is 0: the
    /// first day is a whole one.
    static var dawn: Int { get }

    // MARK: Memory

    /// Returns the household that `memory` describes; without a memory, a new household. Its days are `days`.
    func recall(_ memory: Memory?, _ days: Days) -> Home
    /// Returns a new household with the days `days`, when a guest has entered by the rules of a walk-up. `last` is the household as the
    /// guest before left it. By default nothing of it is used.
    func anew(_ last: Home, _ days: Days) -> Home
    /// Returns the household's memory. `last` is the memory from before; nil where there was none.
    func remembered(after last: Memory?) -> Memory
    /// Finishes the arrival of a household, at the start of a run or by entering. The household has been brought to `now`. `isNew` is true
    /// if nothing was remembered of the household, or if it starts as a new one.
    mutating func settle(isNew: Bool, at now: Moment) -> Effects

    // MARK: Days

    /// Prepares the household for being brought to `now`. If the clock was set back, `now` is earlier than the household's last moment. The
    /// piece then limits those of its stored times that lie too far ahead of `now`.
    mutating func bound(by now: Moment)
    /// Ends the day that the household is living. `end` is the last second of that day; `now` is the moment to which the household is
    /// brought.
    mutating func endDay(at end: Moment, now: Moment) -> Effects
    /// Whether the household lives through the next day although the machine was off on that day. This applies to 366 days at most. The
    /// core asks at the end of a day.
    var livesAway: Bool { get }
    /// Begins the day of `now`. `daysOff` is the number of days between that day and the last day on which the machine ran.
    mutating func beginDay(at now: Moment, daysOff: Int) -> Effects
    /// Forgets all days after the current one. Called when the clock had been ahead by more than a day: these days have not really
    /// happened.
    mutating func forgetDaysToCome()
    /// Does what has fallen due by `now` on the current day.
    mutating func fallDue(by now: Moment) -> Effects
    /// Returns when something falls due next, in the piece's seconds; nil if nothing does within the hour.
    func nextDue(after now: Moment) -> Int?
    /// Moves the household to a clock of another speed: the moment that was `old` by the former clock is `new` by the new one. Adds `days`
    /// to the stored numbers of the current day and of the days before it (`Days.moved`).
    mutating func move(by days: Int, from old: Moment, to new: Moment)

    // MARK: Events

    /// Returns why `move` cannot be carried out at `now`, to which the household has been brought; nil when it can.
    func refusal(of move: Move, at now: Moment) -> Fault?
    /// Carries out a move that was not refused. Where the move says so (`ActionBody.entering`), another household enters afterwards.
    mutating func act(on move: Move, at now: Moment, _ time: Now) -> Effects
    /// Reacts to the beginning of a visit.
    mutating func greet(at now: Moment) -> Effects
    /// Reacts to the end of a visit. If another household is present, the house's own household enters afterwards.
    mutating func farewell(at now: Moment) -> Effects
    /// Reacts to touches and tones. The household is not brought to the present for this. `usual` are the cues that most pieces give
    /// (`Hands`).
    mutating func feel(_ usual: [Cue], at time: Now) -> Effects
    /// Reacts to the tick that the piece asked for.
    mutating func tick(at time: Now) -> Effects
    /// Reacts to a change of a knob. The core itself takes care of the length of days.
    mutating func turn(_ knob: Knob, to value: KnobValue) -> Effects
    /// Follows `document` from now on.
    mutating func go(by document: any PieceDocument, _ version: Int) -> Effects
    /// Prepares for another household to enter. Returns the cues that end this household's sounds.
    mutating func leave() -> [Cue]

    // MARK: Announcements

    /// Returns the announcement to make whenever the household has changed; nil for a piece that announces no such changes.
    func shown(at now: Moment) -> (any AnnouncementBody)?
    /// Whether the household looks different since this function was called last, although its data is the same.
    mutating func looksOther(at now: Moment) -> Bool
    /// Returns when the piece is to be woken: at `instant`, which the household needs, or earlier if the piece needs that.
    func wake(by instant: Double, at time: Now) -> Wake
}

extension HouseholdPiece {
    public static var dawn: Int { 0 }
    public func anew(_ last: Home, _ days: Days) -> Home { recall(nil, days) }
    public mutating func settle(isNew: Bool, at now: Moment) -> Effects { Effects() }
    public mutating func bound(by now: Moment) {}
    public mutating func endDay(at end: Moment, now: Moment) -> Effects { Effects() }
    public var livesAway: Bool { false }
    public mutating func beginDay(at now: Moment, daysOff: Int) -> Effects { Effects() }
    public mutating func forgetDaysToCome() {}
    public mutating func fallDue(by now: Moment) -> Effects { Effects() }
    public func nextDue(after now: Moment) -> Int? { nil }
    public mutating func move(by days: Int, from old: Moment, to new: Moment) {}
    public func refusal(of move: Move, at now: Moment) -> Fault? { nil }
    public mutating func greet(at now: Moment) -> Effects { Effects() }
    public mutating func farewell(at now: Moment) -> Effects { Effects() }
    public mutating func feel(_ usual: [Cue], at time: Now) -> Effects { Effects(cues: usual) }
    public mutating func tick(at time: Now) -> Effects { Effects() }
    public mutating func turn(_ knob: Knob, to value: KnobValue) -> Effects { Effects() }
    public mutating func go(by document: any PieceDocument, _ version: Int) -> Effects { Effects() }
    public mutating func leave() -> [Cue] { [] }
    public func shown(at now: Moment) -> (any AnnouncementBody)? { nil }
    public mutating func looksOther(at now: Moment) -> Bool { false }
    public func wake(by instant: Double, at time: Now) -> Wake { .instant(instant) }
}

/// Rules that household pieces share for places where people walk up and stay for minutes.
public enum WalkUp {
    /// The knob that switches to the rules of a walk-up. When it is off, the rules are those for months at home.
    public static let knob = Knob("walk-up", .flag(standard: false), about: "visitors stay for minutes: rules of a walk-up, not of months")
}

extension HouseholdPiece {
    /// Whether the rules of a walk-up apply. Always false for a piece that does not declare `WalkUp.knob`.
    public var isWalkUp: Bool { life.knobs.isOn(WalkUp.knob) }
}
