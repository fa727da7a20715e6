import ArgumentParser
import Wire

struct Thrum: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "thrum",
            abstract: "Drive, render and look into the Thrum signal engine.",
            discussion: """
                A session is recorded as a journal, a text file of events; `thrum render` makes it sound again, bit for bit.
                The daemon is `thrumd`; `send`, `status`, `watch`, `log`, `settings`, `reload`, `schedule`, `play`, `rehearse`, `replay` \
                and `record` talk to it through its socket.

                ENVIRONMENT
                  THRUM_SOCKET  thrumd's control socket, where --socket names none
                """,
            version: version,
            subcommands: [
                Demo.self, Render.self, Measure.self, Compare.self, Picture.self, Verify.self, Sessions.self, Simulate.self,
                Telemetry.self, Haptic.self, ThemeCommand.self, ConfigCommand.self, TokenCommand.self, LedgerCommand.self,
                ListDevices.self, Send.self, Status.self, Watch.self, LogCommand.self, SettingsCommand.self, ReloadCommand.self,
                ScheduleCommand.self, Play.self, Rehearse.self, ReplaySession.self, RecordSession.self, KioskCommand.self, Doctor.self,
            ] + Pieces.current.commands)
    }

    static func main() async {
        StandardOutput.checkAtExit()
        let words = CommandWords.all
        if let shell = CompletionScript.shell(of: words) { return print(CompletionScript.text(of: self, for: shell)) }
        if let complaint = CommandGuess.complaint(about: words, of: self) {
            warn(complaint)
            exit(withError: ExitCode.validationFailure)
        }
        await main(words)
    }
}
