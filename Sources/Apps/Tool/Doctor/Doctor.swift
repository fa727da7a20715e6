import ArgumentParser
import Escaping

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

    /// The options that thrumd has as well, as words of its command line.
    var flags: [String] {
        [("--config", settings.config), ("--server", server), ("--socket", daemon.socket), ("--sessions", folder.sessions?.description)]
            .flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }
}

/// The finding about one thing that thrumd needs.
struct Diagnosis: Encodable {
    enum Check: String, Encodable { case daemon, sound, devices, limits, screens, kiosk, disk, config }

    enum Verdict: String, Encodable { case ok, warning, problem }

    var check: Check
    var verdict: Verdict
    var finding: String
    /// What to do about it; nil where nothing is to be done.
    var advice: String?

    static func ok(_ check: Check, _ finding: String) -> Diagnosis { Diagnosis(check: check, verdict: .ok, finding: finding) }

    static func warning(_ check: Check, _ finding: String, advice: String) -> Diagnosis {
        Diagnosis(check: check, verdict: .warning, finding: finding, advice: advice)
    }

    static func problem(_ check: Check, _ finding: String, advice: String) -> Diagnosis {
        Diagnosis(check: check, verdict: .problem, finding: finding, advice: advice)
    }

    /// The verdict and the finding for people, and under them the advice.
    var lines: [String] {
        let margin = String.spaces(8)
        // A device is called what its maker, or somebody else, has called it.
        let words = finding.printableLines.split(separator: "\n").joined(separator: "\n" + margin)
        return ["\(verdict.rawValue.padded(to: 8))\(check.rawValue): \(words)"] + (advice.map { [margin + $0] } ?? [])
    }

    private enum CodingKeys: CodingKey { case check, verdict, finding, advice }

    /// Encodes all four fields, the advice as null where there is none.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(finding, forKey: .finding)
        try container.encode(advice, forKey: .advice)
    }
}
