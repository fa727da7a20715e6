import AudioOutput
import Conductor
import ControlSocket
import FoundationEssentials
import Journal
import Logging
import NIOCore
import Realtime
import Signals
import Synth
import Units
import Wire

/// The conductor in real time: gives every event its frame, and answers clients.
///
/// An actor on the control socket's event loop, so that an event goes from the socket to its cues without changing
/// threads.
actor Stage {
    nonisolated let loop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    private let settings: LiveSettings
    private let clock: LiveClock
    private let recorder: JournalRecorder
    private let logger: Logger
    private let started = monotonicNanoseconds()
    private let outlet: Outlet
    private var conductor: Conductor
    private var reports: LatestReader<RenderReport>
    private var clients: Set<Int> = []
    private var lastState: OutputState?
    private var ticks = 0
    /// The last session has been ended; none may begin after it.
    private var isClosing = false

    init(_ settings: LiveSettings, loop: any EventLoop, commands: consuming RingProducer<StampedCommand>,
         reports: consuming LatestReader<RenderReport>, recorder: JournalRecorder, logger: Logger) {
        self.settings = settings
        self.loop = loop
        self.recorder = recorder
        self.logger = logger
        self.reports = reports
        clock = LiveClock(rate: settings.rate)
        let outlet = Outlet(commands)
        self.outlet = outlet
        conductor = Self.conductor(settings, Conductor.Ports(
            journal: { recorder.record($0) },
            synth: { outlet.port.send($0) },
            haptic: { _, _ in outlet.patterns += 1 }))
        Self.rehearse(settings)
    }

    private static func conductor(_ settings: LiveSettings, _ ports: Conductor.Ports) -> Conductor {
        let seed = settings.seed
        return Conductor(theme: settings.theme, rate: settings.rate, idle: settings.idle, ports: ports) {
            (seed ?? UInt64.random(in: JournalHeader.seeds), Date().formatted(.iso8601))
        }
    }

    /// Goes once through everything a first touch needs, without being heard. What the language and the libraries set up
    /// at first use takes them milliseconds, in which the first event of all would come too late for its frame.
    private static func rehearse(_ settings: LiveSettings) {
        var conductor = Self.conductor(settings, Conductor.Ports(journal: { _ in }, synth: { _ in }, haptic: { _, _ in }))
        let line = #"{"jsonrpc":"2.0","id":1,"method":"touch","params":{"phase":"began","x":0.5,"y":0.5}}"#
        guard let request = try? Request.read(Array(line.utf8)), case .report(let happening) = request.call,
              let frame = try? conductor.handle(Event(client: 1, happening), at: .zero) else {
            preconditionFailure("the rehearsal's request is a good one")
        }
        _ = Reply.line(result: Receipt(frame: frame.rawValue), id: .integer(1))
    }

    /// What the conductor's ports share with the stage. Used on its executor only.
    private final class Outlet {
        var port: CommandPort
        /// Haptic patterns asked for; there is no device that could play them yet.
        var patterns: UInt64 = 0

        init(_ commands: consuming RingProducer<StampedCommand>) { port = CommandPort(commands) }
    }

    /// Does what time alone asks for. To be called some ten times a second.
    func tick() {
        let report = reports.read()
        conductor.advance(to: clock.frame(at: monotonicNanoseconds(), after: report.anchor))
        outlet.port.flush()
        ticks += 1
        // A pulled plug costs at most half a second of the journal.
        if ticks.isMultiple(of: 5) { recorder.sync() }
        guard report.state != lastState else { return }
        lastState = report.state
        switch report.state {
        case .connected: logger.info("connected to the sound server")
        case .waiting: logger.warning("waiting for a sound server", metadata: ["reason": "\(report.reasonToWait)"])
        case .null: logger.info("rendering into nothing, as asked")
        }
    }

    /// Ends the session softly. Returns in how many nanoseconds from now its last frame is due to be rendered.
    func endSession() -> Int64 {
        isClosing = true
        let due = clock.frame(at: monotonicNanoseconds(), after: reports.read().anchor)
        guard let end = conductor.end(.shutdown, at: due) else { return 0 }
        outlet.port.flush()
        return (end - due).rawValue * 1_000_000_000 / Int64(settings.rate.hertz)
    }

    private func report(_ happening: Happening, from client: Int) throws(Fault) -> Frame? {
        let due = clock.frame(at: monotonicNanoseconds(), after: reports.read().anchor)
        return try conductor.handle(Event(client: client, happening), at: due)
    }

    private func reply(to request: Request, from client: Int) -> [UInt8] {
        do throws(Fault) {
            switch request.call {
            case .hello(let name):
                logger.info("hello", metadata: ["client": "\(client)", "name": "\((name ?? "").debugDescription)"])
                return answer(Greeting(version: settings.version, sampleRate: Int(settings.rate.hertz),
                                       experience: ExperienceName.direct.rawValue, client: client), request)
            case .status:
                return answer(status(), request)
            case .report(let happening):
                guard !isClosing else { return Reply.line(error: ErrorReply(.refused, "shutting down", id: request.id)) }
                return answer(Receipt(frame: try report(happening, from: client)?.rawValue), request)
            }
        } catch {
            return Reply.line(error: ErrorReply(.refused, fault: error, id: request.id))
        }
    }

    private func answer(_ result: some Encodable, _ request: Request) -> [UInt8] {
        request.id.map { Reply.line(result: result, id: $0) } ?? []
    }

    private func status() -> StatusReport {
        let report = reports.read()
        let now = monotonicNanoseconds()
        let health = recorder.health
        let waiting = report.state == .waiting ? report.reasonToWait : nil
        let frame = clock.frame(at: now, after: report.anchor)
        return StatusReport(
            version: settings.version,
            uptimeSeconds: Double(now - started) / 1e9,
            clients: clients.count,
            output: StatusReport.Output(
                kind: settings.output.kind, state: report.state.name, trouble: waiting,
                sampleRate: Int(settings.rate.hertz), leadMilliseconds: LiveClock.lead.rawValue * 1000,
                connections: report.connections, underruns: report.underruns),
            session: conductor.session.map {
                StatusReport.Session(journal: health.path, seconds: max(0, settings.rate.seconds(in: frame - $0.start).rawValue),
                                     events: $0.events, isHeld: $0.isHeld)
            },
            sessions: conductor.sessions,
            synth: StatusReport.Synth(
                stolenNotes: report.counters.stolenNotes, refusedNotes: report.counters.refusedNotes,
                limitedFrames: report.counters.limitedFrames, lateCommands: report.lateCommands,
                droppedCommands: outlet.port.dropped),
            haptics: StatusReport.Haptics(state: "no haptic device", patterns: outlet.patterns),
            troubles: troubles(health, waiting))
    }

    private func troubles(_ health: JournalRecorder.Health, _ waiting: String?) -> [String] {
        var troubles: [String] = []
        if let waiting { troubles.append("no sound: waiting for a sound server (\(waiting))") }
        if let trouble = health.trouble { troubles.append(trouble) }
        if health.lost > 0 { troubles.append("\(health.lost) journal entries are lost") }
        return troubles
    }
}

// The server calls on the event loop, which is the actor's executor.
extension Stage: ControlService {
    nonisolated func connected(_ client: Int) {
        assumeIsolated { _ = $0.clients.insert(client) }
    }

    nonisolated func answer(_ request: Request, from client: Int) -> [UInt8] {
        assumeIsolated { $0.reply(to: request, from: client) }
    }

    nonisolated func disconnected(_ client: Int) {
        assumeIsolated { stage in
            stage.clients.remove(client)
            // Leaving is never refused.
            if !stage.isClosing { _ = try? stage.report(.left, from: client) }
        }
    }
}

extension LiveSettings.Output {
    var kind: String {
        switch self {
        case .pulse: "pulse"
        case .null: "null"
        }
    }
}

extension RenderReport {
    var reasonToWait: String { fault == 0 ? "it does not ask for audio yet" : PulseOutput.describe(fault) }
}

extension OutputState {
    var name: String {
        switch self {
        case .null: "null"
        case .waiting: "waiting"
        case .connected: "connected"
        }
    }
}
