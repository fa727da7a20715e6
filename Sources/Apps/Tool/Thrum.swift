import ArgumentParser
import Fields
import Wire

struct Thrum: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "thrum",
            abstract: "Record, render and examine visits to touchscreen artworks, and talk to the daemon that plays them.",
            discussion: """
                A session is recorded as a journal, a text file of events; `thrum render` makes it sound again, bit for bit.
                The daemon is `thrumd`. These commands talk to it through its socket: `send`, `status`, `watch`, `log`, `settings`, \
                `reload`, `schedule`, `play`, `rehearse`, `replay`, `record`, `config`, `token`, `ledger`, `theme use` and `theme watch`. \
                The others need no daemon.

                FIRST STEPS
                  thrum demo                a minute of sound, and its picture
                  thrum status              how thrumd is, and what is wrong
                  thrum watch               what it does, live
                  thrum send chime name=unlock
                  thrum render newest       the last visit as a sound file

                ENVIRONMENT
                  THRUM_SOCKET  thrumd's control socket, where --socket names none
                """,
            version: version,
            subcommands: [
                Demo.self, Render.self, Measure.self, Compare.self, Picture.self, Verify.self, Sessions.self, Simulate.self,
                Telemetry.self, Haptic.self, ThemeCommand.self, ConfigCommand.self, TokenCommand.self, HouseholdCommand.self,
                LedgerCommand.self, ListDevices.self, Send.self, Status.self, Watch.self, LogCommand.self, SettingsCommand.self,
                ReloadCommand.self,
                ScheduleCommand.self, Play.self, Rehearse.self, ReplaySession.self, RecordSession.self, KioskCommand.self, Doctor.self,
            ] + Pieces.current.commands)
    }

    static func main() async {
        StandardOutput.checkAtExit()
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
            // Help is no error, and who throws a status has said why.
            guard status.rawValue != 0, !(error is ExitCode) else { exit(withError: error) }
            warn(CommandLineProblem.lines(fullMessage(for: error)).joined(separator: "\n"))
            exit(withError: status)
        }
    }
}
