import AudioOutput
import CLinux
import Calendar
import Experience
import JournalFile
import Logging
import NIOCore
import NIOPosix
import PatternWaveforms
import Realtime
import Settings
import Signals
import Synth
import SystemPackage
import Systemd
import Testing
import TestSupport
import Units

@testable import Live

/// Beats once a second, in the run of a household or of a visitor.
private protocol Beating: Experience where Move == NoMove {}

extension Beating {
    private static var second: Frame { Frame(48_000) }

    mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects { Effects(wake: .frame(Self.second)) }

    mutating func reduce(_ input: Input<NoMove>, at time: Frame) -> Effects {
        if case .tick = input { Effects(wake: .frame(time + (Self.second - .zero))) } else { Effects() }
    }
}

private struct Visited: Beating {
    static let declaration = Declaration(name: "visited", rulesVersion: 1, about: "beats")
    init(_ opening: Opening) {}
}

private struct AtHome: Beating {
    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "at-home", rulesVersion: 1, about: "beats", policy: .household(rollOver: four))
    }()

    init(_ opening: Opening) {}
}

/// The stage on an event loop of its own, with the ends that the render thread would hold.
private final class Rig {
    let stage: Stage
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private var instructions: RingConsumer<Instruction>
    private var reports: LatestWriter<OutputReport>

    init(_ piece: any Experience.Type) throws {
        var values = SettingValues(SettingsTable())
        values.output = .null
        let settings = LiveSettings(values, piece: piece, socket: .path(""), sessions: "", theme: .standard, version: "0")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
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
        stage = Stage(settings, loop: group.next(), port: CommandPort(sent.producer, bell: Doorbell()), notices: said.consumer,
                      reports: latest.reader, levels: renderer.levels,
                      waveforms: PatternWaveforms(rate: .standard, hasTransducer: false) { _ in nil }, recorder: recorder,
                      notifier: Notifier([:]), logger: logger)
        instructions = sent.consumer
        reports = latest.writer
    }

    /// Frame 0 is heard at `start`, CLOCK_MONOTONIC in nanoseconds.
    func play(from start: Int64) {
        var report = OutputReport()
        report.clock = PlayClock(frame: 0, nanoseconds: start, framesPerNanosecond: 48_000 / 1e9)
        reports.publish(report)
    }

    /// What the render thread was told last of whether to be exact; nil when nothing.
    func lastWord() -> Bool? {
        var word: Bool?
        while let next = instructions.peek() {
            if case .visitor(let present) = next { word = present }
            instructions.drop()
        }
        return word
    }

    func stop() async throws { try await group.shutdownGracefully() }
}

extension Stage {
    fileprivate var hasVisit: Bool { conductor.visit != nil }
    fileprivate var events: Int? { conductor.run?.events }
    fileprivate var nextWake: Frame? { wake?.frame }
}

@Suite struct StageTests {
    @Test func `what the conductor did before it refused an event is followed up`() async throws {
        let rig = try Rig(Visited.self)
        // An hour ahead, so that no timer is due while this runs.
        let start = monotonicNanoseconds() + 3_600_000_000_000
        rig.play(from: start)
        _ = try await rig.stage.report(.touch(Touch(.began)), at: nil, from: .connection(1), ticket: nil, now: start)
        _ = try await rig.stage.report(.touch(Touch(.ended)), at: nil, from: .connection(1), ticket: nil, now: start)
        #expect(await rig.stage.nextWake != nil && rig.lastWord() == true)
        // By then the visit is over, and nobody wants a tick.
        await #expect(throws: (any Error).self) {
            try await rig.stage.report(.chime(name: "gong"), at: nil, from: .connection(1), ticket: nil, now: start + 60_000_000_000)
        }
        #expect(await rig.stage.nextWake == nil && rig.lastWord() == false)
        try await rig.stop()
    }

    @Test func `what a household's piece plays with nobody there is as exact as what a visitor hears`() async throws {
        let rig = try Rig(AtHome.self)
        let start = monotonicNanoseconds() + 3_600_000_000_000
        rig.play(from: start)
        _ = try await rig.stage.report(.mark("here"), at: nil, from: .connection(1), ticket: nil, now: start)
        #expect(await rig.stage.hasVisit == false)
        #expect(await rig.stage.nextWake != nil && rig.lastWord() == true)
        try await rig.stop()
    }

    @Test func `nothing is woken before the output says which frame is heard when`() async throws {
        let rig = try Rig(AtHome.self)
        // A household begins, and wants a tick in a second; as the clock stands at frame 0, so many would be due at once.
        _ = try await rig.stage.report(.mark("here"), at: nil, from: .connection(1), ticket: nil)
        try await Task.sleep(for: .milliseconds(50))
        #expect(await rig.stage.events == 2)
        try await rig.stop()
    }
}
