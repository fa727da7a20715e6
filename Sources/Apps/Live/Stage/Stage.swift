import AudioOutput
import CLinux
import Calendar
import Conductor
import Evdev
import Fields
import Glibc
import HTTPServer
import Journal
import Logging
import NIOCore
import PatternWaveforms
import Realtime
import Signals
import Synth
import Systemd
import Units
import Wire

/// Runs the conductor in real time: passes events to it, and does regular work when it is due.
///
/// It is an actor on the control socket's event loop, so that an event is handled from the socket to its cues on one thread. It decides
/// nothing itself: each of its parts has one subject, takes the time as an argument, and has tests of its own.
actor Stage {
    nonisolated let loop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    let logger: Logger
    let started = monotonicNanoseconds()
    var settings: CurrentSettings

    // Events.
    var conductor: Conductor
    let timing: EventTiming
    let outputs: OutputPorts
    let clients = Clients()
    let sound: SoundWatch
    /// Whether the daemon is stopping: the last session has ended, and no other may begin.
    var isClosing = false

    // The house.
    let clock: HouseClock
    var house: House
    var kept: Kept

    // Time.
    private var heartbeat = Heartbeat()
    private var signs: LifeSigns
    var timers = Timers()
    let recorder: JournalRecorder

    // Answers.
    nonisolated let methods: MethodTable
    /// The OpenRPC document of the methods.
    nonisolated let document: MadeOnce<EncodedResult>
    nonisolated let workers = WorkClasses()
    let desks: Desks
    /// The listeners; nil until they are open.
    private(set) var listeners: Listeners?

    init(_ settings: LiveSettings, loop: any EventLoop, port: consuming CommandPort,
         notices: consuming RingConsumer<Notice>, reports: consuming LatestReader<OutputReport>,
         frames: RenderedFrames, speech: consuming SpeechTrack, voice: Voice = .espeak, waveforms: PatternWaveforms,
         recorder: JournalRecorder, notifier: Notifier, logger: Logger, log: RecentLog = RecentLog(),
         reloads: AsyncStream<ReloadRequest>.Continuation? = nil, restart: (@Sendable () -> Void)? = nil,
         clocks: @escaping @Sendable () -> SteadyClock.Reading = { SystemTime.reading }) {
        self.settings = CurrentSettings(settings)
        self.loop = loop
        self.recorder = recorder
        self.logger = logger
        sound = SoundWatch(notices, frames, started: started)
        signs = LifeSigns(notifier)
        let clock = HouseClock(clocks)
        self.clock = clock
        kept = Kept(in: settings.state, logger: logger)
        recorder.spare(from: kept.unsent)
        house = House(settings, day: kept.day, chosen: kept.chosen, volume: kept.volume)
        let latency = Engine(EngineSettings(settings.theme, rate: settings.rate)).latency
        timing = EventTiming(rate: settings.rate, latency: latency)
        let declaration = settings.piece.declaration
        methods = EngineMethods.table(declaration, among: settings.values.table.pieces)
        document = MadeOnce { [methods, version = settings.version] in
            EncodedResult(OpenRPC(version: version, methods.descriptions, TopicTable([declaration]), of: [declaration]))
        }
        desks = Desks(
            front: FrontDesk(Metering(sound.meter, on: loop)), speech: SpeechDesk(speech, voice),
            rates: RateDesk(journalSpace: settings.retention.bytes ?? 0),
            kiosk: KioskDesk(screens: settings.kioskScreens),
            tokens: TokenDesk(kept, settings.http?.access.grants), documents: DocumentDesk(kept, of: declaration, workers.operators),
            households: HouseholdDesk(kept.store, of: settings.piece), ledger: LedgerDesk(kept.store, of: declaration.name),
            outbox: OutboxDesk(kept.store, workers.operators), rehearsal: RehearsalDesk(declaration),
            themes: ThemeDesk(waveforms, workers.operators), reports: ReportDesk(log, reloads),
            restarts: RestartDesk(restart), secrets: SecretDesk(kept.store, of: declaration),
            keyed: KeyedDesk(kept.store, of: declaration.name), purchases: PurchaseDesk(kept.store, of: declaration))
        let outputs = OutputPorts(port, reports: reports, latency: latency, of: declaration)
        self.outputs = outputs
        let (kept, name) = (kept, declaration.name)
        conductor = Conductor(settings, waveforms, memory: kept.memory(of: name), documents: desks.documents.book.allInForce,
                              clock: { clock.now }, Conductor.Ports(
            journal: { entry in
                recorder.record(entry)
                outputs.tell(entry)
            },
            synth: { outputs.port.send($0) },
            haptic: { outputs.feel($0, at: $1) },
            tell: { outputs.tell($0) },
            watch: { cue in
                outputs.tone.follow(cue)
                outputs.subscribers.tell(.cue) { Notification(.cue, cue) }
            },
            entered: { outputs.guests.came($0) },
            keep: { outputs.keep($0) },
            recall: { outputs.memory(of: $0) ?? kept.memory(of: name, household: $0) },
            householdCount: { kept.store?.memoryCount(of: name) ?? 0 },
            moment: { outputs.moment(of: $0) }))
        Conductor.rehearse(settings, waveforms, methods)
    }

    /// Takes over the listeners, which the status reports from now on. Must be called before any client can ask for the status.
    func use(_ listeners: Listeners) { self.listeners = listeners }

    /// Sends haptic cues to these devices from now on. Must be called before any client can ask for the status.
    func use(_ devices: Devices) { outputs.devices = devices }

    /// Handles touches on one of our own touchscreens.
    func touched(_ report: TouchReport) { desks.touches.take(report, on: self) }

    /// Handles a switch that was turned on or off.
    func switched(_ report: SwitchReport) { desks.switches.take(report, on: self) }

    /// Takes over the list of present touchscreens after one was plugged in or out.
    func follow(_ screens: [Devices.Report.Screen]) { desks.touches.follow(screens, on: self) }

    // MARK: Time

    /// Does the work that is due, and schedules itself again: ten times a second during a visit, else once a second.
    func tick() {
        let now = monotonicNanoseconds()
        let beat = heartbeat.beat(at: now)
        if let seconds = beat.stoodStill {
            logger.warning("stood still: the machine, or whoever stopped thrumd", metadata: ["seconds": "\(seconds)"])
        }
        watchClock()
        // The ring is full while the render thread stands still.
        if outputs.port.hasRoomToRelease { conductor.advance(to: due(now).frame) }
        followConductor()
        for client in clients.presence.departed { release(client) }
        endLongHolds(now)
        if beat.isToSync { recorder.sync() }
        let report = outputs.reports.read()
        followAttenuation(report)
        watch(report)
        sound.follow(report, at: now)
        tendHouse(now)
        tendDocuments()
        desks.touches.settleOwner(on: self)
        desks.touches.tellWaiting(on: self)
        desks.explore.tend(on: self)
        desks.switches.tend(on: self)
        kept.tend(house, now)
        kept.countHouseholds(of: conductor.piece.declaration.name, now)
        desks.kiosk.watch(clients.presence.pages(at: now), isOpen: house.isOpen, at: now)
        let status = status()
        signs.give(now, wakeUps: report.wakeUps, status: status.summary)
        outputs.tellOfChanges(issues: status.issues)
        outputs.subscribers.tellOfMissed()
        tellState()
        let pause = conductor.visit == nil ? Heartbeat.idlePause : Heartbeat.busyPause
        let next = Heartbeat.next(after: monotonicNanoseconds(), each: pause)
        timers.tick = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(next))) {
            self.assumeIsolated { $0.tick() }
        }
    }

    func status() -> StatusReport { StatusSources(of: self).report }

    /// Stores the state for the next start. Returns a function that waits until the state is written.
    func keep() -> @Sendable () -> Void {
        kept.keep(house, monotonicNanoseconds())
        return kept.finish
    }

    /// Returns when an event that happens now is due.
    func due(_ now: Int64) -> Due { timing.due(now, outputs.reports.read()) }

    // MARK: Events

    /// Ends the session with a fade. Returns in how many nanoseconds the fade will have been heard.
    func endSession() -> Int64 {
        isClosing = true
        clients.agenda.cancelAll().forEach { $0() }
        timers.tick?.cancel()
        // A render thread that stands still accepts nothing more.
        guard conductor.run != nil, outputs.port.hasRoomToRelease else { return 0 }
        end(.shutdown, ticket: nil)
        return timing.timeToStop(outputs.reports.read())
    }

    func end(_ reason: SessionEnd, ticket: Int?) {
        conductor.end(reason, at: due(monotonicNanoseconds()).frame, ticket: ticket)
        followConductor()
        tellState()
    }

    /// Has the conductor act on an event. `stamp` is the moment at which the event happened; nil for now. Returns whether the event counts;
    /// if so, the answer with the number `ticket` (`Receipts`) is sent when it is known at which frame the event took effect. Throws the
    /// reason for a refusal.
    func report(_ kind: EventKind, at stamp: Int64?, from client: Client, ticket: Int?,
                now: Int64 = monotonicNanoseconds()) throws(Fault) -> Bool {
        try timing.check(stamp, at: now)
        // This is needed after a refused event as well, because the conductor may have acted on the time that has passed.
        defer {
            followConductor()
            tellState()
        }
        let report = outputs.reports.read()
        let event = Event(client: client, kind)
        let entering: String? = if case .action(let action) = kind { action.body.entering } else { nil }
        let runs = conductor.runs
        if entering != nil { outputs.guests.begins(client.number) }
        defer { outputs.guests.ended() }
        let counts = try conductor.handle(event, at: timing.due(now, stamp: stamp, report), ticket: ticket)
        if counts { desks.rates.noteAct(client, kind, entering: entering, at: now, on: self) }
        if conductor.runs > runs { desks.rates.noteRun(begunBy: client, at: now, on: self) }
        clients.handMarks.follow(kind, by: clients.presence.words(for: client), at: time(nil))
        clients.presence.follow(event, counts: counts, session: conductor.visits, at: now)
        return counts
    }

    /// Gives the run the documents that have come into force, as far as there is room for events.
    func tendDocuments() {
        while outputs.port.isOpen, !isClosing, let document = desks.documents.next() {
            _ = try? report(.configuration(document), at: nil, from: .engine, ticket: nil)
            logger.notice("a document is in force", metadata: ["kind": "\(document.kind)", "version": "\(document.version)"])
        }
    }

    /// Sends subscribers the state if it has changed.
    func tellState() { outputs.tellState { StateReport(of: self) } }

    func hasRoom(for kind: EventKind) -> Bool {
        outputs.port.isOpen || (kind.releases && outputs.port.hasRoomToRelease)
    }

    /// Releases the fingers and tones of a disconnected client. This is never refused; where the command ring has no room, it is done
    /// later.
    func release(_ client: Client) {
        guard clients.presence.departs(client, hasRoom: outputs.port.hasRoomToRelease) else { return }
        _ = try? report(.left, at: nil, from: client, ticket: nil)
    }

    /// Releases the fingers and tones of each client that has given no sign of life (moved a finger, set the tone) for longer than
    /// `max-hold`, and ends pink noise that has played for its longest time.
    private func endLongHolds(_ now: Int64) {
        guard conductor.visit != nil else { return clients.presence.endHolds() }
        let silentSince = now - Int64(settings.values.maxHold.rawValue * 1e9)
        for client in clients.presence.holding(silentSince: silentSince) where outputs.port.hasRoomToRelease {
            if (try? report(.left, at: nil, from: client, ticket: nil)) == true {
                tell(released: client, because: .held)
            } else {
                clients.presence.forgetHolds(of: client)
            }
        }
        for client in clients.presence.playingLongNoise(at: now) where outputs.port.hasRoomToRelease {
            if (try? report(.noise(nil), at: nil, from: client, ticket: nil)) == true {
                logger.notice("pink noise was ended after its longest time", metadata: ["client": "\(client)"])
            } else {
                clients.presence.forgetHolds(of: client)
            }
        }
    }

    /// Logs and counts an HTTP request that was refused.
    func tell(_ rejection: HTTPRejection) {
        guard let unlogged = clients.rejections.note(rejection, at: monotonicNanoseconds()) else { return }
        var metadata: Logger.Metadata = ["from": "\(rejection.peer)", "reason": "\(rejection.reason)"]
        if let shown = rejection.shown { metadata[rejection.stranger.rawValue] = "\(shown.debugDescription)" }
        if unlogged > 0 { metadata["unlogged"] = "\(unlogged)" }
        logger.warning("a request over HTTP was refused", metadata: metadata)
    }

    /// Logs, counts and announces that the engine itself released the fingers and tones of a client.
    func tell(released client: Client, because reason: ReleaseReport.Reason) {
        clients.presence.count(reason)
        logger.notice("a client was released: \(reason.words)", metadata: ["client": "\(client)"])
        outputs.subscribers.tell(.fault) { Notification(.fault, ReleaseReport(client: client.number, released: reason)) }
    }
}
