import Files
import Glibc
import Live
import Logging
import Systemd
import Wire

/// The live engine from its start to its end, which SIGTERM and SIGINT bring about.
struct LiveService: Sendable {
    let source: SettingsSource
    let found: SettingsSource.Found
    let notifier: Notifier
    let logger: Logger
    /// The newest of what `logger` is told.
    let log: RecentLog

    /// Returns when it has stopped. Throws what keeps it from starting.
    func run() async throws {
        let deadline = StopDeadline(doing: "starts") { [logger] in Self.abort($0, logger) }
        let (requests, reloads) = AsyncStream.makeStream(of: ReloadRequest.self, bufferingPolicy: .bufferingOldest(16))
        let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
        // Trapped first: an early reload must not end the daemon.
        let traps = [await SignalTrap([SIGHUP]) { reloads.yield(.signal) },
                     await SignalTrap([SIGTERM, SIGINT]) { deadline.begin(); stopping.finish() }]
        defer { withExtendedLifetime(traps) {} }
        for warning in found.settings.warnings { logger.warning("\(warning)") }
        for issue in found.issues { logger.critical("\(issue)") }
        let live = try await Live.start(found.settings.live, issues: found.issues, notifier: notifier, logger: logger, log: log,
                                        reloads: reloads)
        notifier.ready()
        live.prepareAnswers()
        forgetStartUp()
        lockMemory()
        deadline.nowDoing("waits for a reload to be given up")
        let reloading = Task { await reload(live, at: requests) }
        for await _ in stop {}
        reloading.cancel()
        await reloading.value
        reloads.finish()
        notifier.stopping()
        deadline.begin()
        await live.stop(deadline)
        deadline.end()
    }

    /// Ends the process at once, without waiting for anything, not even the log.
    private static func abort(_ step: String, _ logger: Logger) {
        _ = try? BlockingWork.wait(.milliseconds(200)) {
            logger.critical("thrumd was to stop, and something does not let it end: it still \(step)")
        }
        _exit(74)
    }

    /// Reads the settings again as often as somebody asks for it, and keeps those that are in use.
    private func reload(_ live: Live, at requests: AsyncStream<ReloadRequest>) async {
        var current = found.settings
        var keeping = found.issues.isEmpty ? await keep(current, live) : nil
        for await request in requests {
            do {
                let (new, report) = try await reload(live, since: current)
                current = new
                keeping?.cancel()
                // Whoever was answered may pull the plug.
                keeping = await keep(new, live)
                request.answer(.done(report))
            } catch is CancellationError {
                request.answer(.givenUp)
            } catch {
                let faults = "\(error)".split(separator: "\n").map(String.init)
                for fault in faults {
                    logger.error("the settings are bad, and the ones before are kept", metadata: ["reason": "\(fault)"])
                }
                await live.complain(faults.map { "the settings are bad, and the ones before are kept: \($0)" })
                request.answer(.bad(faults))
            }
        }
        keeping?.cancel()
    }

    /// Has the engine use what can be changed while it plays. Throws `CancellationError`, or what is wrong; then nothing has changed.
    private func reload(_ live: Live, since current: DaemonSettings) async throws -> (DaemonSettings, ReloadReport) {
        notifier.reloading()
        defer { notifier.ready() }
        let new = try await BlockingWork.apart { [source, piece = found.settings.live.piece] in try source.read(running: piece) }
        let waiting = new.waitingForRestart(since: found.settings)
        try await live.change(to: new.live, waitingForStart: waiting)
        for warning in new.warnings { logger.warning("\(warning)") }
        if waiting.isEmpty {
            logger.notice("the settings have been read again")
        } else {
            logger.warning("the settings have been read again, but these count from the next start on",
                           metadata: ["keys": "\(waiting.joined(separator: ", "))"])
        }
        return (new, ReloadReport(changes: new.changes(since: current), waitingForStart: waiting, warnings: new.warnings))
    }

    /// How long a disk is waited for before the start goes on.
    private static let patience = Duration.seconds(1)

    /// Keeps what of `settings` is in use. Writes at once; if that fails, tries again later, because a full disk may get room. A stop waits
    /// for the first try.
    private func keep(_ settings: DaemonSettings, _ live: Live) async -> Task<Void, Never>? {
        // They are the other's.
        guard await !live.isSecond else { return nil }
        let last = source.lastGood(settings, start: found.settings)
        let first = Task { () -> (any Error)? in
            do {
                try await BlockingWork.apart(Self.patience) { [source] in try source.keep(last) }
                return nil
            } catch {
                return error
            }
        }
        guard let error = await first.value else {
            await live.lacksLastGood(because: nil)
            return nil
        }
        logger.warning("the settings cannot be kept for a start with bad ones, yet", metadata: ["reason": "\(error)"])
        await live.lacksLastGood(because: "\(error)")
        return Task {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                guard (try? await BlockingWork.apart(Self.patience, for: { [source] in try source.keep(last) })) == nil else {
                    await live.lacksLastGood(because: nil)
                    return logger.notice("the settings are kept for a start with bad ones")
                }
            }
        }
    }
}
