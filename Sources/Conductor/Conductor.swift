import Experience
import Journal
import Signals
import Units

/// The one loop: journals each event, reduces it, and sends every cue where it belongs. It begins a session with the
/// first event and ends it when nobody has done anything for a while.
///
/// Serial, and without a clock: whoever owns it says at which frame of the output an event is due.
public struct Conductor {
    /// Where the conductor's results go. Called in order, on the owner's thread.
    public struct Ports {
        public var journal: (JournalEntry) -> Void
        public var synth: (StampedCommand) -> Void
        /// A haptic pattern of the theme by name, due at a frame of the output.
        public var haptic: (String, Frame) -> Void

        public init(journal: @escaping (JournalEntry) -> Void, synth: @escaping (StampedCommand) -> Void,
                    haptic: @escaping (String, Frame) -> Void) {
            self.journal = journal
            self.synth = synth
            self.haptic = haptic
        }
    }

    /// The session under way.
    public struct Session {
        /// The output's frame at the session's frame 0.
        public let start: Frame
        public fileprivate(set) var lastEvent: Frame
        public fileprivate(set) var events = 0
        fileprivate var experience: Direct

        public var isHeld: Bool { experience.isHeld }
    }

    public private(set) var session: Session?
    /// Begun since the conductor was made.
    public private(set) var sessions = 0
    /// Of the output, the first at which the last session is silent and the next may begin.
    private var free = Frame.zero

    private let theme: Theme
    private let rate: SampleRate
    private let idle: FrameCount
    private let identity: () -> (seed: UInt64, started: String)
    private let ports: Ports

    /// `identity` gives each new session its seed and its wall-clock start. `idle` is the time without events, and with
    /// nothing held, after which a session ends.
    public init(theme: Theme, rate: SampleRate, idle: Seconds, ports: Ports,
                identity: @escaping () -> (seed: UInt64, started: String)) {
        self.theme = theme
        self.rate = rate
        self.idle = rate.frames(in: idle)
        self.ports = ports
        self.identity = identity
    }

    /// Acts on one event, due at `frame` of the output; a frame before the last event's counts as the last event's.
    /// Returns the session's frame it was due at, nil if there was no session and the event begins none. Throws `Fault`
    /// when the event is refused; then nothing has happened.
    public mutating func handle(_ event: Event, at frame: Frame) throws(Fault) -> Frame? {
        advance(to: frame)
        return try act(on: event, at: frame)
    }

    private mutating func act(on event: Event, at frame: Frame) throws(Fault) -> Frame? {
        if session == nil {
            guard event.happening.beginsSession else { return nil }
            let identity = identity()
            let experience = Direct(theme: theme, seed: identity.seed)
            if let fault = experience.refusal(of: event) { throw fault }
            begin(experience, identity, at: max(frame, free))
        }
        guard var session else { return nil }
        // Whoever held nothing goes unnoticed: every `thrum send` is a client that leaves.
        if event.happening == .left, !session.experience.isHeld(by: event.client) { return nil }
        if let fault = session.experience.refusal(of: event) { throw fault }
        let due = max(frame, session.lastEvent)
        let position = Frame((due - session.start).rawValue)
        ports.journal(.event(event, at: position))
        session.lastEvent = due
        session.events += 1
        let cues = session.experience.reduce(event)
        self.session = session
        perform(cues, at: due)
        return position
    }

    /// Ends the session at `frame` of the output if by then its idle time is over.
    public mutating func advance(to frame: Frame) {
        guard let session, !session.isHeld, session.lastEvent + idle <= frame else { return }
        _ = end(.idle, at: frame)
    }

    /// Ends the session now, softly: all off at `frame` of the output, and the session's end when it is silent.
    /// Returns that frame of the output; nil if there was no session.
    public mutating func end(_ reason: SessionEnd, at frame: Frame) -> Frame? {
        // The engine's own stop is an event like any other, so that the journal sounds as this did.
        guard let stopped = try? act(on: Event(client: 0, .stop), at: frame), let session else { return nil }
        let end = session.start + FrameCount(stopped.rawValue) + rate.frames(in: .stopTime)
        finish(reason, at: end)
        return end
    }

    private mutating func begin(_ experience: Direct, _ identity: (seed: UInt64, started: String), at frame: Frame) {
        ports.journal(.header(JournalHeader(sampleRate: rate, seed: identity.seed, experience: .direct,
                                            started: identity.started, theme: theme)))
        session = Session(start: frame, lastEvent: frame, experience: experience)
        sessions += 1
        ports.synth(StampedCommand(.reset, at: frame))
        perform(experience.opening, at: frame)
    }

    private mutating func finish(_ reason: SessionEnd, at end: Frame) {
        guard let session else { return }
        ports.journal(.end(reason, at: Frame((end - session.start).rawValue)))
        // The fade leaves the engine a little later than it entered it.
        free = end + rate.frames(in: .milliseconds(1))
        self.session = nil
    }

    private func perform(_ cues: [Cue], at frame: Frame) {
        for cue in cues {
            if case .haptic(let name) = cue { ports.haptic(name, frame) }
            for command in theme.commands(for: cue) { ports.synth(StampedCommand(command, at: frame)) }
        }
    }
}

extension Happening {
    /// Whether a visitor is there: letting go, or a stop, when nothing is going on begins no session.
    fileprivate var beginsSession: Bool {
        switch self {
        case .touch(let touch): touch.phase == .began
        case .tone(let request): request.on != false
        case .feedUpdate, .feedSwipe, .chime: true
        case .stop, .left: false
        }
    }
}
