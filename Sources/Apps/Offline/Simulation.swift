import Calendar
import Experience
import Fields
import Journal
import Signals
import Units
import Venue

/// Simulates a visitor's whole session, and makes the entries of its journal. The same piece, visitor, seed and number of turns make the
/// same session, byte for byte.
public struct Simulation {
    public struct Step: Sendable {
        public var entry: JournalEntry
        /// The piece's announcements for the entry.
        public var announcements: [Announcement] = []
        /// The log-odds that the run's model gave for the entry: that the visitor is about to leave; nil where it gave none.
        public var logOdds: Double?
    }

    public let header: JournalHeader
    private let start: CivilTime
    private let turns: Int
    private let idle: Seconds
    private let volume: Decibels
    private var run: Run
    private var visitor: any SimulatedVisitor
    private var time = Frame.zero
    /// The number of turns that the visitor has taken.
    public private(set) var turn = 0
    /// Whether the visitor left of their own accord, before all turns were taken.
    public private(set) var hasLeft = false
    /// Whether the visitor likes being there. A simulated visitor tells this; with people it is not known.
    public var isEngaged: Bool { visitor.isEngaged }
    /// The seconds from the session's start to the last entry.
    public var seconds: Double { header.sampleRate.seconds(in: time - .zero).rawValue }
    /// The steps that have been made and not returned yet.
    private var pending: ArraySlice<Step> = []
    private var phase = Phase.opening
    /// Whether the visitor has come. The piece of a household is told when that happens.
    private var hasCome = false
    private var isHousehold: Bool { run.declaration.policy != .visit }
    /// The name of the household whose memory the piece has now. `memories` has the memories of other households.
    private var household = Household.home
    private var memories: [String: JSONValue] = [:]

    private enum Phase { case opening, visiting, over }

    /// New Year's Day of 2026, in seconds since 1970-01-01 in UTC. The seed chooses the time of day.
    private static let day = 1_767_225_600.0
    /// Starts a session. When the time `idle` has passed after the last turn, the visitor counts as gone. `preset` is the house's preset
    /// for the whole session.
    public init(_ piece: any Experience.Type, _ visitor: VisitorDeclaration, seed: UInt64, turns: Int, idle: Seconds,
                theme: Theme = .standard, preset: Preset = .normal, rate: SampleRate = .standard, knobs: KnobSettings = .standard,
                model: PredictionModel? = nil) {
        let theme = preset.applied(to: theme)
        let run = Run(piece, Opening(theme: theme, seed: seed, rate: rate, knobs: knobs, model: model))
        self.run = run
        self.turns = turns
        self.idle = idle
        volume = preset.volume
        let declaration = piece.declaration
        header = JournalHeader(sampleRate: rate, seed: seed, experience: declaration.name, started: "simulated", theme: theme, knobs: knobs,
                               rules: JournalHeader.Rules(version: declaration.rulesVersion, opening: run.opening),
                               model: declaration.prediction.map { model ?? $0.standard }
                                   .map { JournalHeader.Model(name: $0.name, digest: $0.digest) })
        // The visitor's own chance is not the piece's.
        var draws = SplitMix64(seed: seed ^ 0x7669_7369_746F_72)
        start = CivilTime(instant: Self.day + Double(draws.below(86_400)), utcOffset: 0)
        self.visitor = visitor.make(draws)
    }

    /// Returns the next step; nil when the session is over.
    public mutating func next() -> Step? {
        while pending.isEmpty, phase != .over { goOn() }
        return pending.popFirst()
    }

    private mutating func goOn() {
        switch phase {
        case .opening:
            phase = .visiting
            pending = [Step(entry: .header(header))]
            // As a run begins in thrumd.
            if volume < .fullScale { note(.volume(volume, fade: .zero)) }
            if run.declaration.tellsTime { note(.arrival(Arrival(start))) }
        case .visiting where turn < turns:
            turn += 1
            let now = header.sampleRate.seconds(in: time - .zero).rawValue
            let steps = visitor.next(in: run, at: now)
            if steps.isEmpty { (hasLeft, turn) = (true, turns) }
            for step in steps {
                wait(step.wait)
                if isHousehold, !hasCome { note(.visit(.began)) }
                hasCome = true
                happen(step.kind, from: .connection(1))
            }
        case .visiting:
            phase = .over
            wait(idle.rawValue)
            note(.stop)
            if isHousehold, hasCome { note(.visit(.ended)) }
            // A household's run goes on from visit to visit.
            pending.append(Step(entry: .end(isHousehold ? .shutdown : .idle, at: time + header.sampleRate.frames(in: .stopTime))))
        case .over: break
        }
    }

    /// Lets the visitor act. An action that the piece refuses has no effect.
    private mutating func happen(_ kind: EventKind, from client: Client) {
        guard let event = try? run.admit(Event(client: client, kind), at: time) else { return }
        act(on: event)
    }

    /// Adds an event of the engine, which no piece refuses.
    private mutating func note(_ kind: EventKind) { act(on: AdmittedEvent(engine: kind)) }

    private mutating func act(on event: AdmittedEvent) {
        let effects = run.act(on: event, at: time)
        let gave = JournalEntry.Outcome(cues: effects.cues, logOdds: effects.logOdds)
        pending.append(Step(entry: .event(event.event, at: time, gave: gave), announcements: effects.announcements,
                            logOdds: effects.logOdds))
        guard isHousehold, let next = effects.household, next != household else { return }
        memories[household] = run.memory
        household = next
        note(.arrival(Arrival(now, memory: memories[next])))
    }

    private var now: CivilTime {
        CivilTime(instant: start.instant + header.sampleRate.seconds(in: time - .zero).rawValue, utcOffset: start.utcOffset)
    }

    /// Lets `seconds` pass, and wakes the piece at the times for which it asked meanwhile.
    private mutating func wait(_ seconds: Double) {
        let end = time + header.sampleRate.frames(in: Seconds(seconds))
        while let wake = wakeFrame, wake <= end {
            time = max(time, wake)
            note(.tick(now))
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
