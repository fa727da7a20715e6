import ArgumentParser
import Experience
import Fields
import Files
import Wire

struct Thrum: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "thrum",
            abstract: "Record, render and examine visits to touchscreen artworks, and talk to the daemon that plays them.",
            discussion: """
                A session is recorded as a journal, a text file of events; `thrum render` makes it sound again, bit for bit.
                The daemon is `thrumd`. These commands talk to it through its socket: `send`, `status`, `watch`, `log`, `settings`, \
                `reload`, `schedule`, `clock`, `play`, `rehearse`, `replay`, `record`, `config`, `console`, `token`, `household`, \
                `ledger`, `kiosk`, `sessions key`, `theme use` and `theme watch`. The others need no daemon.

                FIRST STEPS
                  thrum demo                a minute of sound, and its picture
                  thrum status              how thrumd is, and what is wrong
                  thrum watch               what it does, live
                  thrum send chime.play name=unlock
                  thrum render newest       the last visit as a sound file

                ENVIRONMENT
                  THRUM_SOCKET  thrumd's control socket, where --socket names none
                """,
            version: version,
            subcommands: [
                Demo.self, Render.self, Measure.self, Compare.self, Picture.self, Verify.self, Sessions.self, Simulate.self,
                Telemetry.self, ChurnCommand.self, Haptic.self, ThemeCommand.self, ConfigCommand.self, ConsoleCommand.self,
                TokenCommand.self, HouseholdCommand.self, LedgerCommand.self, ListDevices.self, Send.self, Status.self, Watch.self,
                LogCommand.self, SettingsCommand.self, ReloadCommand.self, ScheduleCommand.self, ClockCommand.self, Play.self,
                Rehearse.self, ReplaySession.self, RecordSession.self, KioskCommand.self, Doctor.self, SupportCommand.self,
            ] + Pieces.current.commands)
    }

    static func main() async {
        StandardOutput.checkAtExit()
        // The words of the command line may be any bytes, and those that name files stay as they are; environment variables must be text.
        let faults = ProcessText.faults(inVariables: ProcessText.variables)
        guard faults.isEmpty else {
            warn(faults.map { "\($0)" }.joined(separator: "\n"))
            exit(withError: ExitCode.validationFailure)
        }
        let words = CommandWords.all
        if let shell = CompletionScript.shell(of: words) { return Swift.print(CompletionScript.text(of: self, for: shell)) }
        if let complaint = CommandGuess.complaint(about: words, of: self) {
            warn(complaint)
            exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try parseAsRoot(words)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch {
            let status = exitCode(for: error)
            // A request for help is no error; whoever threw an `ExitCode` has already printed the reason.
            guard status.rawValue != 0, !(error is ExitCode) else { exit(withError: error) }
            warn(CommandLineProblem.lines(fullMessage(for: error)).joined(separator: "\n"))
            exit(withError: status)
        }
    }
}

/// Finds command names that do not exist, and explains them. The argument parser would only say that a word is unexpected.
enum CommandGuess {
    /// Returns an error message where `words`, the words after the program's name, begin with a name that no command has. Nil where they
    /// name a command, or begin with something else that the argument parser handles, such as an option.
    static func complaint(about words: [String], of root: any ParsableCommand.Type) -> String? {
        var command = root
        var path = root._commandName
        // The words after `help` are names of commands, too.
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                let hint = Spelling.hint(for: word, among: commands.map { $0._commandName })
                return "\(path) has no command \"\(word)\"\(hint); \(path) --help lists them"
            }
            command = next
            path += " " + word
        }
        return nil
    }
}

/// The program `thrum` without its executable, so that tests can use it.
public enum ToolProgram {
    /// Runs the command line of this process. Returns after success; otherwise ends the process with an exit status.
    public static func main(pieces: [any Experience.Type]) async {
        await Pieces.$current.withValue(Pieces(pieces)) { await Thrum.main() }
    }
}

/// A set of pieces, and the requests that a daemon with these pieces accepts.
struct Pieces: Sendable {
    let all: [any Experience.Type]
    /// The methods that a daemon with these pieces accepts. They are collected at each call, because few commands need them.
    var methods: KnownMethods { KnownMethods(all.declarations) }
    /// The topics that a daemon with these pieces announces.
    var topics: TopicTable { TopicTable(all.declarations) }

    /// The pieces of this program. Tasks inherit this value, threads do not.
    @TaskLocal static var current = Pieces([])

    init(_ all: [any Experience.Type]) { self.all = all }
}
