import ArgumentParser
import FoundationEssentials
import Wire

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how thrumd is.",
        discussion: "Exit status 0 if all is well, 1 if there is trouble, 69 if thrumd cannot be reached.")

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let line = try Message(method: "status", pairs: []).line(id: 1)
        let status = try await daemon.converse {
            try JSONDecoder().decode(Answer<StatusReport>.self, from: Data(try await $0.ask(line))).result
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(status), as: UTF8.self))
        } else {
            print(Self.lines(status).joined(separator: "\n"))
        }
        if !status.troubles.isEmpty { throw ExitCode(1) }
    }

    private static func lines(_ status: StatusReport) -> [String] {
        var lines = [
            "thrumd \(status.version), up \(Report.fixed(status.uptimeSeconds, 0)) s, clients: \(status.clients)",
            "output   \(status.output.kind), \(status.output.state), \(status.output.sampleRate) Hz, "
                + "underruns: \(status.output.underruns)",
        ]
        if let session = status.session {
            lines.append("session  \(Report.fixed(session.seconds, 1)) s, events: \(session.events)"
                + (session.isHeld ? ", held" : "") + (session.journal.map { ", \($0)" } ?? ""))
        } else {
            lines.append("session  none; sessions so far: \(status.sessions)")
        }
        lines.append("haptics  \(status.haptics.state), patterns asked for: \(status.haptics.patterns)")
        return lines + status.troubles.map { "TROUBLE  \($0)" }
    }
}
