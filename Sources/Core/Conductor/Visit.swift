import Experience
import Journal
import Signals
import Units

/// A visit lasts from its first event until nothing has happened and nothing was held for the idle time. The idle time and the hearing dose
/// are counted for each visit.
public struct Visit: Equatable, Sendable {
    /// The frame of the output at which the visit began.
    public let start: Frame
    /// The frame of the output at which somebody last did something. Events of the engine, mutes and volumes do not count.
    var lastSign: Frame
    /// Whether subscribers have been told that the visit is about to end.
    var isLeaving = false
}

/// The present run.
public struct ActiveRun: Sendable {
    /// The frame of the output at which the run's frame 0 is due.
    public let start: Frame
    public internal(set) var lastEvent: Frame
    public internal(set) var events = 0
    public internal(set) var run: Run
    /// The instant at which the household's day ends, in seconds since 1970-01-01 in UTC; nil for a visitor's run.
    var rollOver: Int?

    /// Returns the frame of the run for `frame` of the output; frame 0 for all frames before the run.
    public func time(of frame: Frame) -> Frame { max(.zero, Frame((frame - start).rawValue)) }
}

extension EventKind {
    /// Whether the event sets the loudness of the house. Such an event is no sign of a visitor, because its sender may be elsewhere.
    public var isLoudness: Bool {
        switch self {
        case .mute, .volume: true
        default: false
        }
    }
}

extension Conductor {
    /// Whether a finger is down or the tone is held.
    public var isHeld: Bool { run?.run.hands.isHeld ?? false }

    /// The number of fingers that are down.
    public var fingers: Int { run?.run.hands.fingerCount ?? 0 }

    /// Whether `event` begins a visit. A release or a stop, for instance, does not.
    func begins(_ event: Event) -> Bool {
        switch event.kind {
        case .touch(let touch): touch.phase == .began
        case .tone(let request): request.on != false
        case .texture(_, let on): on
        case .noise(let level): level != nil
        case .action(let action): piece.declaration.action(action.name)?.beginsVisit ?? false
        case .swipe, .tap, .chime, .haptic, .pattern, .start: true
        case .knob, .mute, .ceiling, .volume, .theme, .mark, .stop, .left, .arrival, .configuration, .tick, .visit,
             .touchOwner: false
        }
    }

    mutating func beginVisit(at due: Due) {
        visit = Visit(start: due.frame, lastSign: due.frame)
        visits += 1
        ports.tell(Announcement(SessionAnnouncement(.began)))
        if isHousehold { note(.visit(.began), at: due) }
    }

    /// Brings visits and runs to `frame` of the output: ends the visit if its idle time is over, begins and ends a household's run when it
    /// is time, and wakes the piece when the instant has come for which it asked.
    public mutating func advance(to frame: Frame) {
        if let visit, !isHeld {
            if visit.lastSign + idle <= frame { endVisit(.idle, at: frame) } else { tellOfLeaving(visit, at: frame) }
        }
        followClock(at: frame)
    }

    /// The time before the end of a visit at which its end is announced: the last third of the idle time, but at most 10 s.
    private var notice: FrameCount { min(rate.frames(in: Seconds(10)), FrameCount(idle.rawValue / 3)) }

    private mutating func tellOfLeaving(_ leaving: Visit, at frame: Frame) {
        let end = leaving.lastSign + idle
        guard !leaving.isLeaving, end <= frame + notice else { return }
        visit?.isLeaving = true
        let endsAt = run.map { rate.seconds(in: $0.time(of: end) - .zero) }
        let announcement = Announcement(SessionAnnouncement(.leaving(endsIn: rate.seconds(in: end - frame)), endsAt: endsAt))
        ports.tell(moments.map { announcement.clocked($0) } ?? announcement)
    }

    /// Records that a client or a screen has done something that is due at `frame`, even if the piece does not get it. Does nothing outside
    /// of a visit.
    public mutating func noteSign(at frame: Frame) {
        visit?.lastSign = frame
        guard visit?.isLeaving == true else { return }
        visit?.isLeaving = false
        ports.tell(Announcement(SessionAnnouncement(.stayed)))
    }

    /// Ends the visit now. All sound fades out at `frame` of the output; `placed` then returns `ticket`. A visitor's run ends with the
    /// visit, and the end of the run is journaled once the output is silent.
    public mutating func end(_ reason: SessionEnd, at frame: Frame, ticket: Int? = nil) {
        if visit != nil { endVisit(reason, at: frame, ticket: ticket) }
        if reason == .shutdown, run != nil { endRun(.shutdown, at: frame) }
    }

    private mutating func endVisit(_ reason: SessionEnd, at frame: Frame, ticket: Int? = nil) {
        guard isHousehold else { return endRun(reason, at: frame, ticket: ticket) }
        let record = run.flatMap { $0.run.record(at: $0.time(of: $0.lastEvent)) }
        note(.stop, at: Due(frame), ticket: ticket)
        note(.visit(.ended), at: Due(frame))
        visit = nil
        ports.tell(Announcement(SessionAnnouncement(.ended, record: record)))
    }

    /// Has the run act on an event that comes from the engine.
    mutating func note(_ kind: EventKind, at due: Due, ticket: Int? = nil) {
        take(AdmittedEvent(engine: kind), at: due, ticket: ticket)
    }
}
