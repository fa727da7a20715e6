import Experience
import Fields
import Journal
import Signals
import Units

/// Passes each event to the run and sends the run's cues to the outputs. Journals the event as soon as the output has reported the frame at
/// which it took effect. Tracks visits, and begins and ends runs by the piece's policy.
///
/// A conductor is a value without a clock. Its owner passes the frame of the output at which an event is due, and at the creation a
/// function that returns the time.
public struct Conductor {
    /// The largest number of batches that one call sends. The call with the most ends a visit (2), after which another household's memory
    /// comes, ends a run, begins another (4: mute, volume, touch owner, arrival; and one for each kind of document), gives a tick, begins a
    /// visit, and acts on the event itself, by which another household enters with its memory.
    public static let mostBatches = 12 + Declaration.mostConfigurations

    /// The largest number of households whose memories are stored. Each memory has up to 256 KiB, and all are held in memory.
    public static let mostHouseholds = 10_000

    public let piece: any Experience.Type
    public internal(set) var run: ActiveRun?
    /// The number of runs that have begun since the conductor was made.
    public internal(set) var runs = 0
    /// The present visit; nil when nobody is there.
    public internal(set) var visit: Visit?
    /// The number of visits that have begun since the conductor was made.
    public internal(set) var visits = 0
    /// The knobs' values for later runs. The present run has them, too, except those that `change` has set since it began.
    public private(set) var knobs: KnobSettings
    /// The model by which later runs predict; nil for the piece's standard model.
    private(set) var model: PredictionModel?
    /// Whether the sound is muted, in the present run and in later ones.
    public private(set) var isMuted = false
    /// The level that no sample exceeds, in the present run and in later ones. It is never above the theme's ceiling.
    public var ceiling: Decibels { min(wantedCeiling ?? theme.ceiling, theme.ceiling) }
    /// The ceiling that a front end has asked for; nil when none has asked.
    private var wantedCeiling: Decibels?
    /// The gain by which the house turns the sound down, 0 dB or less.
    public private(set) var volume = Decibels.fullScale
    /// Whose touches count, in the present run and in later ones.
    public private(set) var touchOwner = TouchOwner.anyone
    /// The name of the household whose memory is in use, in the present run and in later ones.
    public internal(set) var household = Household.home
    /// The memory of the present household, with which the next run begins; nil when there is none.
    public internal(set) var memory: JSONValue?
    /// The ledger entries of a new household, about which nothing is stored until somebody acts in it; nil when the household is stored.
    var unstoredLedger: [LedgerEntry]?
    /// The latest published document of each kind, ordered by the names of the kinds. Each run begins with them.
    public private(set) var documents: [PublishedDocument]
    /// The theme in use. Its ceiling is the highest that a front end may ask for.
    public private(set) var theme: Theme
    /// The wall clock's time at the latest call of `followClock`, in seconds since 1970-01-01 in UTC; nil before the first.
    var lastTime: Double?
    /// The numbers of unusable effects in all runs that have ended.
    var pastUnusedEffects = UnusedEffects()

    let rate: SampleRate
    let ports: Ports
    let readClock: () -> Double
    let utcOffset: (Int) -> Int
    let makeSeed: () -> UInt64
    var idle: FrameCount
    var log = PlacedLog()
    /// The seed of the next run. It is drawn early, because queries are answered by the next run even before it begins.
    var nextSeed: UInt64
    /// The next run as it would begin now, which answers queries; nil while a run goes on, or when it must be computed anew.
    var preview: Run?
    /// The journal header of the present run until the run's first event is acted on; nil from then on, and while there is no run.
    var pendingHeader: JournalHeader?
    private var lowering: CueLowering
    private let makeLowering: (Theme) -> CueLowering

    /// Creates a conductor. A visit ends when there have been no events for `idle` and nothing is held. `memory` is what the piece has
    /// stored last. `documents` are the documents in force, one of each kind. Runs predict by `model`; nil stands for the piece's standard
    /// model. `lowering` makes the translator of a theme's cues into what the outputs play. `seed` returns the seed of a new run. `clock`
    /// returns the time in seconds since 1970-01-01 in UTC, and `utcOffset` the seconds by which local time is ahead of UTC at an instant.
    public init(_ piece: any Experience.Type, theme: Theme, rate: SampleRate, idle: Seconds, knobs: KnobSettings = .standard,
                model: PredictionModel? = nil, memory: JSONValue? = nil, documents: [PublishedDocument] = [],
                lowering: @escaping (Theme) -> CueLowering, ports: Ports, seed: @escaping () -> UInt64,
                clock: @escaping () -> Double, utcOffset: @escaping (Int) -> Int) {
        self.piece = piece
        self.theme = theme
        makeLowering = lowering
        self.lowering = lowering(theme)
        self.rate = rate
        self.idle = rate.frames(in: idle)
        self.knobs = knobs
        self.model = model
        self.memory = memory
        self.documents = documents.sorted { $0.kind < $1.kind }
        self.ports = ports
        makeSeed = seed
        readClock = clock
        self.utcOffset = utcOffset
        nextSeed = seed()
    }

