import Live
import Logging
import ServiceLifecycle
import Systemd
import UnixSignals

/// The live engine, from the service group's point of view.
struct LiveService: Service, CustomStringConvertible {
    let source: SettingsSource
    let found: SettingsSource.Found
    let notifier: Notifier
    let logger: Logger

    /// For the log, which would otherwise have the whole theme in every line.
    var description: String { "live" }

    func run() async throws {
        // From the first moment on: a reload that comes too early must not end the daemon.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        for warning in found.settings.warnings { logger.warning("\(warning)") }
        if let trouble = found.trouble { logger.critical("\(trouble)") }
        let live = try await Live.start(found.settings.live, trouble: found.trouble, notifier: notifier, logger: logger)
        notifier.ready()
        // Ends by cancellation too; either way the engine is to be let down softly.
        await cancelWhenGracefulShutdown {
            var keeping = found.trouble == nil ? keep(found.settings) : nil
            for await _ in hangups {
                guard let new = await reload(live) else { continue }
                keeping?.cancel()
                keeping = keep(new)
            }
            keeping?.cancel()
        }
        notifier.stopping()
        await live.stop()
    }

    /// Returns settings that are all in use.
    private func reload(_ live: Live) async -> Settings? {
        notifier.reloading()
        defer { notifier.ready() }
        do {
            let new = try source.read()
            let waiting = new.waitingForRestart(since: found.settings)
            await live.change(to: new.live, waitingForStart: waiting)
            for warning in new.warnings { logger.warning("\(warning)") }
            guard waiting.isEmpty else {
                logger.warning("the settings have been read again, but these count from the next start on",
                               metadata: ["keys": "\(waiting.joined(separator: ", "))"])
                return nil
            }
            logger.notice("the settings have been read again")
            return new
        } catch {
            let words = "\(error)".split(separator: "\n").joined(separator: "; ")
            logger.error("the settings are bad, and the ones before are kept", metadata: ["reason": "\(words)"])
            await live.complain("the settings are bad, and the ones before are kept: \(words)")
            return nil
        }
    }

    /// At once if it can be; else what tries again, as a full disk may have room later.
    private func keep(_ settings: Settings) -> Task<Void, Never>? {
        do {
            try source.keep(settings)
            return nil
        } catch {
            logger.warning("the settings cannot be kept for a start with bad ones, yet", metadata: ["reason": "\(error)"])
        }
        return Task {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                guard (try? source.keep(settings)) == nil else { return logger.notice("the settings are kept for a start with bad ones") }
            }
        }
    }
}
