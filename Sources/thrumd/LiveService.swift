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
        if found.trouble == nil { keep(found.settings) }
        // Ends by cancellation too; either way the engine is to be let down softly.
        await cancelWhenGracefulShutdown {
            for await _ in hangups { await reload(live) }
        }
        notifier.stopping()
        await live.stop()
    }

    private func reload(_ live: Live) async {
        notifier.reloading()
        defer { notifier.ready() }
        do {
            let new = try source.read()
            let waiting = new.waitingForRestart(since: found.settings)
            await live.change(to: new.live, waitingForStart: waiting)
            for warning in new.warnings { logger.warning("\(warning)") }
            if waiting.isEmpty {
                keep(new)
                logger.notice("the settings have been read again")
            } else {
                logger.warning("the settings have been read again, but these count from the next start on",
                               metadata: ["keys": "\(waiting.joined(separator: ", "))"])
            }
        } catch {
            let words = "\(error)".split(separator: "\n").joined(separator: "; ")
            logger.error("the settings are bad, and the ones before are kept", metadata: ["reason": "\(words)"])
            await live.complain("the settings are bad, and the ones before are kept: \(words)")
        }
    }

    private func keep(_ settings: Settings) {
        do {
            try source.keep(settings)
        } catch {
            logger.warning("the settings cannot be kept for a start with bad ones", metadata: ["reason": "\(error)"])
        }
    }
}
