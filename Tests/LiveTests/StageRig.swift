import AudioOutput
import Calendar
import CLinux
import ControlSocket
import Direct
import Experience
import JournalFile
import Logging
import NIOCore
import NIOPosix
import PatternWaveforms
import Realtime
import Settings
import Signals
import Synchronization
import Synth
import Systemd
import SystemPackage
import TestSupport
import Units
import Venue
import Wire

@testable import Live

/// What a client was sent, a line each.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    /// Whether it reads.
    let isReading = Mutex(true)

    var all: [String] { lines.withLock { $0 } }

    func take(_ line: [UInt8]) -> Bool {
        guard isReading.withLock({ $0 }) else { return false }
        lines.withLock { $0.append(String(decoding: line.dropLast(), as: UTF8.self)) }
        return true
    }

    /// Returns the first line, which may take its time; nil where none comes within 10 s.
    func first() async throws -> String? {
        for _ in 0..<2_000 where all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        return all.first
    }
}

/// A handler that takes records of each level, and does nothing with them.
private struct SilentHandler: LogHandler {
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {}
}

/// Returns the reason of an answer that is an error; nil for any other.
func reason(_ answer: String?) -> String? {
    answer?.components(separatedBy: #""reason":""#).dropFirst().first?.components(separatedBy: "\"").first
}

/// The stage on an event loop of its own, with the ends that the render thread would hold.
final class StageRig {
    let stage: Stage
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var instructions: RingConsumer<Instruction>
    private var reports: LatestWriter<OutputReport>

    /// `state` is the state directory; nil for none. `log` has what the stage logs. `restart` has the daemon end; nil where nobody would start
    /// it again. `clocks` are the machine's.
    init(_ piece: any Experience.Type, state: String? = nil, voice: Voice = .mute, log: RecentLog = RecentLog(),
         restart: (@Sendable () -> Void)? = nil,
         clocks: @escaping @Sendable () -> SteadyClock.Reading = { SystemTime.reading }) throws {
        var values = SettingValues(SettingsTable())
        values.output = .null
        let settings = LiveSettings(values, piece: piece, socket: .path(""), sessions: "", state: state, theme: .standard, version: "0")
        var logger = Logger(label: "test") { _ in RecentLogHandler(SilentHandler(), log) }
        logger.logLevel = .trace
        let sent = Ring.make(of: Instruction.self, capacity: 4096)
        let said = Ring.make(of: Notice.self, capacity: 64)
        let latest = Latest.make(OutputReport())
        // Of a renderer that renders nothing, for the sake of its meter.
        let unsent = Ring.make(of: Instruction.self, capacity: 64)
        let unsaid = Ring.make(of: Notice.self, capacity: 64)
        let unread = Latest.make(OutputReport())
        let renderer = Renderer(EngineSettings(.standard, rate: .standard), instructions: unsent.consumer, notices: unsaid.producer,
                                reports: unread.writer)
        let recorder = JournalRecorder(directory: FilePath(try Scratch().file("sessions")), retention: Retention(), logger: logger)
        let loop = group.next()
        stage = Stage(settings, loop: loop, port: CommandPort(sent.producer, bell: RenderBell(Doorbell(), on: loop)),
                      notices: said.consumer, reports: latest.reader, frames: renderer.frames,
                      speech: SpeechTrack(rate: .standard), voice: voice,
                      waveforms: PatternWaveforms(rate: .standard, hasTransducer: false) { _, _ in nil }, recorder: recorder,
                      notifier: Notifier([:]), logger: logger, log: log, restart: restart, clocks: clocks)
        instructions = sent.consumer
        reports = latest.writer
    }

    /// Reports that frame 0 is heard at `start`, CLOCK_MONOTONIC in nanoseconds.
    func play(from start: Int64) {
        var report = OutputReport()
        report.clock = PlayClock(frame: 0, nanoseconds: start, framesPerNanosecond: 48_000 / 1e9)
        reports.publish(report)
    }

    /// Returns whether the render thread was told last to be exact; nil when it was told nothing.
    func lastWord() -> Bool? {
        var word: Bool?
        while let next = instructions.peek() {
            if case .inUse(let isInUse) = next { word = isInUse }
            instructions.drop()
        }
        return word
    }

    /// Returns the commands beside all events that the render thread was sent since it was asked for last, in words.
    func asides() -> [String] {
        var commands: [String] = []
        while let next = instructions.peek() {
            if case .aside(let command) = next { commands.append("\(command)") }
            instructions.drop()
        }
        return commands
    }

    /// Returns the commands of events that the render thread was sent since it was asked for last, in words.
    func commands() -> [String] {
        var commands: [String] = []
        while let next = instructions.peek() {
            if case .command(let command) = next { commands.append("\(command)") }
            instructions.drop()
        }
        return commands
    }

    /// Has a client ask. Returns the answer that comes at once; nil where it waits for the sound.
    func ask(_ client: Int, _ method: String, _ parameters: String) async throws -> String? {
        try await plan(client, method, parameters).all.first
    }

    /// Has a client ask for no answer.
    func notify(_ client: Int, _ method: String, _ parameters: String) async throws { _ = try await plan(client, method, parameters, id: "") }

    /// Has a client ask. The answer, which may come later, is the only line of `answers`, which are returned. `then` is done before anything
    /// else is.
    func plan(_ client: Int, _ method: String, _ parameters: String, id: String = #""id":1,"#, into answers: Lines = Lines(),
              then: @escaping @Sendable (isolated Stage) -> Void = { _ in }) async throws -> Lines {
        let line = #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(parameters)}"#
        guard case .single(let request) = Incoming(Array(line.utf8), stage.methods) else { preconditionFailure("no batch") }
        let read = try request.get().read().get()
        try await stage.loop.submit { [stage] in
            stage.answer(read, from: client) { _ = answers.take($0) }
            stage.assumeIsolated { then($0) }
        }.get()
        return answers
    }

    /// Has a client ask. Returns the answer, which may take its time on other threads; nil where none comes within 10 s.
    func askPatiently(_ client: Int, _ method: String, _ parameters: String) async throws -> String? {
        try await plan(client, method, parameters).first()
    }

    /// Connects a client. Returns what it is told.
    func connect(_ client: Int, as role: Role = .visitor, isLocal: Bool = true, identity: Identity = .unknown) async throws -> Lines {
        let told = Lines()
        try await stage.loop.submit { [stage] in stage.connected(client, as: role, isLocal: isLocal, identity: identity) { told.take($0) } }.get()
        return told
    }

    func disconnect(_ client: Int) async throws {
        try await stage.loop.submit { [stage] in stage.disconnected(client, because: .left) }.get()
    }

    /// Stops the stage. Another may keep its state in the same directory then.
    func stop() async throws {
        try await stage.loop.submit { [stage] in stage.assumeIsolated { $0.kept.finish } }.get()()
        try await group.shutdownGracefully()
    }
}

extension Voice {
    /// As where no program that speaks is installed.
    static let mute = Voice { _, _, _ throws(ErrorReply) in throw ErrorReply(.refused(.unavailable), "no voice") }
}

extension LiveSettings {
    /// Returns settings that play into nothing; all else is as when nothing is said.
    static func silent(venue: Venue = .standard, version: String = "0") -> LiveSettings {
        var values = SettingValues(SettingsTable())
        values.output = .null
        return LiveSettings(values, piece: Direct.self, socket: .path(""), sessions: "", theme: .standard, venue: venue, version: version)
    }
}
