import ArgumentParser

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether everything is there that thrumd needs, and say what to do about what is not.",
        discussion: """
            Looks at the daemon, the sound server and the cards, input devices, real-time limits, screens and what draws on them, the \
            disk and the settings. What is allowed depends on the user: run it as the one who runs thrumd, and with the flags and \
            variables that thrumd has. Exit status 0 if there is no problem, though there may be warnings; 1 otherwise.

            EXAMPLES
              thrum doctor
              thrum doctor --config /etc/thrum/thrum.yaml --sessions /var/lib/thrum/sessions
              thrum doctor --json | jq '.[] | select(.verdict == "problem")'
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var settings: SettingsOption

    @Option(help: "PulseAudio server. (default: the user's own)")
    var server: String?

    @OptionGroup var daemon: DaemonSocket

    @OptionGroup var folder: SessionsOption

    func run() async throws {
        let (status, findings) = await checkDaemon()
        let diagnoses = findings + checkSound(status) + checkDevices(status) + checkLimits(status) + checkScreens()
            + [checkDisk(), checkConfig()]
        if json {
            print(try JSONReport.text(diagnoses))
        } else {
            print(diagnoses.flatMap(\.lines).joined(separator: "\n"))
        }
        if diagnoses.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
    }

    /// The options that this command shares with thrumd, as words of thrumd's command line.
    var flags: [String] {
        [("--config", settings.config), ("--server", server), ("--socket", daemon.socket), ("--sessions", folder.sessions?.description)]
            .flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }
}
