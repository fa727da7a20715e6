import AudioOutput
import ControlSocket
import Evdev
import Files
import JournalFile
import Logging
import NIOCore
import NIOPosix
import Realtime
import PatternWaveforms
import Signals
import SoundFile
import Synth
import SystemPackage
import Systemd

/// The whole engine in real time: socket, conductor, journal and sound, wired together.
public struct Live: Sendable {
    private let group: MultiThreadedEventLoopGroup
    /// The event loop of the HTTP server; nil where there is none.
    private let pages: MultiThreadedEventLoopGroup?
    private let stage: Stage
    private let waveforms: PatternWaveforms
    private let output: any AudioOutput
    private let recorder: JournalRecorder
    private let listeners: Listeners
    private let bell: any Channel
    private let devices: Devices

    /// Starts listening, and plays or waits for a sound server. `log` has the records of `logger`. `reloads` takes requests to reread the
    /// settings; nil where nobody handles them. Calls `restart`, on the event loop, when the daemon is to end and be started again; nil
    /// where no service manager would start it. `issues` are faults of the settings, in words. Throws `ControlSocketError`, and leaves
    /// nothing running then.
    public static func start(_ settings: LiveSettings, issues: [String] = [], notifier: Notifier = Notifier([:]),
                             logger: Logger, log: RecentLog = RecentLog(), reloads: AsyncStream<ReloadRequest>.Continuation? = nil,
                             restart: (@Sendable () -> Void)? = nil) async throws -> Live {
        let settings = settings.withReadableSounds().withKeptModel().withRateOfCard()
        // Slow work is finished before any client can connect.
        let digests = SoundDigests()
        let waveforms = PatternWaveforms(rate: settings.rate, hasTransducer: settings.hasTransducer) { path, pattern in
            do {
                let sound = try SoundFileReader.sound(of: path, at: settings.rate)
                digests.learn(sound.digest, of: path, in: pattern)
                return sound.samples
            } catch {
                logger.error("a pattern's sound cannot be read", metadata: ["file": "\(path)", "reason": "\(error)"])
                return nil
            }
        }
        for theme in settings.themes.values { waveforms.learn(theme) }
        waveforms.learn(settings.theme)
        let speech = SpeechTrack(rate: settings.rate)
        let spoken = speech.sound
        let engine = EngineSettings(settings.theme, rate: settings.rate, bank: waveforms.bank, speech: spoken)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        // Pages have an event loop of their own, so that they never delay touches.
        let pages = settings.http.map { _ in MultiThreadedEventLoopGroup(numberOfThreads: 1) }
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 8192)
        var report = OutputReport()
        // This report is shown until the render thread reports for the first time.
        report.state = settings.output.state
        let latest = Latest.make(report)
        let bells = Doorbells(render: Doorbell(), control: Doorbell())
        let signing = JournalSigning.Start(in: settings.state, digests, logger: logger)
        let recorder = JournalRecorder(directory: FilePath(settings.sessions), retention: settings.retention, signing: signing,
                                       logger: logger)
        let renderer = Renderer(engine, bank: waveforms.bank, speech: spoken, instructions: instructions.consumer,
                                notices: notices.producer, reports: latest.writer)
        let stage = Stage(settings, loop: loop, port: CommandPort(instructions.producer, bell: RenderBell(bells.render, on: loop)),
                          notices: notices.consumer, reports: latest.reader, frames: renderer.frames, speech: speech,
                          waveforms: waveforms, recorder: recorder, notifier: notifier, logger: logger, log: log, reloads: reloads,
                          restart: restart)
        await stage.open(issues: issues)
        // The devices are opened before any client can connect, so that the first answer lists them.
        let parts = settings.theme.motorParts(of: settings.piece.declaration)
        let devices = Devices(settings.devices, on: loop, parts: parts) { report in
            stage.assumeIsolated { $0.touched(report) }
        } switched: { report in
            stage.assumeIsolated { $0.switched(report) }
        } changed: { screens in
            loop.execute { stage.assumeIsolated { $0.follow(screens) } }
        } noticed: { logger.info("\($0)") }
        await stage.use(devices)
        let listeners: Listeners
        let bell: any Channel
        do {
            bell = try await BellHandler.listen(to: bells.control, on: loop) { stage.assumeIsolated { $0.hear() } }
            let recordings = RecordedSessions(in: SessionFolder(FilePath(settings.sessions)), [settings.piece],
                                              version: settings.version) { recorder.path }
            listeners = try await Listeners.open(settings, on: loop, pagesOn: pages?.next(), service: stage, recordings: recordings,
                                                 logger: logger) {
                stage.assumeIsolated { $0.status() }
            } rejected: { rejection in
                stage.assumeIsolated { $0.tell(rejection) }
            } opening: {
                await stage.use($0)
            }
        } catch {
            await recorder.finish()
            try? await pages?.shutdownGracefully()
            try? await group.shutdownGracefully()
            throw error
        }
        let output = settings.output.start(renderer, bells)
        devices.start()
        await stage.tick()
        return Live(group: group, pages: pages, stage: stage, waveforms: waveforms,
                    output: output, recorder: recorder, listeners: listeners, bell: bell, devices: devices)
    }

    /// Prepares answers that take long to make, after the start is complete. Takes about 50 ms.
    public func prepareAnswers() { _ = stage.document.get() }

    /// Takes over settings that were reread, as far as they may change while thrumd plays. `keys` are the keys of changed settings that
    /// need a restart. Throws `CancellationError` when the task is cancelled, and changes nothing then.
    public func change(to settings: LiveSettings, waitingForStart keys: [String]) async throws {
        // Slow work is not done on the event loop, where events would wait for it. Work that may wait for a disk is not done where a stop
        // would wait for it.
        let settings = try await BlockingWork.apart { [waveforms] in
            let settings = settings.withReadableSounds().withKeptModel()
            for theme in settings.themes.values { waveforms.learn(theme) }
            waveforms.learn(settings.theme)
            return settings
        }
        await stage.change(to: settings, waitingForStart: keys)
    }

    /// Stores the faults of settings that were reread. The status reports them until good settings are read.
    public func complain(_ issues: [String]) async { await stage.complain(issues) }

    /// Whether another process uses the same state directory. If so, this process writes nothing there.
    public var isSecond: Bool { get async { await stage.isSecond } }

    /// Has the status report why the settings in use were not stored for a start with bad settings. `reason` is nil where they were stored.
    public func lacksLastGood(because reason: String?) async { await stage.lacksLastGood(because: reason) }

    /// Fades out, closes the journal, and releases everything. Names each step to `deadline`.
    public func stop(_ deadline: StopDeadline) async {
        deadline.nowDoing("closes the ways in")
        await listeners.close()
        deadline.nowDoing("ends the session")
        let fade = await stage.endSession()
        let finishKeeping = await stage.keep()
        deadline.nowDoing("lets go of the devices")
        devices.stop()
        deadline.nowDoing("stops the sound output")
        // The fade must have been heard before the stream is closed.
        if fade > 0 { try? await Task.sleep(nanoseconds: UInt64(fade) + 50_000_000) }
        output.stop()
        // The render thread's last notices must get into the journal.
        await stage.finish()
        try? await bell.close()
        deadline.nowDoing("waits for the journal's disk")
        await recorder.finish()
        deadline.nowDoing("waits for the disk of the state directory")
        finishKeeping()
        deadline.nowDoing("ends the event loops")
        // Clients that are still connected leave on the pages' loop, which then notifies the other loop.
        try? await pages?.shutdownGracefully()
        try? await group.shutdownGracefully()
    }
}
