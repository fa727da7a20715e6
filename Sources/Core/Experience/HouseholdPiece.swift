import Calendar
import Fields
import Signals

/// A piece whose runs are households': rules over days. It has no clock, no count of days and no way to enter of its own. The core brings
/// the household to the moment of each event (`HouseholdLife.swift`), and calls these rules on the way, in the order of the clock.
///
/// A `Moment` is by the piece's clock, and rules count in its seconds. Rules that a piece leaves out do nothing.
public protocol HouseholdPiece: Experience {
    /// All that is known of a household.
    associatedtype Home: LivesByDays & Equatable & Sendable

    /// The household that is there. The core sets its days.
    var home: Home { get set }
    /// What the core keeps of the run. A piece makes it from its opening, and leaves it alone.
    var life: Life<Memory> { get set }

    // MARK: Memory

    /// Returns the household of `memory`, or without a memory a new one, whose days are `days`.
    func recall(_ memory: Memory?, _ days: Days) -> Home
    /// Returns the household of guests as a new one, whose days are `days`: in a walk-up a guest has entered, and `last` is what the guest
    /// before left. Without a rule of the piece nothing of it is kept.
    func anew(_ last: Home, _ days: Days) -> Home
    /// Returns what is to be remembered of the household. `last` is what was remembered before; nil for nothing.
    func remembered(after last: Memory?) -> Memory
    /// Settles a household that has come to `now`, at the start of a run or by entering. `isNew` says that nothing was remembered of it, or
    /// that it begins anew.
    mutating func settle(isNew: Bool, at now: Moment) -> Effects

    // MARK: Days

    /// Is called before time comes to `now`. That is earlier than the last moment where the clock was set back.
    mutating func bound(by now: Moment)
    /// Ends the day that is lived. `end` is its last second, and `now` the moment to which time comes.
    mutating func endDay(at end: Moment, now: Moment) -> Effects
    /// Whether the next day is lived even when the machine was off on it; at most 366 such days are. It is asked when a day has ended.
    var livesAway: Bool { get }
    /// Begins the day of `now`. `daysOff` is the number of days between it and the one before it on which the machine ran.
    mutating func beginDay(at now: Moment, daysOff: Int) -> Effects
    /// Forgets days after the one that is lived: the clock had been ahead by more than a day, and they have not been.
    mutating func forgetDaysToCome()
    /// Does what has fallen due by `now` on the day that is lived.
    mutating func fallDue(by now: Moment) -> Effects
    /// Returns when something falls due next, in the piece's seconds; nil for nothing within the hour.
    func nextDue(after now: Moment) -> Int?
    /// Moves the household to a clock of another speed, by which the moment `old` is `new`. The numbers of the day that is lived and of the
    /// days before it grow by `days` (`Days.moved`).
    mutating func move(by days: Int, from old: Moment, to new: Moment)

    // MARK: Events

    /// Returns why `move` cannot be acted on at `now`, to which the household has come; nil when it can.
    func refusal(of move: Move, at now: Moment) -> Fault?
    /// Acts on what is not refused. Another household enters after it where `move` says so (`ActionBody.entering`).
    mutating func act(on move: Move, at now: Moment, _ time: Now) -> Effects
    /// Acts on the beginning of a visit.
    mutating func greet(at now: Moment) -> Effects
    /// Acts on the end of a visit. After it the house's own household enters, where another one is there.
    mutating func farewell(at now: Moment) -> Effects
    /// Acts on hands that touch or let go, without any time passing. `usual` are the cues that most pieces give.
    mutating func feel(_ usual: [Cue], at time: Now) -> Effects
    /// Acts on the tick that was asked for.
    mutating func tick(at time: Now) -> Effects
    /// Acts on a knob. The core sees to the length of days.
    mutating func turn(_ knob: Knob, to value: KnobValue) -> Effects
    /// Goes by `document` from now on.
    mutating func go(by document: any PieceDocument, _ version: Int) -> Effects
    /// Makes way for another household. Returns the cues that end what is heard of this one.
    mutating func leave() -> [Cue]

    // MARK: What is told

    /// Returns what is announced whenever the household has changed; nil for nothing.
    func shown(at now: Moment) -> (any AnnouncementBody)?
    /// Whether what is shown has changed since this was last asked, though the household is the same.
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
