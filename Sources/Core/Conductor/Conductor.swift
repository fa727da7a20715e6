import Experience
import Fields
import Journal
import Registry
import Signals
import Units

/// The one loop: reduces each event, sends every cue where it belongs, and journals the event when the output has said at
/// which frame it took effect. It begins a session with the first event and ends it when nobody has done anything for a
/// while.
///
/// Serial, and without a clock: whoever owns it says at which frame of the output an event is due.
public struct Conductor {
    /// Where the conductor's results go. Called in order, on the owner's thread.
    public struct Ports {
        public var journal: (JournalEntry) -> Void
        /// For every batch, in order, the owner calls `placed`.
        public var synth: (CommandBatch) -> Void
        /// What is felt: a haptic pattern or a stop, and the frame of the output by which its sound is heard.
        public var haptic: (Cue, Frame) -> Void
        /// What whoever draws is to know.
        public var tell: (Announcement) -> Void
        /// Every cue, for whoever watches.
        public var watch: (Cue) -> Void

        public init(journal: @escaping (JournalEntry) -> Void, synth: @escaping (CommandBatch) -> Void,
                    haptic: @escaping (Cue, Frame) -> Void, tell: @escaping (Announcement) -> Void,
                    watch: @escaping (Cue) -> Void = { _ in }) {
            self.journal = journal
            self.synth = synth
            self.haptic = haptic
            self.tell = tell
            self.watch = watch
        }
    }

    /// The session under way.
    public struct Session {
        /// The output's frame at the session's frame 0, as it is due.
        public let start: Frame
        public fileprivate(set) var lastEvent: Frame
        /// Of the last event that is not the house's.
        fileprivate var lastSign: Frame
        public fileprivate(set) var events = 0
        fileprivate var experience: any Experience

        public var isHeld: Bool { experience.isHeld }
        public var fingers: Int { experience.fingers }
    }

    /// What became of an event.
    public struct Placement: Equatable, Sendable {
        /// Who asked, as `handle` was told.
        public var ticket: Int?
        /// The session's frame it took effect at.
        public var position: Frame
        /// By how much that is later than its deadline.
        public var lateness: FrameCount

        public init(ticket: Int?, position: Frame, lateness: FrameCount) {
            self.ticket = ticket
            self.position = position
            self.lateness = lateness
        }
    }

    public private(set) var session: Session?
    /// Begun since the conductor was made.
    public private(set) var sessions = 0
    /// How the knobs stand, for this session and those to come.
    public private(set) var tuning: Tuning
    /// Whether the sound is taken away, now and in sessions to come.
    public private(set) var isMuted = false
    /// No sample passes it, now and in sessions to come; at most the theme's.
    public var ceiling: Decibels { min(wantedCeiling ?? theme.ceiling, theme.ceiling) }
    /// A front end's wish.
    private var wantedCeiling: Decibels?
    /// How far the house has the sound turned down.
    public private(set) var volume = Decibels.fullScale

    private let experienceName: ExperienceName
    /// With the highest ceiling that a front end may ask for.
    public private(set) var theme: Theme
    private var score: CueLowering
    private let makeScore: (Theme) -> CueLowering
    private let rate: SampleRate
    private var idle: FrameCount
    private let ports: Ports
    private let makeSeed: () -> UInt64
    private let readClock: () -> WallClock
    private var log = PlacedLog()
    /// Of the next session, which can be looked at before anybody is there.
    private var nextSeed: UInt64
    /// Of the session before.
    private var lastScore: Int?

    /// `seed` gives each new session its own; `clock` is read when one begins. `idle` is the time without events, and with
    /// nothing held, after which a session ends. `score` is asked for each theme that is to be used.
    public init(_ experience: ExperienceName = .direct, theme: Theme, rate: SampleRate, idle: Seconds, tuning: Tuning = .standard,
                score: @escaping (Theme) -> CueLowering, ports: Ports, seed: @escaping () -> UInt64, clock: @escaping () -> WallClock) {
        experienceName = experience
        self.theme = theme
        makeScore = score
        self.score = score(theme)
        self.rate = rate
        self.idle = rate.frames(in: idle)
        self.tuning = tuning
        self.ports = ports
        makeSeed = seed
        readClock = clock
        nextSeed = seed()
    }

    /// The running session's, or that of the next as it would begin now.
    public var experience: any Experience {
        if let session { return session.experience }
        var experience = fresh
        if experienceName.needsArrival { _ = experience.reduce(arrival(readClock()), at: .zero) }
        return experience
    }

