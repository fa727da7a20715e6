import Calendar
import Experience
import Fields
import Journal
import Signals
import Units

// When runs begin and end, when the piece is woken, and what of a run is kept.
extension Conductor {
    var isHousehold: Bool { if case .household = piece.declaration.policy { true } else { false } }

    /// The present run. While there is none, the next run as it would begin now, so that queries can be answered.
    public var current: Run { run?.run ?? preview ?? beginning(at: readClock()).begun.run }

    /// The next run, newly made, before its first event.
    private var fresh: Run { Run(piece, Opening(theme: theme, seed: nextSeed, rate: rate, knobs: knobs, model: model)) }

    /// A run that has not begun yet.
    private struct Beginning {
        /// The run before its first event.
        let run: Run
        /// The events with which the run begins: the documents in force and, for a piece that is told the time, the arrival.
        let events: [AdmittedEvent]
        /// The reason why the piece cannot read the memory, which is then ignored; nil when it can read it.
        let unreadable: Fault?

        /// The run after `events`, and the announcements that it made at these events.
        var begun: (run: Run, announcements: [Announcement]) {
            var run = run
            let announcements = events.flatMap { run.act(on: $0, at: .zero).announcements }
            return (run, announcements)
        }
    }

    /// Returns the next run as it would begin at `instant`. A document that the piece cannot read is ignored.
    private func beginning(at instant: Double) -> Beginning {
        let run = fresh
        let documents = documents.compactMap { try? run.admit(Event(client: .engine, .configuration($0)), at: .zero) }
        guard piece.declaration.tellsTime else { return Beginning(run: run, events: documents, unreadable: nil) }
        let (arrival, unreadable) = arrival(in: run, at: .zero, instant)
        return Beginning(run: run, events: documents + [arrival], unreadable: unreadable)
    }

    /// Returns the arrival, the event by which `run` gets the stored memory and the time `instant`. A memory that the piece cannot read is
    /// left out, and the reason is returned with the event.
    private func arrival(in run: Run, at time: Frame, _ instant: Double) -> (AdmittedEvent, unreadable: Fault?) {
        let civilTime = CivilTime(at: instant, utcOffset: utcOffset)
        do throws(Fault) {
            return (try run.admit(Event(client: .engine, .arrival(Arrival(civilTime, memory: memory))), at: time), nil)
        } catch {
            return (AdmittedEvent(engine: .arrival(Arrival(civilTime))), memory == nil ? nil : error)
        }
    }

    /// Sets the household's stored memory aside if the piece cannot read it, before another memory replaces it.
    private mutating func setAside(_ unreadable: Fault?) {
        guard let unreadable else { return }
        memory = nil
        ports.keep(Keeping(household: household, memory: nil, unreadable: unreadable))
    }

    /// Begins a visit and its run if `event` begins a visit. Otherwise only remembers what the event sets for later runs, such as a mute.
    /// Returns whether a run has begun. Throws why the event is refused.
    mutating func begin(with event: Event, at due: Due, ticket: Int?) throws(Fault) -> Bool {
        let isOwn = if case .action = event.kind { true } else { false }
        guard begins(event) || event.kind.lasts || isOwn else { return false }
        // First what needs no piece: building one costs more than refusing an action.
        let event = try piece.declaration.read(event)
        let now = readClock()
        let beginning = beginning(at: now)
        // As the event will find it.
        let admitted = try beginning.begun.run.admit(event, at: .zero)
        guard begins(event) else {
            keep(event.kind)
            return false
        }
        guard !isHousehold else {
            throw Fault(field: "method", expected: "nothing that begins a visit before the clock is set, because "
                            + "\(piece.declaration.name) lives by days")
        }
        beginVisit(at: due)
        begin(beginning, at: due, now)
        take(admitted, at: due, ticket: ticket)
        return true
    }

