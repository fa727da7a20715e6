import AudioOutput
import CLinux
import Conductor
import Evdev
import Fields
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

/// The conductor in real time: what happens goes to the conductor, and what time asks for is done.
///
/// An actor on the control socket's event loop, so that an event goes from the socket to its cues without changing threads. It decides
/// nothing by itself: each of its parts knows one thing, takes the time as an argument, and is tested without it.
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
    var presence = Presence()
    var agenda = Agenda()
    var receipts = Receipts()
    var overload = Overload()
    private var intake = TouchIntake()
    let waveforms: PatternWaveforms
    /// The last session has been ended; none may begin after it.
    var isClosing = false

    // What the render thread says.
    var notices: RingConsumer<Notice>
    let levels: MeterReader
    var output: OutputWatch
    var monitor = MonitorComparison()
    var wakeUps = WakeUps()
    var settling: Scheduled<Void>?

    // The house.
    var house: House
    var hearing = HearingAccount()
    var kept: Kept
    var tokens: Tokens

    // Time.
    private var heartbeat = Heartbeat()
    private var supervision: Supervision
    private let notifier: Notifier
    private var ticking: Scheduled<Void>?
    /// The frame at which the piece wants to be woken, and what wakes it.
    var wake: (frame: Frame, timer: Scheduled<Void>)?
    let recorder: JournalRecorder

    // Answers.
    nonisolated let methods: MethodTable<StageCommand>
    let document: EncodedResult
    let metering: Metering
    var deferredAnswers = DeferredAnswers()
    /// Nil until they are open.
    private(set) var listeners: Listeners?

    init(_ settings: LiveSettings, loop: any EventLoop, port: consuming CommandPort,
         notices: consuming RingConsumer<Notice>, reports: consuming LatestReader<OutputReport>,
         levels: MeterReader, waveforms: PatternWaveforms, recorder: JournalRecorder, notifier: Notifier, logger: Logger) {
        self.settings = CurrentSettings(settings)
        self.loop = loop
        self.recorder = recorder
        self.logger = logger
        self.notices = notices
        self.levels = levels
        self.notifier = notifier
        output = OutputWatch(started: started)
        metering = Metering(levels, on: loop)
        kept = Kept(in: settings.state, logger: logger)
        tokens = Tokens(kept.tokens)
        house = House(settings, day: kept.day, chosen: kept.chosen)
        supervision = Supervision(watchdogPeriod: notifier.watchdogPeriod)
        let latency = Engine(EngineSettings(settings.theme, rate: settings.rate)).latency
        timing = EventTiming(rate: settings.rate, latency: latency)
        let declaration = settings.piece.declaration
        methods = EngineMethods.table(declaration, among: settings.values.table.pieces)
        document = EncodedResult(OpenRPC(version: settings.version, methods.descriptions, TopicTable([declaration])))
        let outputs = OutputPorts(port, reports: reports, latency: latency)
        self.outputs = outputs
        self.waveforms = waveforms
        conductor = Conductor(settings, waveforms, memory: kept.memory(of: settings.piece.declaration.name), Conductor.Ports(
            journal: { entry in
                recorder.record(entry)
                outputs.tell(entry)
            },
            synth: { outputs.port.send($0) },
            haptic: { outputs.feel($0, at: $1) },
            tell: { outputs.subscribers.tell($0) },
            watch: { cue in
                outputs.tone.follow(cue)
                outputs.subscribers.tell(.cue) { Notification(.cue, cue) }
            },
            keep: { outputs.keep($0) },
            moment: { outputs.moment(of: $0) }))
        Conductor.rehearse(settings, waveforms, methods)
    }

    /// Where haptic patterns go, too.
    func use(_ devices: Devices, _ listeners: Listeners) {
        outputs.devices = devices
        self.listeners = listeners
    }

    // MARK: Time

    /// Does what time alone asks for, and sees to it that it is called again: often while a visitor is there.
    func tick() {
        let now = monotonicNanoseconds()
        let beat = heartbeat.beat(at: now)
        if let seconds = beat.stoodStill {
            logger.warning("stood still: the machine, or whoever stopped thrumd", metadata: ["seconds": "\(seconds)"])
        }
        // A render thread that stands still takes nothing more.
        if outputs.port.hasRoomToRelease { conductor.advance(to: due(now).frame) }
        followConductor()
        for client in presence.departed { release(client) }
        endLongHolds(now)
        if beat.isToSync { recorder.sync() }
        let report = outputs.reports.read()
        wakeUps.count(report.wakeUps, now)
        watch(report)
        monitor.compare(report, at: now) { levels.reading(of: $0) }
        tendHouse(now)
        kept.tend(house, now)
        let status = status()
        let signs = supervision.tick(now, wakeUps: report.wakeUps, status: status.summary)
        if signs.isAlive { notifier.watchdog() }
        if let words = signs.status { notifier.status(words) }
        outputs.tellOfChanges(issues: status.issues)
        tellState()
        let pause = conductor.visit == nil ? Heartbeat.idlePause : Heartbeat.busyPause
        ticking = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) {
            self.assumeIsolated { $0.tick() }
        }
    }

    /// For the next start. Returns what waits until it is written.
    func keep() -> @Sendable () -> Void {
        kept.keep(house, monotonicNanoseconds())
        return kept.finish
    }

    /// When something is due that happens now.
    func due(_ now: Int64) -> Due { timing.due(now, outputs.reports.read()) }

    // MARK: Events

    /// Ends the session softly. Returns in how many nanoseconds from now it will have been heard to its end.
    func endSession() -> Int64 {
        isClosing = true
        agenda.cancelAll().forEach { $0() }
        ticking?.cancel()
        // A render thread that stands still takes nothing more.
        guard conductor.run != nil, outputs.port.hasRoomToRelease else { return 0 }
        end(.shutdown, ticket: nil)
        return timing.timeToStop(outputs.reports.read())
    }

    func end(_ reason: SessionEnd, ticket: Int?) {
        conductor.end(reason, at: due(monotonicNanoseconds()).frame, ticket: ticket)
        followConductor()
        tellState()
    }

    /// Whether `ticket` will be answered when the event is placed. `stamp` is when it happened; nil for now.
    func report(_ kind: EventKind, at stamp: Int64?, from client: Client, ticket: Int?,
                now: Int64 = monotonicNanoseconds()) throws(Fault) -> Bool {
        try timing.check(stamp, at: now)
        // Also where the event is refused: time may have had the conductor act before.
        defer {
            followConductor()
            tellState()
        }
        let report = outputs.reports.read()
        let event = Event(client: client, kind)
        let counts = try conductor.handle(event, at: timing.due(now, stamp: stamp, report), ticket: ticket)
        presence.follow(event, counts: counts, session: conductor.visits, at: now)
        return counts
    }

    private func tellState() { outputs.tellState { state } }

    /// Fingers on one of our own screens. What the kernel stamped counts, however long it took to get here.
    func touched(_ report: TouchReport) {
        guard !isClosing else { return }
        let now = monotonicNanoseconds()
        let stamp = timing.accepted(report.moment, at: now)
        for kind in intake.kinds(report, withGestures: settings.values.recognizesGestures && !presence.hasGestures) {
            if hasRoom(for: kind) {
                outputs.stamp = report.moment
                _ = try? self.report(kind, at: stamp, from: .screen(report.screen), ticket: nil, now: now)
                outputs.stamp = nil
            } else {
                overload.refuse(at: now)
                // Its fingers are let go of when there is room.
                if kind.releases { _ = presence.departs(.screen(report.screen), hasRoom: false) }
            }
        }
    }

    func hasRoom(for kind: EventKind) -> Bool {
        outputs.port.isOpen || (kind.releases && outputs.port.hasRoomToRelease)
    }

    /// A client that is gone holds nothing any more. Leaving is never refused.
    func release(_ client: Client) {
        guard presence.departs(client, hasRoom: outputs.port.hasRoomToRelease) else { return }
        _ = try? report(.left, at: nil, from: client, ticket: nil)
    }

    /// Nothing is held for longer than `max-hold` without a sign of life: not by one who forgot it, and not by one who hangs.
    private func endLongHolds(_ now: Int64) {
        guard conductor.visit != nil else { return presence.endHolds() }
        let silentSince = now - Int64(settings.values.maxHold.rawValue * 1e9)
        for client in presence.holding(silentSince: silentSince) where outputs.port.hasRoomToRelease {
            if (try? report(.left, at: nil, from: client, ticket: nil)) == true {
                tell(released: client, because: .held)
            } else {
                presence.forgetHolds(of: client)
            }
        }
    }

    /// Somebody was let go of who did not ask for it.
    func tell(released client: Client, because reason: Presence.Reason) {
        presence.count(reason)
        logger.notice("a client was let go: \(reason.words)", metadata: ["client": "\(client)"])
        outputs.subscribers.tell(.fault) { Notification(.fault, ReleaseReport(client: client.number, released: reason.rawValue)) }
    }
}
