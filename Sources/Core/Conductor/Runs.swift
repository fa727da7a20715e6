import Calendar
import Experience
import Fields
import Journal
import Signals
import Units

// When runs begin and end, when the piece is woken, and what of a run is kept.
extension Conductor {
    var isHousehold: Bool { if case .household = piece.declaration.policy { true } else { false } }

    /// The running piece, or the next run's as it would begin now.
    public var current: Run { run?.run ?? preview ?? begun.run }

    /// The next run, as new.
    private var fresh: Run { Run(piece, Opening(theme: theme, seed: nextSeed, rate: rate, knobs: knobs)) }

    /// The next run as it would begin now, and what it would tell.
    private var begun: (run: Run, told: [Announcement]) {
        var run = fresh
        guard let arrival = arrival(readClock(), for: run) else { return (run, []) }
        let effects = run.act(on: arrival, at: .zero)
        return (run, effects.announcements)
    }

    /// What a run begins with for a piece that tells time; a memory that it cannot read counts as none.
    private func arrival(_ clock: WallClock, for run: Run) -> AdmittedEvent? {
        guard piece.declaration.tellsTime else { return nil }
        func event(_ memory: JSONValue?) -> Event { Event(client: .engine, .arrival(Arrival(clock.civilTime, memory: memory))) }
        return (try? run.admit(event(memory), at: .zero)) ?? (try? run.admit(event(nil), at: .zero))
    }

    /// Begins a visit and its run with `event`, if it is one to begin with.
    mutating func begin(with event: Event, at due: Due, ticket: Int?) throws(Fault) -> Bool {
        let isOwn = if case .action = event.kind { true } else { false }
        guard begins(event) || event.kind.lasts || isOwn else { return false }
        // First what needs no piece: building one costs more than refusing an action.
        let event = try piece.declaration.read(event)
        let admitted = try fresh.admit(event, at: .zero)
        guard begins(event) else {
            keep(event.kind)
            return false
        }
        beginVisit(at: due)
        beginRun(at: due)
        take(admitted, at: due, ticket: ticket)
        return true
    }

    /// Begins a run, with what every run begins with.
    private mutating func beginRun(at due: Due) {
        let run = fresh
        let clock = readClock()
        var theme = theme
        theme.ceiling = ceiling
        let declaration = piece.declaration
        pendingHeader = JournalHeader(sampleRate: rate, seed: nextSeed, experience: declaration.name, started: clock.iso8601, theme: theme,
                                      knobs: knobs, rules: JournalHeader.Rules(version: declaration.rulesVersion, opening: run.opening))
        let rollOver: Int? = if case .household(let time) = declaration.policy {
            LocalClock.next(time, after: Int(clock.time.rounded(.down)), utcOffset: utcOffset)
        } else {
            nil
        }
        self.run = ActiveRun(start: due.frame, lastEvent: due.frame, run: run, rollOver: rollOver)
        nextSeed = makeSeed()
        runs += 1
        preview = nil
        // First of all, with the engine's reset: it is never heard.
        if isMuted { note(.mute(true), at: due) }
        if volume < .fullScale { note(.volume(volume, fade: .zero), at: due) }
        if let arrival = arrival(clock, for: run) { take(arrival, at: due) }
    }

    /// Ends the run: all off at `frame` of the output, and the end when it is silent.
    mutating func endRun(_ reason: SessionEnd, at frame: Frame, ticket: Int? = nil) {
        guard let ending = run else { return }
        let last = ending.time(of: ending.lastEvent)
        // The engine's own stop is an event like any other, so that the journal sounds as this did.
        take(AdmittedEvent(engine: .stop), at: Due(frame), ticket: ticket, end: reason)
        guard let ended = run else { return }
        run = nil
        pastRefusals = pastRefusals + ended.run.refusals
        remember(ended.run.memory)
        if visit != nil {
            visit = nil
            ports.tell(Announcement(SessionAnnouncement(.ended, record: ended.run.record(at: last))))
        }
    }

    // MARK: Households

    /// Begins a household's run where there is none, and another when its day is over and nobody is there.
    mutating func tendRun(at frame: Frame) {
        guard isHousehold else { return }
        if let rollOver = run?.rollOver, visit == nil, readClock().time >= Double(rollOver) { endRun(.rollOver, at: frame) }
        if run == nil { beginRun(at: Due(frame)) }
    }

    // MARK: Ticks

    /// The frame of the output at which the piece wants a tick; nil when it wants none, or by the clock.
    public var nextWake: Frame? {
        guard let run, case .frame(let frame)? = run.run.wake else { return nil }
        return run.start + (frame - .zero)
    }

    /// Wakes the piece, at the frame it asked for.
    public mutating func wake() {
        guard let frame = nextWake else { return }
        note(.tick(readClock().civilTime), at: Due(frame))
    }

    /// Wakes the piece if the instant has come that it asked for. While nobody is there, what the next run would tell is told.
    mutating func wakeByClock(at frame: Frame) {
        guard piece.declaration.tellsTime else { return }
        if let run {
            guard case .instant(let instant)? = run.run.wake, readClock().civilTime.instant >= instant else { return }
            return note(.tick(readClock().civilTime), at: Due(frame))
        }
        guard let preview else { return self.preview = begun.run }
        guard case .instant(let instant)? = preview.wake, readClock().civilTime.instant >= instant else { return }
        let next = begun
        self.preview = next.run
        for announcement in next.told { ports.tell(announcement) }
    }

    // MARK: Memory

    /// What must last is kept at once, and a household's memory whenever it has changed.
    mutating func keepWhatLasts(_ ledger: [LedgerEntry], ticket: Int?) {
        let now = isHousehold ? run?.run.memory : nil
        guard !ledger.isEmpty || (now != nil && now != memory) else { return }
        let changed = now == memory ? nil : now
        if let changed { memory = changed }
        ports.keep(Keeping(memory: changed, ledger: ledger, ticket: ledger.isEmpty ? nil : ticket))
    }

    private mutating func remember(_ new: JSONValue?) {
        guard let new, new != memory else { return }
        memory = new
        ports.keep(Keeping(memory: new))
    }
}

extension EventKind {
    /// Whether it sets something that outlasts the run.
    var lasts: Bool {
        switch self {
        case .knob, .mute, .ceiling, .volume, .theme: true
        default: false
        }
    }
}