    /// Begins a run: makes its journal header, sets mute, volume and owner of touches where they are not the defaults, and then carries out
    /// the events of `beginning`. `now` is in seconds since 1970-01-01 in UTC.
    private mutating func begin(_ beginning: Beginning, at due: Due, _ now: Double) {
        var theme = theme
        theme.ceiling = ceiling
        let declaration = piece.declaration
        let model = declaration.prediction.map { self.model ?? $0.standard }
        pendingHeader = JournalHeader(
            sampleRate: rate, seed: nextSeed, experience: declaration.name, started: CivilTime(instant: now, utcOffset: 0).iso8601,
            theme: theme, knobs: knobs, rules: JournalHeader.Rules(version: declaration.rulesVersion, opening: beginning.run.opening),
            model: model.map { JournalHeader.Model(name: $0.name, digest: $0.digest) })
        run = ActiveRun(start: due.frame, lastEvent: due.frame, run: beginning.run, rollOver: rollOver(after: now))
        nextSeed = makeSeed()
        runs += 1
        preview = nil
        setAside(beginning.unreadable)
        // First of all, with the engine's reset: it is never heard.
        if isMuted { note(.mute(true), at: due) }
        if volume < .fullScale { note(.volume(volume, fade: .zero), at: due) }
        if touchOwner != .anyone { note(.touchOwner(touchOwner), at: due) }
        for event in beginning.events { take(event, at: due) }
    }

    /// Ends the run: stops all sound at `frame` of the output. The journal's end line follows once the output is silent.
    mutating func endRun(_ reason: SessionEnd, at frame: Frame, ticket: Int? = nil) {
        guard let ending = run else { return }
        let last = ending.time(of: ending.lastEvent)
        // The engine's own stop is an event like any other, so that the journal sounds as this did.
        take(AdmittedEvent(engine: .stop), at: Due(frame), ticket: ticket, end: reason)
        guard var ended = run else { return }
        run = nil
        if let changed = ended.run.memory(otherThan: memory) {
            memory = changed
            if unstoredLedger == nil { ports.keep(Keeping(household: household, memory: changed)) }
        }
        pastUnusedEffects = pastUnusedEffects + ended.run.unusedEffects
        if visit != nil {
            visit = nil
            ports.tell(Announcement(SessionAnnouncement(.ended, record: ended.run.record(at: last))))
        }
    }

    // MARK: Households

    /// Returns the end of the household's day that contains `instant`, in seconds since 1970-01-01 in UTC; nil for a visitor's run.
    private func rollOver(after instant: Double) -> Int? {
        guard case .household(let time) = piece.declaration.policy else { return nil }
        return LocalClock.next(time, after: Int(instant.rounded(.down)), utcOffset: utcOffset)
    }

    /// Does what is due by the wall clock, at a frame of the output: begins a household's run where there is none, replaces it when its day
    /// is over and nobody is there, and wakes the piece. Does nothing for a household's piece while nobody has set the clock.
    mutating func followClock(at frame: Frame) {
        guard isHousehold || piece.declaration.tellsTime else { return }
        let now = readClock()
        guard !isHousehold || LocalClock.isBelievable(Int(now)) else { return }
        let wasSetBack = now < (lastTime ?? now) - Self.largestCorrection
        if wasSetBack {
            let rollOver = rollOver(after: now)
            run?.rollOver = rollOver
        }
        lastTime = now
        if let rollOver = run?.rollOver, visit == nil, now >= Double(rollOver) { endRun(.rollOver, at: frame) }
        if isHousehold, run == nil { begin(beginning(at: now), at: Due(frame), now) }
        wakeByClock(now, wasSetBack: wasSetBack, at: frame)
    }

    /// The largest step back of a clock, in seconds, that counts as a correction. A clock that goes back by more had been ahead, so the
    /// times that were planned by it are computed anew.
    private static let largestCorrection = 3_600.0

    /// Lets the household `next` enter in the same run. Journals its memory with its arrival. The memory of the household before is already
    /// stored. A new household in which nobody has acted is not stored; only the journal has its name.
    mutating func enter(_ next: String, at due: Due) {
        guard isHousehold, next != household, let current = run else { return }
        household = next
        ports.entered(next)
        memory = ports.recall(next)
        unstoredLedger = memory == nil && next != Household.home ? [] : nil
        let (arrival, unreadable) = arrival(in: current.run, at: current.time(of: due.frame), readClock())
        setAside(unreadable)
        take(arrival, at: due)
    }

