import Dispatch
import Files
import Glibc
import Live
import Logging
import ServiceLifecycle
import Systemd
import UnixSignals

/// The live engine as a service of the service group.
struct LiveService: Service, CustomStringConvertible {
    let source: SettingsSource
    let found: SettingsSource.Found
    let notifier: Notifier
    let logger: Logger

    /// For the log, instead of the whole value.
    var description: String { "live" }

    func run() async throws {
        // Installed first: an early reload must not end the daemon.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        let deadline = StopDeadline(doing: "starts") { Self.abort($0, logger) }
        let stops = Self.onStop { deadline.begin() }
        defer { stops.forEach { $0.cancel() } }
        for warning in found.settings.warnings { logger.warning("\(warning)") }
        if let issue = found.issue { logger.critical("\(issue)") }
        let live = try await Live.start(found.settings.live, issue: found.issue, notifier: notifier, logger: logger)
        notifier.ready()
        forgetStartUp()
        lockMemory()
        deadline.nowDoing("waits for a reload to be given up")
        // Cancellation ends it, too; the engine fades out either way.
        await cancelWhenGracefulShutdown {
            var keeping = found.issue == nil ? await keep(found.settings) : nil
            for await _ in hangups {
                guard let new = await reload(live) else { continue }
                keeping?.cancel()
                keeping = await keep(new)
            }
            keeping?.cancel()
        }
        notifier.stopping()
        deadline.begin()
        await live.stop(deadline)
        deadline.end()
    }

    /// In addition to the service group's handling of these signals, which needs threads that may be blocked.
    private static func onStop(_ begin: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "stop signals")
        return [SIGTERM, SIGINT].map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler(handler: begin)
            source.activate()
            return source
        }
    }

    /// Ends the process at once, without waiting for anything, not even the log.
    private static func abort(_ step: String, _ logger: Logger) {
        _ = try? BlockingWork.wait(.milliseconds(200)) {
            logger.critical("thrumd was to stop, and something does not let it end: it still \(step)")
        }
        _exit(74)
    }

    /// Returns the new settings if all of them are in use now.
    private func reload(_ live: Live) async -> DaemonSettings? {
        notifier.reloading()
        defer { notifier.ready() }
        do {
            let new = try await BlockingWork.apart { [source, piece = found.settings.live.piece] in try source.read(running: piece) }
            let waiting = new.waitingForRestart(since: found.settings)
            try await live.change(to: new.live, waitingForStart: waiting)
            for warning in new.warnings { logger.warning("\(warning)") }
            guard waiting.isEmpty else {
                logger.warning("the settings have been read again, but these count from the next start on",
                               metadata: ["keys": "\(waiting.joined(separator: ", "))"])
                return nil
            }
            logger.notice("the settings have been read again")
            return new
        } catch is CancellationError {
            return nil
        } catch {
            let words = "\(error)".split(separator: "\n").joined(separator: "; ")
            logger.error("the settings are bad, and the ones before are kept", metadata: ["reason": "\(words)"])
            await live.complain("the settings are bad, and the ones before are kept: \(words)")
            return nil
        }
    }

    /// How long a disk is waited for before the start goes on.
    private static let patience = Duration.seconds(1)

    /// Writes at once; if that fails, tries again later, because a full disk may get room. A stop waits for the first try.
    private func keep(_ settings: DaemonSettings) async -> Task<Void, Never>? {
        let first = Task { () -> (any Error)? in
            do {
                try await BlockingWork.apart(Self.patience) { [source] in try source.keep(settings) }
                return nil
            } catch {
                return error
            }
        }
        guard let error = await first.value else { return nil }
        logger.warning("the settings cannot be kept for a start with bad ones, yet", metadata: ["reason": "\(error)"])
        return Task {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                guard (try? await BlockingWork.apart(Self.patience, for: { [source] in try source.keep(settings) })) == nil else {
                    return logger.notice("the settings are kept for a start with bad ones")
                }
            }
        }
    }
}
