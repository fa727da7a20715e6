import Calendar
import Fields
import Signals

/// A piece whose runs are households': rules over days. It has no clock, no count of days and no way to enter of its own. The core has each
/// event come to its moment (`Life.swift`), and calls these rules on the way, in the order of the clock.
///
/// A `Moment` is by the piece's clock, and rules count in its seconds. Rules that a piece leaves out do nothing.
public protocol HouseholdPiece: Experience {
    /// Holds all that is known of a household.
    associatedtype Home: LivesByDays & Equatable & Sendable

    /// The household that is there. The core sets its days.
    var home: Home { get set }
    /// Holds what the core keeps of the run. A piece makes it of its opening, and leaves it alone.
    var life: Life<Memory> { get set }

    // MARK: Memory

    /// Returns the household that `memory` is of; without a memory a new one, whose days are `days`.
    func recall(_ memory: Memory?, _ days: Days) -> Home
    /// Returns the household of guests as a new one, whose days are `days`: in a walk-up a guest has entered, and `last` is what the guest
    /// before left. Without a rule of the piece nothing of it is kept.
    func anew(_ last: Home, _ days: Days) -> Home
    /// Returns what is to be remembered of the household. `last` is the memory before it, nil for none.
    func remembered(after last: Memory?) -> Memory
    /// The household has come to `now`, at the start of a run or by entering. `isNew` says that nothing was remembered of it, or that it
    /// begins anew.
    mutating func settle(isNew: Bool, at now: Moment) -> Effects

    // MARK: Days

    /// Time comes to `now`, before anything else happens. That is earlier than before where the clock was set back.
    mutating func bound(by now: Moment)
    /// The day that is lived is over. `end` is its last second, and `now` the moment to which time comes.
    mutating func endDay(at end: Moment, now: Moment) -> Effects
    /// Says whether the next day is lived, too, when the machine was off on it. Asked when a day has ended; at most 366 days are lived so.
    var livesAway: Bool { get }
    /// The day of `now` begins. `daysOff` passed without the machine between it and the day that was lived last.
    mutating func beginDay(at now: Moment, daysOff: Int) -> Effects
    /// The clock was ahead by more than a day, and the day that is lived is its day from now on: later ones have not been.
    mutating func forgetDaysToCome()
    /// Does what has fallen due by `now`, on the day that is lived.
    mutating func fallDue(by now: Moment) -> Effects
    /// Returns when something falls due next, in the piece's seconds; nil for nothing within the hour.
    func nextDue(after now: Moment) -> Int?
    /// The piece's clock runs at another speed: what was `old` is `new`. The day that is lived has a number that is greater by `days`, and
    /// so have the days before it (`Days.moved`).
    mutating func move(by days: Int, from old: Moment, to new: Moment)

    // MARK: Events

    /// Returns why `move` cannot be acted on at `now`, to which the household has come; nil when it can.
    func refusal(of move: Move, at now: Moment) -> Fault?
    /// Acts on what is not refused. Another household enters after it where `move` says so (`ActionBody.entering`).
    mutating func act(on move: Move, at now: Moment, _ time: Now) -> Effects
    /// A visit begins.
    mutating func greet(at now: Moment) -> Effects
    /// A visit ends. After it the house's own household enters, where another one is there.
    mutating func farewell(at now: Moment) -> Effects
    /// Hands touch or let go. `usual` are the cues that most pieces give for it. No time goes by for it.
    mutating func feel(_ usual: [Cue], at time: Now) -> Effects
    /// The tick comes that was asked for.
    mutating func tick(at time: Now) -> Effects
    /// A knob is turned. The core sees to the length of days.
    mutating func turn(_ knob: Knob, to value: KnobValue) -> Effects
    /// The piece goes by `document` from now on.
    mutating func go(by document: any PieceDocument, _ version: Int) -> Effects
    /// Another household enters. Returns the cues that end what is heard of this one.
    mutating func leave() -> [Cue]

    // MARK: What is told

    /// Returns what is announced whenever something of the household has changed; nil for nothing.
    func shown(at now: Moment) -> (any AnnouncementBody)?
    /// Returns whether what is shown is another than when this was last asked, though the household is the same.
    mutating func looksOther(at now: Moment) -> Bool
    /// Returns when the piece is woken. `instant` is when the household wants it.
    func wake(by instant: Double, at time: Now) -> Wake
}

extension HouseholdPiece {
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
