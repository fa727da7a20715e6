import Fields
import Signals
import Units

/// What a piece returns for one event.
public struct Effects: Sendable {
    /// Due with the event. At most `Run.cueBudget`, weighed as the synth will weigh them. Mute, ceiling, volume and theme are the house's.
    public var cues: [Cue]
    /// At most `Run.announcementBudget`.
    public var announcements: [Announcement]
    /// Part of the answer to the client that reported the event; nil for none.
    public var result: JSONValue?
    /// When the piece wants a tick, instead of what it asked for before. Nil leaves that as it is.
    public var wake: Wake?
    /// Ledger entries that must be on the disk before the event is answered.
    public var ledger: [LedgerEntry]
    /// Another household whose memory the piece goes on with, by its name: its arrival is the next event. Nil for the same. Only for pieces
    /// whose runs are households'.
    public var household: String?

    public init(cues: [Cue] = [], announcements: [Announcement] = [], result: JSONValue? = nil, wake: Wake? = nil,
                ledger: [LedgerEntry] = [], household: String? = nil) {
        self.cues = cues
        self.announcements = announcements
        self.result = result
        self.wake = wake
        self.ledger = ledger
        self.household = household
    }

    /// One after the other.
    public static func + (a: Effects, b: Effects) -> Effects {
        Effects(cues: a.cues + b.cues, announcements: a.announcements + b.announcements, result: b.result ?? a.result,
                wake: b.wake ?? a.wake, ledger: a.ledger + b.ledger, household: b.household ?? a.household)
    }

    public static func += (a: inout Effects, b: Effects) {
        a.cues += b.cues
        a.announcements += b.announcements
        a.result = b.result ?? a.result
        a.wake = b.wake ?? a.wake
        a.ledger += b.ledger
        a.household = b.household ?? a.household
    }

    public mutating func tell(_ body: any AnnouncementBody) { announcements.append(Announcement(body)) }
}

/// When a piece wants a tick, within `Run.waits` of the event.
public enum Wake: Equatable, Sendable {
    /// At exactly this frame of the run, if it is at least a thousandth of a second ahead; else then.
    case frame(Frame)
    /// When the wall clock has reached this instant, in seconds since 1970-01-01 in UTC, also after the machine was asleep or its clock was
    /// set. For pieces that tell the time.
    case instant(Double)
}