    /// The next session's, as new.
    private var fresh: any Experience { experienceName.make(theme: theme, seed: nextSeed, rate: rate, tuning: tuning) }

    /// Acts on one event, due at a frame of the output; one before the last event's counts as the last event's.
    /// Returns whether it counts: then `placed` is to be called for it, and returns `ticket`. An event that begins no
    /// session where there is none does not, though what it sets stays set. Throws `Fault` when the event is refused; then
    /// nothing has happened.
    public mutating func handle(_ event: Event, at due: Due, ticket: Int? = nil) throws(Fault) -> Bool {
        advance(to: due.frame)
        if case .ceiling(let level) = event.kind, level > theme.ceiling {
            throw Fault(field: "level", expected: "at most \(Fault.plain(theme.ceiling.rawValue)) dBFS, "
                            + "the ceiling of settings, theme and preset",
                        found: Fault.plain(level.rawValue))
        }
        var event = event
        if case .theme(var theme) = event.kind {
            use(theme)
            // As it will be heard.
            theme.ceiling = ceiling
            event.kind = .theme(theme)
        }
        return try act(on: event, at: due, ticket: ticket, end: nil)
    }

    /// For sessions to come, and the running one's end.
    public mutating func change(idle: Seconds, tuning: Tuning) {
        self.idle = rate.frames(in: idle)
        self.tuning = tuning
    }

    /// The next batch, in the order in which they were sent, took effect at `frame` of the output: what it stands for goes
    /// into the journal.
    public mutating func placed(at frame: Frame) -> Placement {
        log.place(at: frame, rate: rate, journal: ports.journal)
    }

    /// A change came too late: `count` frames from `frame` of the output on were heard without it, at most.
    public mutating func late(_ count: FrameCount, at frame: Frame) { log.noteLate(count, at: frame, journal: ports.journal) }

    /// From `frame` of the output on nothing is heard.
    public mutating func fellSilent(at frame: Frame) { log.fallSilent(at: frame, journal: ports.journal) }

    /// From `frame` of the output on everything is heard again.
    public mutating func cameBack(at frame: Frame) { log.comeBack(at: frame, journal: ports.journal) }

    /// Of every frame of the output before `frame` it is known whether it was heard. Until it is of a session's last, its end is not
    /// journaled.
    public mutating func settled(until frame: Frame) { log.settle(until: frame, journal: ports.journal) }

    /// Whether a session's end is not journaled yet.
    public var isSettling: Bool { log.isSettling }

    /// Ends the session at `frame` of the output if by then its idle time is over.
    public mutating func advance(to frame: Frame) {
        guard let session, !session.isHeld, session.lastSign + idle <= frame else { return }
        end(.idle, at: frame)
    }

    /// Ends the session now, softly: all off at `frame` of the output, and the session's end when it is silent. When that is placed,
    /// `ticket` is returned.
    public mutating func end(_ reason: SessionEnd, at frame: Frame, ticket: Int? = nil) {
        guard session != nil else { return }
        let last = session.map { Frame(($0.lastEvent - $0.start).rawValue) } ?? .zero
        // The engine's own stop is an event like any other, so that the journal sounds as this did.
        _ = try? act(on: Event(client: .engine, .stop), at: Due(frame), ticket: ticket, end: reason)
        guard let ended = session else { return }
        session = nil
        let record = ended.experience.record(at: last)
        lastScore = record?.blocksViewed
        ports.tell(.session(Announcement.Session(.ended, record: record)))
    }

    private mutating func act(on event: Event, at due: Due, ticket: Int?, end: SessionEnd?) throws(Fault) -> Bool {
        guard session != nil else { return try begin(with: event, at: due, ticket: ticket) }
        // Whoever held nothing goes unnoticed: every `thrum send` is a client that leaves.
        if event.kind == .left, session?.experience.isHeld(by: event.client) == false { return false }
        if event.kind == .start {
            throw Fault(field: "method", expected: "no session.start, because a session is running; session.end ends it")
        }
        if let fault = session?.experience.refusal(of: event) { throw fault }
        keep(event.kind)
        take(event, at: due, ticket: ticket, header: nil, end: end)
        return true
    }

