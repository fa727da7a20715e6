import ArgumentParser
import CLinux
import ControlSocket
import Escaping
import Experience
import Fields
import Files
import Live
import Logging
import SettingsFile
import Signals
import Systemd
import Wire

struct Thrumd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thrumd",
        abstract: "The Thrum daemon: plays the sound and haptics of a touchscreen artwork, live, and records each visit.",
        discussion: """
            Settings come from flags, then THRUM_… environment variables, then $XDG_CONFIG_HOME/thrum/thrum.yaml, then \
            /etc/thrum/thrum.yaml, in that order of precedence (docs/configuration.md). Front ends report events on the control \
            socket (docs/protocol.md); each visitor's session is kept as a journal (docs/journal.md). SIGHUP has the settings \
            read again.

            EXAMPLES
              thrumd --experience colorscroller --http 7400   the artwork at http://127.0.0.1:7400/
              thrumd --output null                            without sound, for trying out front ends
              thrumd --config thrum.yaml --check-config

            EXIT STATUS
              0 after SIGTERM or SIGINT, 64 for bad flags, 69 if the socket is taken, 70 if something broke, 74 if something kept it
              from stopping within 5 s, 78 for bad settings.
            """,
        version: version)

    /// The pieces there are.
    @TaskLocal static var pieces: [any Experience.Type] = []

    @Option(help: "A YAML file of settings. (default: $XDG_CONFIG_HOME/thrum/thrum.yaml over /etc/thrum/thrum.yaml)",
            completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Say whether the settings are good, and end.")
    var checkConfig = false

    @OptionGroup var flags: SettingFlags

    /// Runs the command line of this process.
    static func start() async {
        refuse(ProcessText.faults(inWords: ProcessText.words), .validationFailure)
        refuse(ProcessText.faults(inVariables: ProcessText.variables), ExitCode(78))
        do {
            let command = try parse()
            try await command.run()
        } catch {
            let status = exitCode(for: error)
            // Help is no error, and who throws a status has said why.
            guard status.rawValue != 0, !(error is ExitCode) else { exit(withError: error) }
            for line in CommandLineProblem.lines(fullMessage(for: error)) { writeToStandardError("thrumd: \(line)\n") }
            exit(withError: status)
        }
    }

    /// Ends the process where there are faults.
    private static func refuse(_ faults: [Fault], _ status: ExitCode) {
        guard !faults.isEmpty else { return }
        for fault in faults { writeToStandardError("thrumd: \(fault)\n") }
        exit(withError: status)
    }

    func run() async throws {
        let environment = Place.environment
        let passed: PassedSocket?
        do {
            passed = try PassedSocket.takeAll(environment).first
        } catch {
            throw failure("\(error)", ExitCode(78))
        }
        let source = SettingsSource(pieces: Self.pieces, table: SettingFlags.table, file: config, flags: flags.values,
                                    environment: environment, socket: passed)
        if checkConfig { return try check(source) }
        // Each thread would keep a heap of its own, with room that no other can use: a storm of 1,000 messages on every way in left 18 MiB
        // instead of 11.
        _ = mallopt(M_ARENA_MAX, 2)
        let found: SettingsSource.Found
        do {
            found = try source.find()
        } catch {
            throw failure("\(error)", ExitCode(78))
        }
        let (handler, log) = (JournalLogHandler.orStandardError(environment), RecentLog())
        LoggingSystem.bootstrap { RecentLogHandler(handler($0), log) }
        var logger = Logger(label: "thrumd")
        logger.logLevel = Logger.Level(rawValue: found.settings.live.values.log) ?? .info
        let service = LiveService(source: source, found: found, notifier: Notifier(environment), logger: logger, log: log)
        do {
            try await service.run()
        } catch let error as ControlSocketError {
            throw failure("\(error)", ExitCode(69))
        } catch {
            throw failure("\(error)", ExitCode(70))
        }
    }

    private func check(_ source: SettingsSource) throws {
        do {
            let settings = try source.read()
            guard settings.refused.isEmpty else { throw SettingsFaults(words: settings.refused) }
            for warning in settings.warnings { print("warning: \(warning)".printableLines) }
            let files = settings.files.isEmpty ? "no file at " + source.paths.map(\.string).joined(separator: " or ")
                : settings.files.map(\.path).joined(separator: ", ")
            print("settings are good: \(files)")
        } catch {
            throw failure("\(error)", ExitCode(78))
        }
    }

    /// A line for each line of `message`.
    private func failure(_ message: String, _ exit: ExitCode) -> ExitCode {
        for line in message.split(separator: "\n") { writeToStandardError("thrumd: \(line)\n") }
        return exit
    }
}
