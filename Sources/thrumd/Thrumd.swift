import ArgumentParser
import ControlSocket
import Live
import Logging
import ServiceLifecycle
import Wire

@main
struct Thrumd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thrumd",
        abstract: "The Thrum signal engine: touch and feed events in, sound out.",
        discussion: """
            Settings come from flags, then THRUM_… environment variables, then a YAML file, in that order of precedence \
            (docs/configuration.md). Front ends report events on the control socket (docs/protocol.md); each visitor's \
            session is kept as a journal (docs/journal.md).

            EXIT STATUS
              0 after SIGTERM or SIGINT, 64 for bad flags, 69 if the socket is taken, 70 if something broke, 78 for bad
              settings.
            """,
        version: version)

    @OptionGroup var flags: Flags

    func run() async throws {
        let settings: Settings
        do {
            settings = try await Settings(flags)
        } catch {
            throw failure("\(error)", ExitCode(78))
        }
        if flags.checkConfig {
            for warning in settings.warnings { print("warning: \(warning)") }
            print("settings are good")
            return
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "thrumd")
        logger.logLevel = settings.logLevel
        for warning in settings.warnings { logger.warning("\(warning)") }
        lockMemory()
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(
            services: [LiveService(settings: settings.live, logger: logger)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do {
            try await group.run()
        } catch let error as ControlSocketError {
            throw failure("\(error)", ExitCode(69))
        } catch {
            throw failure("\(error)", ExitCode(70))
        }
    }

    private func failure(_ message: String, _ exit: ExitCode) -> ExitCode {
        writeToStandardError("thrumd: \(message)\n")
        return exit
    }
}

/// The live engine, from the service group's point of view.
private struct LiveService: Service, CustomStringConvertible {
    let settings: LiveSettings
    let logger: Logger

    /// For the log, which would otherwise have the whole theme in every line.
    var description: String { "live" }

    func run() async throws {
        let live = try await Live.start(settings, logger: logger)
        // Ends by cancellation too; either way the engine is to be let down softly.
        try? await gracefulShutdown()
        await live.stop()
    }
}
