import AudioOutput
import CLinux
import Conductor
import ControlSocket
import Evdev
import Experience
import Fields
import FoundationEssentials
import Journal
import Logging
import NIOCore
import Realtime
import PatternWaveforms
import Signals
import Synth
import SystemPackage
import Systemd
import Units
import Venue
import Wire

/// The conductor in real time: gives every event its frame, and answers clients.
///
/// An actor on the control socket's event loop, so that an event goes from the socket to its cues without changing
/// threads.
actor Stage {
    nonisolated let loop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// An event may have happened so long before it is reported.
    private static let oldestEvent: Int64 = 10_000_000_000

    var settings: LiveSettings
    /// What is wrong with the settings; nil when they are good.
    var settingsIssue: String?
    /// Keys that the settings have been read again for in vain, until the next start.
    var waitingForStart: [String] = []
    var house: House
    /// Nil until they are open.
    private(set) var doors: Listeners?
    let levels: MeterReader
    /// Until when, and in which session, the hearing guard has accounted.
    var heardUntil = Frame.zero
    var heardSessions = 0
    /// Of the house, for the next start.
    var kept: Kept
    private var ticked: Int64?
    private var supervision: Supervision
    var monitorWatch = MonitorWatch()
    /// Until when the monitor has been compared with what was meant.
    var comparedUntil = Frame.zero
    let recorder: JournalRecorder
    let waveforms: PatternWaveforms
    let logger: Logger
    let started = monotonicNanoseconds()
    /// From a command to its first sample: the limiter's look-ahead.
    private let latency: FrameCount
    let outlet: OutputPorts
    var conductor: Conductor
    var reports: LatestReader<OutputReport>
    private var notices: RingConsumer<Notice>
    /// Of those that are connected.
    var roles: [Int: Role] = [:]
    /// Those that report swipes and taps themselves.
    var gesturing: Set<Int> = []
    let metering: Metering
    private var intake = TouchIntake()
    /// Those that could not be let go for want of room.
    private var departed: Set<Client> = []
    private var holds = Holds()
    /// The session that `holds` is of, counted from 1.
    private var holdsSession = 0
    /// Clients that were let go of, by why.
    var letGo = StatusReport.LetGo()
    var asked = Asked()
    var agenda = Agenda()
    let document: EncodedResult
    private var lastState: OutputState?
    private var lastFault: Int32 = 0
    var wakeUps = WakeUps()
    var overload = Overload()
    var lateEvents: UInt64 = 0
    /// Being answered on other threads.
    var longQuestions = 0
    private var nextSync: Int64 = 0
    private var ticking: Scheduled<Void>?
    private var settling: Scheduled<Void>?
    /// The last session has been ended; none may begin after it.
    var isClosing = false
    private var hasMissedPriority = false

    init(_ settings: LiveSettings, loop: any EventLoop, port: consuming CommandPort,
         notices: consuming RingConsumer<Notice>, reports: consuming LatestReader<OutputReport>,
         levels: MeterReader, waveforms: PatternWaveforms, recorder: JournalRecorder, notifier: Notifier, logger: Logger) {
        self.settings = settings
        self.loop = loop
        self.recorder = recorder
        self.logger = logger
        self.notices = notices
        self.reports = reports
        self.levels = levels
        metering = Metering(levels, on: loop)
        kept = Kept(in: settings.state, logger: logger)
        house = House(settings, day: kept.day, chosen: kept.chosen)
        supervision = Supervision(notifier)
        latency = Engine(EngineSettings(settings.theme, rate: settings.rate)).latency
        document = EncodedResult(OpenRPC(version: settings.version))
        let outlet = OutputPorts(port, latency: latency)
        self.outlet = outlet
        self.waveforms = waveforms
        conductor = Self.conductor(settings, waveforms, Conductor.Ports(
            journal: { entry in
                recorder.record(entry)
                outlet.tell(entry)
            },
            synth: { outlet.port.send($0) },
            haptic: { outlet.feel($0, at: $1) },
            tell: { outlet.subscribers.tell($0) },
            watch: { cue in
                outlet.tone.follow(cue)
                outlet.subscribers.tell(.cue) { Notification(.cue, cue) }
            }))
        Self.rehearse(settings, waveforms)
    }

    private static func conductor(_ settings: LiveSettings, _ waveforms: PatternWaveforms, _ ports: Conductor.Ports) -> Conductor {
        let seed = settings.seed
        return Conductor(settings.experience, theme: settings.theme, rate: settings.rate, idle: settings.idle, tuning: settings.tuning,
                         score: { waveforms.score(of: $0) }, ports: ports,
                         seed: { seed ?? UInt64.random(in: JournalHeader.seeds) }, clock: { .now })
    }

    /// Goes once through everything a first touch needs, without being heard. What the language and the libraries set up
    /// at first use takes them milliseconds, in which the first event of all would come too late for its frame.
    private static func rehearse(_ settings: LiveSettings, _ waveforms: PatternWaveforms) {
        var conductor = Self.conductor(settings, waveforms, Conductor.Ports(
            journal: { _ in }, synth: { _ in }, haptic: { _, _ in }, tell: { _ = Notification($0).line(number: 1) }))
        let line = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began","x":0.5,"y":0.5}}"#
        guard case .single(.success(let unread)) = Incoming<Call>(Array(line.utf8)),
              case .success(let request) = unread.read(), case .report(let kind, _) = request.call,
              (try? conductor.handle(Event(client: .connection(1), kind), at: Due(.zero))) == true else {
            preconditionFailure("the rehearsal's request is a good one")
        }
        _ = Reply.line(result: Receipt(frame: conductor.placed(at: .zero).position.rawValue), id: .integer(1))
    }

    // MARK: Time

    /// Does what time alone asks for, and sees to it that it is called again: often while a visitor is there.
    func tick() {
        let now = monotonicNanoseconds()
        if let ticked, now - ticked > 3_000_000_000 {
            let seconds = (now - ticked) / 1_000_000_000
            logger.warning("stood still: the machine, or whoever stopped thrumd", metadata: ["seconds": "\(seconds)"])
        }
        ticked = now
        conductor.advance(to: due(now).frame)
        for client in departed { letGo(client) }
        endLongHolds(now)
        followSession()
        // A pulled plug costs at most half a second of the journal.
        if now >= nextSync {
            recorder.sync()
            nextSync = now + 500_000_000
        }
        let report = reports.read()
        wakeUps.count(report.wakeUps, now)
        watch(report)
        compareWithMonitor(report, now)
        tendHouse(now)
        kept.tend(house, now)
        let status = status()
        supervision.tick(now, wakeUps: report.wakeUps, status: status.summary)
        outlet.tellOfChanges(issues: status.issues)
        tellState()
        ticking = loop.assumeIsolated().scheduleTask(in: conductor.session == nil ? .seconds(1) : .milliseconds(100)) {
            self.assumeIsolated { $0.tick() }
        }
    }

    /// For the next start. Returns what waits until it is written.
    func keep() -> @Sendable () -> Void {
        kept.keep(house, monotonicNanoseconds())
        return kept.finish
    }

    /// The render thread has said something.
    func hear() {
        // Before the notices: what it says is settled they have told.
        let settled = reports.read().settled
        while let notice = notices.peek() {
            notices.drop()
            switch notice {
            case .placed(let frame): confirm(conductor.placed(at: frame))
            case .late(let frame, let count): conductor.late(count, at: frame)
            case .silent(let frame): conductor.fellSilent(at: frame)
            case .heard(let frame): conductor.cameBack(at: frame)
            }
        }
        settle(until: settled)
        watch(reports.read())
    }

    /// A session's end waits for what was heard to be known, which nobody rings for.
    private func settle(until frame: Frame) {
        conductor.settled(until: frame)
        guard conductor.isSettling, settling == nil else { return }
        settling = loop.assumeIsolated().scheduleTask(in: .milliseconds(20)) {
            self.assumeIsolated {
                $0.settling = nil
                $0.hear()
            }
        }
    }

    /// The output has stopped: nothing more is heard.
    func finish() {
        hear()
        settling?.cancel()
        conductor.settled(until: Frame(.max))
    }

    private func watch(_ report: OutputReport) {
        guard report.state != lastState || (report.state == .waiting && report.fault != lastFault), !isClosing else { return }
        // What has only just begun to look for a server waits for nothing yet.
        let isNew = report.state == .waiting && report.fault == 0 && monotonicNanoseconds() - started < 1_500_000_000
        guard !isNew else { return }
        lastState = report.state
        lastFault = report.fault
        switch report.state {
        case .connected:
            logger.info("connected to the sound server", metadata: [
                "server": "\(report.server)", "sink": "\(report.sink)", "revising": "\(report.revises)",
                "realtime": "\(report.isRealtime)"])
            if !report.isRealtime, !hasMissedPriority {
                hasMissedPriority = true
                logger.notice("no real-time priority: a busy machine may be heard (RLIMIT_RTPRIO allows it)")
            }
        case .waiting: logger.warning("waiting for a sound server", metadata: ["reason": "\(report.reasonToWait(settings.output))"])
        case .null: logger.info("rendering into nothing, as asked")
        }
    }

    /// When something is due that happens now, or has happened when its `stamp` says. Without one it is heard as soon as
    /// possible; with one always as long after, so that it is heard in the rhythm in which it happened.
    func due(_ now: Int64, stamp: Int64? = nil) -> Due { due(now, stamp: stamp, reports.read()) }

    private func due(_ now: Int64, stamp: Int64?, _ report: OutputReport) -> Due {
        let prompt = Frame(report.clock.frame(at: now).rawValue - latency.rawValue)
        let steady = Frame(report.clock.frame(at: stamp ?? now).rawValue - latency.rawValue) + report.lead
        guard stamp == nil else { return Due(max(steady, prompt), deadline: steady, stamp: stamp) }
        // For it the server may be asked first, which takes a moment more.
        return Due(prompt, deadline: steady + settings.rate.frames(in: .milliseconds(1)))
    }

    // MARK: Events

    /// Ends the session softly. Returns in how many nanoseconds from now it will have been heard to its end.
    func endSession() -> Int64 {
        isClosing = true
        agenda.cancelAll().forEach { $0() }
        ticking?.cancel()
        guard conductor.session != nil else { return 0 }
        end(.shutdown, ticket: nil)
        let report = reports.read()
        let wait = report.lead + report.sinkBlock + settings.rate.frames(in: .stopTime)
        return wait.rawValue * 1_000_000_000 / Int64(settings.rate.hertz)
    }

    func end(_ reason: SessionEnd, ticket: Int?) {
        conductor.end(reason, at: due(monotonicNanoseconds()).frame, ticket: ticket)
        followSession()
        tellState()
    }

    /// Whether `ticket` will be answered when the event is placed.
    func report(_ kind: EventKind, at moment: Int64?, from client: Client, ticket: Int?,
                        now: Int64 = monotonicNanoseconds()) throws(Fault) -> Bool {
        if let moment, !(now - Self.oldestEvent...now).contains(moment) {
            throw Fault(field: "at", expected: "a moment from 10 s ago to 10 min ahead (CLOCK_MONOTONIC, nanoseconds)",
                        found: "\(Double(moment - now) / 1e9) s from now")
        }
        defer {
            followSession()
            tellState()
        }
        let report = reports.read()
        outlet.clock = report.clock
        let event = Event(client: client, kind)
        let counts = try conductor.handle(event, at: due(now, stamp: moment, report), ticket: ticket)
        if conductor.sessions != holdsSession { holds.end() }
        holdsSession = conductor.sessions
        if counts { holds.follow(event, at: now) }
        return counts
    }

    func followSession() {
        outlet.port.tell(visitorIsPresent: conductor.session != nil)
    }

    var state: StateReport {
        let session = conductor.session
        return StateReport(hasSession: session != nil, isHeld: session?.isHeld ?? false, fingers: session?.fingers ?? 0, tone: outlet.tone,
                           isMuted: conductor.isMuted, ceiling: conductor.ceiling.rawValue, output: reports.read().state.name)
    }

    private func tellState() { outlet.tellState { state } }

    /// Where haptic patterns go, too.
    func use(_ devices: Devices, _ doors: Listeners) {
        outlet.devices = devices
        self.doors = doors
    }

    /// Fingers on one of our own screens. What the kernel stamped counts, however long it took to get here.
    func touched(_ report: TouchReport) {
        guard !isClosing else { return }
        // Somebody may have been frozen for long, and a finger must end all the same.
        let now = monotonicNanoseconds()
        let moment = min(now, max(report.moment, now - Self.oldestEvent))
        for kind in intake.kinds(report, withGestures: settings.recognizesGestures && gesturing.isEmpty) {
            if hasRoom(for: kind) {
                outlet.stamp = report.moment
                _ = try? self.report(kind, at: moment, from: .screen(report.screen), ticket: nil, now: now)
                outlet.stamp = nil
            } else {
                overload.refuse(at: now)
                // Its fingers are let go of when there is room.
                if kind.letsGo { departed.insert(.screen(report.screen)) }
            }
        }
    }

    func hasRoom(for kind: EventKind) -> Bool {
        outlet.port.isOpen || (kind.letsGo && outlet.port.hasRoomToLetGo)
    }

    /// A client that is gone holds nothing any more. Leaving is never refused.
    func letGo(_ client: Client) {
        guard outlet.port.hasRoomToLetGo else {
            departed.insert(client)
            return
        }
        departed.remove(client)
        _ = try? report(.left, at: nil, from: client, ticket: nil)
    }

    /// Nothing is held for longer than `max-hold` without a sign of life: not by one who forgot it, and not by one who hangs.
    private func endLongHolds(_ now: Int64) {
        guard conductor.session != nil else { return holds.end() }
        for client in holds.clients(silentSince: now - Int64(settings.maxHold.rawValue * 1e9)) where outlet.port.hasRoomToLetGo {
            guard (try? report(.left, at: nil, from: client, ticket: nil)) == true else {
                holds.forget(client)
                continue
            }
            letGo.held += 1
            tell(letGo: client, because: "held", "held for longer than max-hold without a sign of life")
        }
    }

    /// Somebody was let go of who did not ask for it.
    func tell(letGo client: Client, because reason: String, _ words: String) {
        logger.notice("a client was let go: \(words)", metadata: ["client": "\(client)"])
        outlet.subscribers.tell(.fault) { Notification(.fault, LetGoReport(client: client.number, letGo: reason)) }
    }

    private func confirm(_ placement: Conductor.Placement) {
        if placement.lateness > .zero { lateEvents += 1 }
        guard let ticket = placement.ticket, let (id, reply) = asked.take(ticket) else { return }
        let late = settings.rate.seconds(in: placement.lateness).rawValue * 1000
        reply(Reply.line(result: Receipt(frame: placement.position.rawValue, lateMilliseconds: late > 0 ? late : nil), id: id))
    }
}
