import AudioOutput
import ControlSocket
import Evdev
import Haptics
import Logging
import NIOCore
import NIOPosix
import Realtime
import Signals
import SoundFile
import Synth
import SystemPackage

/// The whole engine in real time: socket, conductor, journal and sound, wired together.
public struct Live: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let stage: Stage
    private let output: any AudioOutput
    private let recorder: JournalRecorder
    private let doors: Doors
    private let bell: any Channel
    private let devices: Devices

    /// Listens, and plays or waits for a sound server. Throws `ControlSocketError`; then nothing is left running.
    public static func start(_ settings: LiveSettings, logger: Logger) async throws -> Live {
        // What takes long comes before anybody can connect.
        let bank = WaveformBank(
            sounds: settings.theme.sounds(at: settings.rate) { path in
                do {
                    return try SoundFileReader.samples(of: path, at: settings.rate)
                } catch {
                    logger.error("a pattern's sound cannot be read", metadata: ["file": "\(path)", "reason": "\(error)"])
                    return nil
                }
            },
            touches: settings.hasTransducer ? settings.theme.touches(at: settings.rate) : nil)
        let engine = EngineSettings(settings.theme, rate: settings.rate, bank: bank)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 8192)
        let latest = Latest.make(OutputReport())
        let bells = Doorbells(render: Doorbell(), control: Doorbell())
        let recorder = JournalRecorder(directory: FilePath(settings.sessions), logger: logger)
        let renderer = Renderer(engine, bank: bank, instructions: instructions.consumer,
                                notices: notices.producer, reports: latest.writer)
        let stage = Stage(settings, loop: loop, port: CommandPort(instructions.producer, bell: bells.render),
                          notices: notices.consumer, reports: latest.reader, levels: renderer.levels,
                          recorder: recorder, logger: logger)
        let doors: Doors
        let bell: any Channel
        do {
            bell = try await BellHandler.listen(to: bells.control, on: loop) { stage.assumeIsolated { $0.hear() } }
            doors = try await Doors.open(settings, on: loop, service: stage)
        } catch {
            await recorder.finish()
            try? await group.shutdownGracefully()
            throw error
        }
        let output: any AudioOutput = switch settings.output {
        case .pulse(let pulse): PulseOutput(renderer, pulse, bells: bells)
        case .null: NullOutput(renderer, bells: bells)
        }
        let devices = Devices(settings.devices, on: loop, patterns: settings.theme.patternsByUrgency) { report in
            stage.assumeIsolated { $0.touched(report) }
        } noticed: { logger.info("\($0)") }
        await stage.use(devices)
        devices.start()
        await stage.tick()
        doors.log(settings, to: logger)
        return Live(group: group, stage: stage, output: output, recorder: recorder, doors: doors, bell: bell, devices: devices)
    }

    /// Fades out, closes the journal, lets go of everything.
    public func stop() async {
        await doors.close()
        let fade = await stage.endSession()
        devices.stop()
        // The fade must have been heard before the stream is taken from the server.
        if fade > 0 { try? await Task.sleep(nanoseconds: UInt64(fade) + 50_000_000) }
        output.stop()
        // What the render thread said last belongs in the journal.
        await stage.hear()
        try? await bell.close()
        await recorder.finish()
        try? await group.shutdownGracefully()
    }
}

extension Theme {
    /// What answers to a hand must be ready first.
    fileprivate var patternsByUrgency: [(name: String, pattern: HapticPattern)] {
        let urgent = ["touch-down", "touch-up", "swipe"]
        let names = urgent + haptics.keys.filter { !urgent.contains($0) }.sorted()
        return names.compactMap { name in haptics[name].map { (name, $0) } }
    }
}
