import ArgumentParser
import FoundationEssentials
import Wire

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have thrumd read its settings again, and say what changed.",
        discussion: """
            What can change while it plays counts at once, without a click. For the rest it says which keys wait for the next start. \
            If the settings are bad, nothing changes, and each fault is told with its line: exit status 65. Exit status 69 if \
            thrumd cannot be reached.

            EXAMPLES
              thrum reload
              thrum reload --json | jq .waitingForStart
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let line = try Message(method: "setting.reload", pairs: []).line(id: 1)
        // Files on a slow disk are waited for.
        let report = try await daemon.converse {
            try JSONDecoder().decode(Answer<ReloadReport>.self, from: Data(try await $0.ask(line, delay: .seconds(10)))).result
        }
        if json { return print(try prettyJSON(report)) }
        for line in Self.lines(report) { print(line) }
    }

    static func lines(_ report: ReloadReport) -> [String] {
        let changes = report.changes.map { change in
            change.former == change.value ? "changed  \(change.key): what \(change.value) stands for"
                : "changed  \(change.key): \(change.former) → \(change.value)"
        }
        let waiting = report.waitingForStart.map { "waiting  \($0): counts from the next start on" }
        let all = changes + waiting + report.warnings.map { "warning  \($0)" }
        return all.isEmpty ? ["nothing has changed"] : all
    }
}
