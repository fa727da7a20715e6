import Experience
import Journal
import Signals
import Units

/// A visit lasts from the first event until nothing has happened and nothing was held for the idle time. Idle time and hearing dose count
/// by visits.
public struct Visit: Equatable, Sendable {
    /// The output's frame at which it began.
    public let start: Frame
    /// The output's frame of the last event that is neither the engine's nor the house's mute or volume.
    var lastSign: Frame
    /// Whether subscribers have been told that the visit is about to end.
    var isLeaving = false
}

/// The run under way.
public struct ActiveRun: Sendable {
    /// The output's frame at the run's frame 0, as it is due.
    public let start: Frame
    public internal(set) var lastEvent: Frame
    public internal(set) var events = 0
    public internal(set) var run: Run
    /// The instant at which the household's day ends, in seconds since 1970-01-01 in UTC; nil for a visitor's run.
    var rollOver: Int?

    /// The run's frame at a frame of the output.
    public func time(of frame: Frame) -> Frame { max(.zero, Frame((frame - start).rawValue)) }
}

extension EventKind {
    /// Whether the event sets how loud the house is. Whoever does that need not be at the work: it is no sign of a visitor.
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

    /// Whether `event` begins a visit: a release or a stop does not.
    func begins(_ event: Event) -> Bool {
        switch event.kind {
        case .touch(let touch): touch.phase == .began
        case .tone(let request): request.on != false
        case .texture(_, let on): on
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

    /// Ends the visit if its idle time is over by `frame` of the output; begins and ends a household's run when it is time; wakes the piece
    /// when the instant has come that it asked for.
    public mutating func advance(to frame: Frame) {
        if let visit, !isHeld {
            if visit.lastSign + idle <= frame { endVisit(.idle, at: frame) } else { tellOfLeaving(visit, at: frame) }
        }
        followClock(at: frame)
    }

    /// How long before its end a visit is announced as leaving: the last third of the idle time, and at most 10 s.
    private var notice: FrameCount { min(rate.frames(in: Seconds(10)), FrameCount(idle.rawValue / 3)) }

    private mutating func tellOfLeaving(_ leaving: Visit, at frame: Frame) {
        let end = leaving.lastSign + idle
        guard !leaving.isLeaving, end <= frame + notice else { return }
        visit?.isLeaving = true
        let endsAt = run.map { rate.seconds(in: $0.time(of: end) - .zero) }
        let announcement = Announcement(SessionAnnouncement(.leaving(endsIn: rate.seconds(in: end - frame)), endsAt: endsAt))
        ports.tell(moments.map { announcement.clocked($0) } ?? announcement)
    }

    /// Notes that a client or a screen has done something, due at `frame`, also where the piece is not told of it. Outside a visit nothing
    /// is noted.
    public mutating func noteSign(at frame: Frame) {
        visit?.lastSign = frame
        guard visit?.isLeaving == true else { return }
        visit?.isLeaving = false
        ports.tell(Announcement(SessionAnnouncement(.stayed)))
    }

    /// Ends the visit now: all sound ends softly at `frame` of the output. `ticket` is returned when that is placed. A visitor's run ends
    /// with the visit, and its end is journaled when it is silent.
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

    /// Takes an event of the engine's own.
    mutating func note(_ kind: EventKind, at due: Due, ticket: Int? = nil) {
        take(AdmittedEvent(engine: kind), at: due, ticket: ticket)
    }
}