    /// Begins a session, if `event` is one to begin with.
    private mutating func begin(with event: Event, at due: Due, ticket: Int?) throws(Fault) -> Bool {
        guard event.kind.beginsSession || event.kind.lasts else { return false }
        let experience = fresh
        if let fault = experience.refusal(of: event) { throw fault }
        guard event.kind.beginsSession else {
            keep(event.kind)
            return false
        }
        let clock = readClock()
        var theme = theme
        theme.ceiling = ceiling
        let rules = JournalHeader.Rules(version: experienceName.rulesVersion, opening: experience.opening)
        let header = JournalHeader(sampleRate: rate, seed: nextSeed, experience: experienceName.rawValue, started: clock.iso8601,
                                   theme: theme, tuning: tuning, rules: rules)
        session = Session(start: due.frame, lastEvent: due.frame, lastSign: due.frame, experience: experience)
        nextSeed = makeSeed()
        sessions += 1
        ports.tell(.session(Announcement.Session(.began)))
        var events: [(event: Event, ticket: Int?)] = [(event, ticket)]
        if experienceName.needsArrival { events.insert((arrival(clock), nil), at: 0) }
        if volume < .fullScale { events.insert((Event(client: .engine, .volume(volume, fade: .zero)), nil), at: 0) }
        // First of all, with the engine's reset: it is never heard.
        if isMuted { events.insert((Event(client: .engine, .mute(true)), nil), at: 0) }
        for (index, next) in events.enumerated() {
            take(next.event, at: due, ticket: next.ticket, header: index == 0 ? header : nil, end: nil)
        }
        return true
    }

    /// What is set for sessions to come, too.
    private mutating func keep(_ kind: EventKind) {
        switch kind {
        case .parameter(let change): tuning.apply(change)
        case .mute(let on): isMuted = on
        case .ceiling(let level): wantedCeiling = level
        case .volume(let level, _): volume = level
        default: break
        }
    }

    private mutating func use(_ theme: Theme) {
        self.theme = theme
        score = makeScore(theme)
    }

    private func arrival(_ clock: WallClock) -> Event {
        Event(client: .engine, .arrival(Arrival(time: clock.time, utcOffset: clock.utcOffset, lastScore: lastScore)))
    }

    /// `header` is that of the session which the event is the first of.
    private mutating func take(_ event: Event, at due: Due, ticket: Int?, header: JournalHeader?, end: SessionEnd?) {
        guard var current = session else { preconditionFailure("an event is taken within a session") }
        // Not held twice, so that nothing of it is copied when it changes.
        session = nil
        let due = due.notBefore(current.lastEvent)
        current.lastEvent = due.frame
        if event.client != .engine { current.lastSign = due.frame }
        current.events += 1
        let time = Frame((due.frame - current.start).rawValue)
        let cues = current.experience.reduce(event, at: time)
        session = current
        log.expect(event, cues.filter(\.isJournaled), at: time, ticket: ticket, due: due, header: header, end: end)
        perform((header?.rules?.opening ?? []) + cues, at: due, isFirst: header != nil)
    }

    private func perform(_ cues: [Cue], at due: Due, isFirst: Bool) {
        // A new session begins with an engine as new, when the last one has faded out in it and left its look-ahead.
        let gap = isFirst && sessions > 1 ? rate.frames(in: .stopTime) + rate.frames(in: .milliseconds(2)) : .zero
        var batch = CommandBatch(due: due, gap: gap, commands: isFirst ? [.reset(ceiling: ceiling), .toneFade(theme.toneFade)] : [])
        // A hand first: it is one write from here, and sound has its time anyway.
        for cue in cues where cue.isFelt { ports.haptic(cue, due.deadline) }
        for cue in cues { batch.commands += score.commands(for: cue) }
        ports.synth(batch)
        for cue in cues {
            if case .tell(let announcement) = cue { ports.tell(announcement) } else { ports.watch(cue) }
        }
    }
}

extension Cue {
    fileprivate var isFelt: Bool {
        switch self {
        case .haptic, .pattern, .stop: true
        case .toneGate, .tonePitch, .toneLevel, .chime, .mute, .ceiling, .volume, .theme, .tell: false
        }
    }
}

extension EventKind {
    /// Whether a visitor is there: letting go, or a stop, when nothing is going on begins no session.
    fileprivate var beginsSession: Bool {
        switch self {
        case .touch(let touch): touch.phase == .began
        case .tone(let request): request.on != false
        case .feedUpdate, .feedSwipe, .feedScroll, .tap, .chime, .haptic, .pattern, .start: true
        case .parameter, .mute, .ceiling, .volume, .theme, .mark, .stop, .left, .arrival: false
        }
    }

    /// Whether it sets something that outlasts the session.
    fileprivate var lasts: Bool {
        switch self {
        case .parameter, .mute, .ceiling, .volume, .theme: true
        default: false
        }
    }
}
