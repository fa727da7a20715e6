import ArgumentParser
import Wire

struct Thrum: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "thrum",
            abstract: "Drive, render and look into the Thrum signal engine.",
            discussion: """
                A session is recorded as a journal, a text file of events; `thrum render` makes it sound again, bit for bit.
                The daemon is `thrumd`; `send`, `status`, `watch`, `play`, `replay` and `record` talk to it through its socket.
                """,
            version: version,
            subcommands: [
                Render.self, Picture.self, Verify.self, Sessions.self, Simulate.self, Telemetry.self, Haptic.self, ThemeCommand.self,
                ConfigCommand.self, TokenCommand.self, LedgerCommand.self, ListDevices.self, Send.self, Status.self, Watch.self, Play.self,
                ReplaySession.self, RecordSession.self, KioskCommand.self, Doctor.self,
            ] + Pieces.current.commands)
    }

    static func main() async {
        StandardOutput.checkAtExit()
        await main(CommandWords.all)
    }
}
