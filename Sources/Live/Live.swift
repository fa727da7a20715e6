import AudioOutput
import ControlSocket
import Logging
import NIOCore
import NIOPosix
import Realtime
import Signals
import Synth
import SystemPackage

/// The whole engine in real time: socket, conductor, journal and sound, wired together.
public struct Live: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let stage: Stage
    private let output: any AudioOutput
    private let recorder: JournalRecorder
    private let server: ControlServer
    private let ticking: RepeatedTask
    /// What the sound server holds, in nanoseconds.
    private let buffered: UInt64

    /// Listens, and plays or waits for a sound server. Throws `ControlSocketError`; then nothing is left running.
    public static func start(_ settings: LiveSettings, logger: Logger) async throws -> Live {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let ring = Ring.make(of: StampedCommand.self, capacity: 4096)
        let latest = Latest.make(RenderReport())
        let recorder = JournalRecorder(directory: FilePath(settings.sessions), logger: logger)
        let stage = Stage(settings, loop: loop, commands: ring.producer, reports: latest.reader, recorder: recorder,
                          logger: logger)
        let server: ControlServer
        do {
            server = try await ControlServer.listen(on: settings.socket, loop: loop, service: stage)
        } catch {
            await recorder.finish()
            try? await group.shutdownGracefully()
            throw error
        }
        let renderer = Renderer(EngineSettings(settings.theme, rate: settings.rate), commands: ring.consumer,
                                reports: latest.writer)
        let output: any AudioOutput = switch settings.output {
        case .pulse(let pulse): PulseOutput(renderer, pulse)
        case .null: NullOutput(renderer)
        }
        let ticking = loop.scheduleRepeatedTask(initialDelay: .milliseconds(100), delay: .milliseconds(100)) { _ in
            stage.assumeIsolated { $0.tick() }
        }
        logger.info("listening", metadata: ["socket": "\(settings.socket)", "output": "\(settings.output.kind)"])
        var buffered: UInt64 = 0
        if case .pulse(let pulse) = settings.output { buffered = UInt64(pulse.buffer.rawValue * 1e9) }
        return Live(group: group, stage: stage, output: output, recorder: recorder, server: server, ticking: ticking,
                    buffered: buffered)
    }

    /// Fades out, closes the journal, lets go of everything.
    public func stop() async {
        await server.close()
        let fade = await stage.endSession()
        // What the sound server still holds must have been played before the stream is taken from it.
        if fade > 0 { try? await Task.sleep(nanoseconds: UInt64(fade) + buffered + 100_000_000) }
        ticking.cancel()
        output.stop()
        await recorder.finish()
        try? await group.shutdownGracefully()
    }
}