    /// The counts of what the piece returned and could not be used, since the conductor was made.
    public var unusedEffects: UnusedEffects { pastUnusedEffects + (run?.run.unusedEffects ?? UnusedEffects()) }

    /// Acts on one event, which is due at a frame of the output. If that frame is before the frame of the event before, that event's frame
    /// counts. Returns whether the event is sent to the outputs and journaled. If so, the owner must call `placed` for it, which returns
    /// `ticket`. While there is no run, an event such as a mute changes the house's setting, and is not journaled. Throws `Fault` when the
    /// event is refused; it then has no effect.
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
        return try act(on: event, at: due, ticket: ticket)
    }

    /// Sets the idle time for the present visit and later ones, and the knobs for later runs.
    public mutating func change(idle: Seconds, knobs: KnobSettings) {
        self.idle = rate.frames(in: idle)
        self.knobs = knobs
        preview = nil
    }

    /// Sets the model by which later runs predict; nil for the piece's standard model. The present run keeps its model.
    public mutating func predict(by model: PredictionModel?) {
        self.model = model
        preview = nil
    }

    /// Records that the next batch, in the order of sending, took effect at `frame` of the output. Journals the batch's event.
    public mutating func placed(at frame: Frame) -> Placement {
        log.place(at: frame, rate: rate, journal: ports.journal)
    }

    /// Records that a change came too late: at most `count` frames, from `frame` of the output on, were heard without it.
    public mutating func late(_ count: FrameCount, at frame: Frame) { log.noteLate(count, at: frame, journal: ports.journal) }

    /// Records that nothing is heard from `frame` of the output on, because of `cause`.
    public mutating func fellSilent(because cause: Silence = .output, at frame: Frame) {
        log.fallSilent(because: cause, at: frame, journal: ports.journal)
    }

    /// Records that from `frame` of the output on, `cause` no longer silences the sound.
    public mutating func cameBack(because cause: Silence = .output, at frame: Frame) {
        log.comeBack(because: cause, at: frame, journal: ports.journal)
    }

    /// Records that the output has said of every frame before `frame` whether it was heard. The end of a run is not journaled before this
    /// is known of the run's last frame.
    public mutating func settled(until frame: Frame) { log.settle(until: frame, journal: ports.journal) }

    /// Whether a run has ended whose end is not journaled yet.
    public var isSettling: Bool { log.isSettling }

    private mutating func act(on event: Event, at due: Due, ticket: Int?) throws(Fault) -> Bool {
        guard run != nil else { return try begin(with: event, at: due, ticket: ticket) }
        guard let (admitted, due) = try admission(of: event, at: due) else { return false }
        keep(event.kind)
        if visit == nil, begins(event) { beginVisit(at: due) }
        take(admitted, at: due, ticket: ticket)
        return true
    }

    /// Returns `event` as the run admits it, and the time at which it is due; nil for an event without effect. Throws why the event cannot
    /// be carried out. This is a function of its own, because a second reference to the run while the run changes would copy its arrays at
    /// each event.
    private func admission(of event: Event, at due: Due) throws(Fault) -> (AdmittedEvent, Due)? {
        guard let run else { return nil }
        // A client that held nothing leaves no event: every `thrum send` is a client that leaves.
        if event.kind == .left, !run.run.hands.isHeld(by: event.client) { return nil }
        if event.kind == .start, visit != nil {
            throw Fault(field: "method", expected: "no session.start, because a session is running; session.end ends it")
        }
        let due = due.notBefore(run.lastEvent)
        let time = run.time(of: due.frame)
        guard isHousehold else { return (try run.run.admit(event, at: time), due) }
        // As the event will find it: a visit begins first.
        var visited = run.run
        if visit == nil, begins(event) { _ = visited.act(on: AdmittedEvent(engine: .visit(.began)), at: time) }
        let admitted = try visited.admit(event, at: time)
        try checkRoom(for: admitted, in: visited, at: time)
        return (admitted, due)
    }

    /// Returns the name of the household that enters by `event`, and whether nothing is stored of that household; nil if no other household
    /// enters. Changes nothing.
    public func entry(by event: Event) -> (household: String, isNew: Bool)? {
        guard entersHousehold(event), isHousehold, let run else { return nil }
        let time = run.time(of: run.lastEvent)
        guard let admitted = try? run.run.admit(event, at: time), let name = entry(by: admitted, in: run.run, at: time) else { return nil }
        return (name, isNew(name))
    }

    /// Whether another household may enter by `event`.
    func entersHousehold(_ event: Event) -> Bool {
        guard case .action(let action) = event.kind else { return false }
        return piece.declaration.action(action.name)?.entersHousehold == true
    }

    private func entry(by admitted: AdmittedEvent, in run: Run, at time: Frame) -> String? {
        guard entersHousehold(admitted.event) else { return nil }
        var tried = run
        let name = tried.act(on: admitted, at: time).household
        return name == household ? nil : name
    }

    /// Whether nothing is stored of a household. The house's own household never counts as new, so there is always room for it.
    public func isNew(_ name: String) -> Bool { name != Household.home && ports.recall(name) == nil }

    /// Throws a fault if a new household would enter while `mostHouseholds` are stored already.
    private func checkRoom(for admitted: AdmittedEvent, in run: Run, at time: Frame) throws(Fault) {
        guard let name = entry(by: admitted, in: run, at: time), isNew(name), ports.householdCount() >= Self.mostHouseholds else { return }
        throw Fault(field: "household", expected: "one that is known, because \(Self.mostHouseholds) households are kept already",
                    found: "\"\(name)\"")
    }

    /// Remembers what the event sets, for later runs.
    mutating func keep(_ kind: EventKind) {
        switch kind {
        case .knob(let change): if let knob = try? change.check(piece.declaration.knobs) { knobs[knob] = change.value }
        case .mute(let on): isMuted = on
        case .ceiling(let level): wantedCeiling = level
        case .volume(let level, _): volume = level
        case .configuration(let document):
            documents.removeAll { $0.kind == document.kind }
            documents.append(document)
            documents.sort { $0.kind < $1.kind }
        case .touchOwner(let owner):
            // No rule depends on it.
            touchOwner = owner
            return
        default: return
        }
        preview = nil
    }

    private mutating func use(_ theme: Theme) {
        self.theme = theme
        lowering = makeLowering(theme)
        preview = nil
    }

    /// Has the run act on an admitted event, sends the cues, and stores the memory. `end` is the reason for which the run ends with the
    /// event; nil if the run goes on.
    mutating func take(_ admitted: AdmittedEvent, at due: Due, ticket: Int? = nil, end: SessionEnd? = nil) {
        // Held once only, so that nothing of it is copied when it changes.
        guard var current = run.take() else { preconditionFailure("an event is taken within a run") }
        let header = pendingHeader
        pendingHeader = nil
        let event = admitted.event
        let due = due.notBefore(current.lastEvent)
        current.lastEvent = due.frame
        current.events += 1
        if event.client != .engine, !event.kind.isLoudness { noteSign(at: due.frame) }
        let time = current.time(of: due.frame)
        let effects = current.run.act(on: admitted, at: time)
        run = current
        let gave = JournalEntry.Outcome(cues: effects.cues, logOdds: effects.logOdds)
        log.expect(PlacedLog.Expected(event: event, gave: gave, time: time, ticket: ticket, deadline: due.deadline,
                                      result: effects.result, header: header, end: end))
        perform((header?.rules?.opening ?? []) + effects.cues, at: due, isFirst: header != nil)
        let moments = moments
        for announcement in effects.announcements { ports.tell(moments.map { announcement.clocked($0) } ?? announcement) }
        keepWhatLasts(effects.ledger, of: event, ticket: ticket)
        if let next = effects.household { enter(next, at: due) }
    }

    /// A function from seconds of the run to CLOCK_MONOTONIC in nanoseconds; nil without a run or a clock.
    public var moments: ((Double) -> Int64)? {
        guard let start = run?.start, let moment = ports.moment else { return nil }
        return { [rate] seconds in moment(start + rate.frames(in: Seconds(seconds))) }
    }

    private mutating func perform(_ cues: [Cue], at due: Due, isFirst: Bool) {
        // A new run begins with an engine as new, when the last one has faded out in it and left its look-ahead.
        let gap = isFirst && runs > 1 ? rate.frames(in: .stopTime) + rate.frames(in: .milliseconds(2)) : .zero
        var batch = CommandBatch(due: due, gap: gap, commands: isFirst ? [.reset(ceiling: ceiling)] + theme.toneCommands : [])
        // Haptics first: they are one write away, and sound has its lead anyway.
        for cue in cues where cue.isFelt { ports.haptic(cue, due.deadline) }
        for cue in cues { batch.commands += lowering.commands(for: cue) }
        ports.synth(batch)
        for cue in cues { ports.watch(cue) }
    }
}

extension Cue {
    fileprivate var isFelt: Bool {
        switch self {
        case .haptic, .pattern, .texture, .stop: true
        case .toneGate, .tonePitch, .toneLevel, .chime, .noise, .mute, .ceiling, .volume, .theme: false
        }
    }
}
