import Calendar
import Experience
import Journal
import Signals
import Units

/// A visitor who does not exist, and their whole session: entries for a journal, and what they lead to. The same piece, visitor, seed and
/// number of turns make the same session, byte for byte.
public struct Simulation {
    public struct Step: Sendable {
        public var entry: JournalEntry
        /// What the piece tells because of it.
        public var announcements: [Announcement] = []
    }

    public let header: JournalHeader
    private let start: CivilTime
    private let turns: Int
    private let idle: Seconds
    private var run: Run
    private var visitor: any SimulatedVisitor
    private var time = Frame.zero
    /// Turns that the visitor has taken.
    public private(set) var turn = 0
    /// Steps made and not yet handed out.
    private var pending: ArraySlice<Step> = []
    private var phase = Phase.opening

    private enum Phase { case opening, visiting, over }

    /// New Year's Day of 2026, at a time of day of the seed's choosing.
    private static let day = 1_767_225_600.0
    /// `idle` after the last turn the visitor is taken to be gone.
    public init(_ piece: any Experience.Type, _ visitor: VisitorDeclaration, seed: UInt64, turns: Int, idle: Seconds,
                theme: Theme = .standard, rate: SampleRate = .standard, knobs: KnobSettings = .standard) {
        let run = Run(piece, Opening(theme: theme, seed: seed, rate: rate, knobs: knobs))
        self.run = run
        self.turns = turns
        self.idle = idle
        let declaration = piece.declaration
        header = JournalHeader(sampleRate: rate, seed: seed, experience: declaration.name, started: "simulated", theme: theme, knobs: knobs,
                               rules: JournalHeader.Rules(version: declaration.rulesVersion, opening: run.opening))
        // The visitor's own chance is not the piece's.
        var draws = SplitMix64(seed: seed ^ 0x7669_7369_746F_72)
        start = CivilTime(instant: Self.day + Double(draws.below(86_400)), utcOffset: 0)
        self.visitor = visitor.make(draws)
    }

    /// Nil when the session is over.
    public mutating func next() -> Step? {
        while pending.isEmpty, phase != .over { goOn() }
        return pending.popFirst()
    }

    private mutating func goOn() {
        switch phase {
        case .opening:
            phase = .visiting
            pending = [Step(entry: .header(header))]
            if run.declaration.tellsTime { happen(.arrival(Arrival(start)), from: .engine) }
            if isHousehold { happen(.visit(.began), from: .engine) }
        case .visiting where turn < turns:
            turn += 1
            let now = header.sampleRate.seconds(in: time - .zero).rawValue
            let steps = visitor.next(in: run.piece, at: now)
            // The visitor has left.
            if steps.isEmpty { turn = turns }
            for step in steps {
                wait(step.wait)
                happen(step.kind, from: .connection(1))
            }
        case .visiting:
            phase = .over
            wait(idle.rawValue)
            happen(.stop, from: .engine)
            if isHousehold { happen(.visit(.ended), from: .engine) }
            pending.append(Step(entry: .end(.idle, at: time + header.sampleRate.frames(in: .stopTime))))
        case .over: break
        }
    }

    private var isHousehold: Bool { if case .household = run.declaration.policy { true } else { false } }

    /// What the piece refuses does not happen.
    private mutating func happen(_ kind: EventKind, from client: Client) {
        guard let event = try? run.admit(Event(client: client, kind), at: time) else { return }
        let effects = run.act(on: event, at: time)
        pending.append(Step(entry: .event(event.event, at: time, cues: effects.cues), announcements: effects.announcements))
    }

    /// The piece is woken meanwhile when it asked for it.
    private mutating func wait(_ seconds: Double) {
        let end = time + header.sampleRate.frames(in: Seconds(seconds))
        while let wake = wakeFrame, wake <= end {
            time = max(time, wake)
            let elapsed = header.sampleRate.seconds(in: time - .zero).rawValue
            happen(.tick(CivilTime(instant: start.instant + elapsed, utcOffset: start.utcOffset)), from: .engine)
        }
        time = end
    }

    private var wakeFrame: Frame? {
        switch run.wake {
        case .frame(let frame)?: frame
        case .instant(let instant)?: Frame(Int64(((instant - start.instant) * Double(header.sampleRate.hertz)).rounded(.up)))
        case nil: nil
        }
    }
}
