import ArgumentParser
import CLinux
import ControlSocket
import Escaping
import Experience
import Fields
import Files
import Glibc
import Live
import Logging
import Settings
import SettingsFile
import Systemd
import Wire

/// The program `thrumd` without its executable, so that tests can use it.
public enum DaemonProgram {
    /// Runs the command line of this process. Returns when the daemon has stopped; if it fails, ends the process with an exit status.
    public static func main(pieces: [any Experience.Type]) async {
        let table: SettingsTable
        do {
            table = try SettingsTable(pieces: pieces.map { $0.declaration })
        } catch {
            writeToStandardError("thrumd: \(error)\n")
            exit(70)
        }
        await Thrumd.$pieces.withValue(pieces) {
            await SettingFlags.$table.withValue(table) { await Thrumd.start() }
        }
    }
}

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
              from stopping within 5 s, 75 if an operator asked for a new start, 78 for bad settings.
            """,
        version: version)

    /// The pieces that the daemon can play.
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
            // A request for help is no error; whoever threw an `ExitCode` has already printed the reason.
            guard status.rawValue != 0, !(error is ExitCode) else { exit(withError: error) }
            for line in CommandLineProblem.lines(fullMessage(for: error)) { writeToStandardError("thrumd: \(line)\n") }
            exit(withError: status)
        }
    }

    /// Prints `faults` and ends the process with `status`. Does nothing if there are none.
    private static func refuse(_ faults: [Fault], _ status: ExitCode) {
        guard !faults.isEmpty else { return }
        for fault in faults { writeToStandardError("thrumd: \(fault)\n") }
        exit(withError: status)
    }

    func run() async throws {
        let environment = DefaultPaths.environment
        let passed: PassedSocket?
        do {
            passed = try PassedSocket.takeAll(environment).first
        } catch {
            throw failure("\(error)", ExitCode(78))
        }
        let source = SettingsSource(pieces: Self.pieces, table: SettingFlags.table, file: config, flags: flags.values,
                                    environment: environment, socket: passed)
        if checkConfig { return try check(source) }
        // glibc would keep a heap for each thread, whose free space no other thread can use. A storm of 1,000 messages on every listener
        // left 18 MiB that way, and leaves 11 MiB with two heaps.
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
        let ending: LiveService.Ending
        do {
            ending = try await service.run()
        } catch let error as ControlSocketError {
            throw failure("\(error)", ExitCode(69))
        } catch {
            throw failure("\(error)", ExitCode(70))
        }
        // Not 0, so that a manager that starts only what has failed starts this, too. EX_TEMPFAIL of sysexits.h: to be tried again.
        if ending == .restart { throw ExitCode(75) }
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

    /// Prints each line of `message` to standard error, after the program's name. Returns the status to throw.
    private func failure(_ message: String, _ exit: ExitCode) -> ExitCode {
        for line in message.split(separator: "\n") { writeToStandardError("thrumd: \(line)\n") }
        return exit
    }
}

/// The flags of the command line, one for each setting. Flags win over all other sources of settings.
struct SettingFlags: ParsableArguments, CustomReflectable {
    /// The table of all settings. It is static because the parser creates this type without arguments.
    @TaskLocal static var table = SettingsTable()

    /// The values of the flags that were given, as text, by the setting's name.
    let values: [String: String]

    private static var entries: [SettingEntry] { table.entries.filter(\.hasFlag) }

    init() { values = [:] }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Fields.Key.self)
        var values: [String: String] = [:]
        for entry in Self.entries {
            values[entry.name] = try container.decode(Option<String?>.self, forKey: Fields.Key(entry.name)).wrappedValue
        }
        self.values = values
    }

    /// The properties that the parser looks for by reflection. They make each flag look like an `@Option` property.
    var customMirror: Mirror {
        Mirror(self, children: Self.entries.map { ($0.name, Self.option($0)) }, displayStyle: .struct)
    }

    private static func option(_ entry: SettingEntry) -> Option<String?> {
        let completion: CompletionKind? = switch entry.shape {
        case .choice(let choices): .list(choices)
        case .file: .file()
        case .directory: .directory
        case .number, .whole, .text, .mapping: nil
        }
        return Option(name: .customLong(entry.name), parsing: entry.shape.allowsNegative ? .unconditional : .next,
                      help: ArgumentHelp(entry.summary), completion: completion)
    }
}