    /// Returns the run as it would be if the household `name` entered now. Changes nothing. Throws where the piece has no households,
    /// nothing is stored of this household, or the piece cannot read its memory.
    public func preview(of name: String) throws(Fault) -> Run {
        guard isHousehold else {
            throw Fault(field: "household", expected: "none, because \(piece.declaration.name) keeps no households", found: "\"\(name)\"")
        }
        guard let kept = ports.recall(name) else {
            throw Fault(field: "household", expected: "one of which something is kept", found: "\"\(name)\"")
        }
        var other = self
        other.household = name
        other.memory = kept
        let beginning = other.beginning(at: readClock())
        if let unreadable = beginning.unreadable { throw unreadable }
        return beginning.begun.run
    }

    /// Computes a refund for a household that is not present. Returns the household's memory afterwards, and the ledger entry. Changes
    /// nothing. Throws the reason where nothing can be taken back.
    public func refund(_ purchase: Purchase, of memory: JSONValue) throws(Fault) -> (memory: JSONValue, entry: LedgerEntry) {
        try current.refund(purchase, of: memory, at: CivilTime(at: readClock(), utcOffset: utcOffset))
    }

    // MARK: Ticks

    /// The frame of the output at which the piece wants to be woken by a tick; nil when it wants no tick, or one by the wall clock.
    public var nextWake: Frame? {
        guard case .frame(let frame)? = run?.run.wake, let start = run?.start else { return nil }
        return start + (frame - .zero)
    }

    /// Wakes the piece at a frame of the output, if the piece still asks for that frame.
    public mutating func wake(at frame: Frame) {
        guard nextWake == frame else { return }
        tick(readClock(), at: frame)
    }

    private mutating func tick(_ now: Double, at frame: Frame) {
        note(.tick(CivilTime(at: now, utcOffset: utcOffset)), at: Due(frame))
    }

    /// Gives the piece a tick if the instant for which it asked has come, or if the clock was set back so far that this instant must be
    /// computed anew. While there is no run, makes the next run's announcements instead, as they would be now.
    private mutating func wakeByClock(_ now: Double, wasSetBack: Bool, at frame: Frame) {
        guard piece.declaration.tellsTime else { return }
        if run != nil {
            guard case .instant(let instant)? = run?.run.wake, now >= instant || wasSetBack else { return }
            return tick(now, at: frame)
        }
        guard let preview else { return self.preview = beginning(at: now).begun.run }
        guard case .instant(let instant)? = preview.wake, now >= instant || wasSetBack else { return }
        let next = beginning(at: now).begun
        self.preview = next.run
        for announcement in next.announcements { ports.tell(announcement) }
    }

    // MARK: Memory

    /// Stores ledger entries at once, together with the memory that has their effect. Stores a household's memory whenever it has changed.
    /// Nothing of a new household is stored before somebody's `event` has changed it; then everything is.
    mutating func keepWhatLasts(_ ledger: [LedgerEntry], of event: Event, ticket: Int?) {
        var changed = isHousehold || !ledger.isEmpty ? run?.run.memory(otherThan: memory) : nil
        guard !ledger.isEmpty || changed != nil || (unstoredLedger != nil && isForHousehold(event)) else { return }
        if let changed { memory = changed }
        var ledger = ledger
        if let earlier = unstoredLedger {
            ledger = earlier + ledger
            guard event.client != .engine, !entersHousehold(event) else {
                unstoredLedger = ledger
                return
            }
            unstoredLedger = nil
            changed = memory
        }
        ports.keep(Keeping(household: household, memory: changed, ledger: ledger, ticket: ledger.isEmpty ? nil : ticket))
    }

    /// Whether the event is done in a household's name. Such an event makes the household stored, even if nothing changes, because somebody
    /// may choose the pet that the household already has.
    private func isForHousehold(_ event: Event) -> Bool {
        guard case .action(let action) = event.kind else { return false }
        return piece.declaration.action(action.name)?.isForHousehold == true
    }
}

extension EventKind {
    /// Whether the event sets something that also holds for later runs.
    var lasts: Bool {
        switch self {
        case .knob, .mute, .ceiling, .volume, .theme, .configuration, .touchOwner: true
        default: false
        }
    }
}
