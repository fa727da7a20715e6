import Calendar
import Fields
import Signals

/// The state that the core keeps for a run of a household's piece.
public struct Life<Memory: PieceMemory>: Sendable {
    /// The clock of the present household, with the length of days that the knobs set.
    public fileprivate(set) var time: PieceTime
    /// The values of the piece's knobs.
    public fileprivate(set) var knobs: KnobSettings
    /// The name of the household that comes next, in the run that is about to begin.
    fileprivate var next = Household.home
    /// Whether the next household enters during the run; false for the household with which the daemon starts a run.
    fileprivate var isEntering = false
    /// The memory of the present household; nil before the run has begun.
    fileprivate var remembered: Memory?

    public init(_ opening: Opening) {
        knobs = opening.knobs
        time = PieceTime(of: Household.home, by: opening.knobs)
    }
}

// How a household lives: `advance` brings it to the moment of each event. So a machine that was off, a clock that was set, and days of any
// length need no code of their own.
extension HouseholdPiece {
    /// The piece's clock.
    public var time: PieceTime { life.time }

    /// Returns the moment at `now` by the piece's clock.
    public func moment(at now: Now) -> Moment { life.time.moment(now.civilTime) }

    public var memory: Memory? { life.remembered ?? remembered(after: nil) }

    /// Returns when the piece is to be woken after `now`: at the next full hour at the latest, because the time zone's offset may change
    /// then.
    public func wake(after now: Now) -> Wake {
        let moment = moment(at: now)
        let hour = moment.seconds(of: (moment.secondOfDay / 3_600 + 1) * 3_600, on: moment.dayNumber)
        let due = max(moment.seconds + 1, min(hour, nextDue(after: moment) ?? hour))
        return wake(by: max(life.time.instant(due), now.civilTime.instant + 0.001), at: now)
    }

    // MARK: Events

    public mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        life.time = PieceTime(of: life.next, by: life.knobs)
        home = recall(memory, Days(life.next, life.time, at: moment(at: now)))
        life.next = home.household
        life.time = PieceTime(of: life.next, by: life.knobs)
        let isAnew = life.isEntering && isWalkUp && life.next == Household.guest
        life.isEntering = false
        if isAnew {
            // No two guests live a day of the same number, because ledgers name days by their numbers. A clock of another speed counts
            // other days, so the last guest's number says nothing about them. A clock of real days is left as it is.
            let follows = memory != nil && home.days.time.dayMinutes == life.time.dayMinutes
            let earliest = follows ? Days.moved(home.day, by: 1) : Days.numbers.lowerBound
            life.time = life.time.beginning(at: Self.dawn, on: earliest, now.civilTime)
            let days = Days(life.next, life.time, at: self.moment(at: now))
            home = memory == nil ? recall(nil, days) : anew(home, days)
        }
        let moment = moment(at: now)
        let then = home.days.time.moment(now.civilTime)
        var effects = advance(until: then)
        follow(from: then, to: moment)
        effects += settle(isNew: memory == nil || isAnew, at: moment)
        tell(&effects, at: moment)
        effects.wake = wake(after: now)
        life.remembered = remembered(after: nil)
        return effects
    }

    public func refusal(of input: Input<Move>, at now: Now) -> Fault? {
        guard case .move(let move) = input else { return nil }
        let moment = moment(at: now)
        // The refusal depends on the household as it will be at that moment, so a copy of the piece is brought there.
        var piece = self
        _ = piece.advance(until: moment)
        return piece.refusal(of: move, at: moment)
    }

    public mutating func reduce(_ input: Input<Move>, at now: Now) -> Effects {
        switch input {
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return feel(usual, at: now)
        case .tap, .swipe, .theme: return Effects()
        case .tick: return live(at: now) { piece, _ in piece.tick(at: now) }
        case .move(let move):
            return live(at: now) { piece, moment in
                var effects = piece.act(on: move, at: moment, now)
                if let name = move.entering { effects += piece.enter(name) }
                return effects
            }
        case .knob(let knob, let value):
            return live(at: now) { piece, moment in
                piece.life.knobs[knob] = value
                let time = PieceTime(of: piece.home.household, by: piece.life.knobs)
                if time.dayMinutes != piece.life.time.dayMinutes { piece.life.time = time }
                piece.follow(from: moment, to: piece.moment(at: now))
                return piece.turn(knob, to: value)
            }
        case .configuration(let document, let version):
            // Before the arrival there is no household yet.
            guard life.remembered != nil else {
                _ = go(by: document, version)
                return Effects()
            }
            return live(at: now) { piece, _ in piece.go(by: document, version) }
        case .visit(.began): return live(at: now) { piece, moment in piece.greet(at: moment) }
        case .visit(.ended):
            return live(at: now) { piece, moment in
                let effects = piece.farewell(at: moment)
                return piece.home.household == Household.home ? effects : effects + piece.enter(Household.home)
            }
        }
    }

    /// Brings the household to `now`, does `step`, and announces the household if it has changed.
    private mutating func live(at now: Now, _ step: (inout Self, Moment) -> Effects) -> Effects {
        let moment = moment(at: now)
        let before = home
        var effects = advance(until: moment)
        effects += step(&self, moment)
        let after = self.moment(at: now)
        let looksOther = looksOther(at: after)
        if looksOther || !effects.announcements.isEmpty || hasChanged(since: before) { tell(&effects, at: after) }
        effects.wake = wake(after: now)
        if before != home { life.remembered = remembered(after: life.remembered) }
        return effects
    }

    /// Whether anything about the household has changed since `before`. Ignores the clock's offset, because no announcement shows it.
    private func hasChanged(since before: Home) -> Bool {
        var same = before
        same.days.offset = home.days.offset
        return same != home
    }

    private func tell(_ effects: inout Effects, at now: Moment) {
        if let shown = shown(at: now) { effects.tell(shown) }
    }

    // MARK: Days

    /// Brings the household to `now`, however far away that is. Whatever falls due on the way happens once, in chronological order.
    private mutating func advance(until now: Moment) -> Effects {
        bound(by: now)
        var effects = Effects()
        if now.dayNumber > home.day {
            let daysOff = now.dayNumber - home.day - 1
            while home.day < now.dayNumber {
                effects += endDay(at: home.days.end, now: now)
                let next = livesAway ? max(home.day + 1, now.dayNumber - Days.mostAway) : now.dayNumber
                home.days.day = next
            }
            effects += beginDay(at: now, daysOff: daysOff)
        } else if now.dayNumber < home.day - 1 {
            // The clock had been ahead by more than a day.
            home.days.day = now.dayNumber
            forgetDaysToCome()
        }
        home.days.offset = now.offset
        return effects + fallDue(by: now)
    }

    /// Switches the household to the piece's clock if that clock has changed. `old` is the present moment by the household's former clock,
    /// `new` by the piece's clock. The current day of the household goes on, with the number that it has by the new clock.
    private mutating func follow(from old: Moment, to new: Moment) {
        guard life.time != home.days.time else { return }
        move(by: new.dayNumber - home.day, from: old, to: new)
        home.days.follow(life.time, at: new)
    }

    // MARK: Households

    private mutating func enter(_ name: String) -> Effects {
        var effects = Effects(result: .object(["household": .text(name)]))
        guard name != home.household else { return effects }
        life.next = name
        life.isEntering = true
        effects.household = name
        effects.cues = leave()
        return effects
    }
}
