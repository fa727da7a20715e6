import Calendar
import Journal
import Signals
import Units

/// What time it was at a session's beginning, by the first of its events that says what time it is.
struct SessionClock {
    /// What two clocks that go alike may differ by, in seconds: each is read to about a microsecond.
    private static let error = 0.001

    private var beginning: CivilTime?

    mutating func hear(_ entry: JournalEntry, _ rate: SampleRate) {
        guard beginning == nil, case .event(let event, let frame, let due, _) = entry, let told = event.kind.civilTime else { return }
        beginning = CivilTime(instant: told.instant - rate.seconds(in: (due ?? frame) - .zero).rawValue, utcOffset: told.utcOffset)
    }

    /// Returns `entry`, of the session of another clock, with the time that `own` says, if as much time has gone by since the beginnings.
    func moved(_ entry: JournalEntry, with other: SessionClock, onto own: JournalEntry) -> JournalEntry {
        guard let beginning, let otherBeginning = other.beginning, case .event(var event, let frame, let due, let cues) = entry,
              case .event(let ownEvent, _, _, _) = own, let time = event.kind.civilTime, let ownTime = ownEvent.kind.civilTime,
              abs((time.instant - otherBeginning.instant) - (ownTime.instant - beginning.instant)) <= Self.error,
              time.utcOffset - otherBeginning.utcOffset == ownTime.utcOffset - beginning.utcOffset else { return entry }
        switch event.kind {
        case .arrival(var arrival):
            arrival.civilTime = ownTime
            event.kind = .arrival(arrival)
        default: event.kind = .tick(ownTime)
        }
        return .event(event, at: frame, due: due, cues: cues)
    }
}

extension EventKind {
    /// What time it is, by events that say it.
    fileprivate var civilTime: CivilTime? {
        switch self {
        case .arrival(let arrival): arrival.civilTime
        case .tick(let time): time
        default: nil
        }
    }
}
