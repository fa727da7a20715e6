import ArgumentParser
import Experience
import Fields
import Settings
import Wire

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List thrumd's settings as they are in use, and where each is from.",
        discussion: """
            A line for each: its key, its value, and where it is from: a flag, a variable, a file with its line, the default, or by \
            hand. docs/configuration.md explains every key. Exit status 69 if thrumd cannot be reached.

            EXAMPLES
              thrum settings
              thrum settings --given
              thrum settings queue idle
              thrum settings --json | jq '.settings[] | select(.source == "file")'
            """)

    @Argument(help: "Only these keys.", completion: .custom { _, _, _ in SettingsCommand.keys })
    var key: [String] = []

    @Flag(help: "Only those that are not at their defaults.")
    var given = false

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    /// The keys of all settings that this program knows.
    static var keys: [String] { (try? SettingsTable(pieces: Pieces.current.all.declarations).entries.map(\.name)) ?? [] }

    func run() async throws {
        var list: SettingList = try await daemon.converse { try await $0.result(of: "setting.list") }
        let keys = list.settings.map(\.key)
        for key in key where !keys.contains(key) {
            throw failure("expected the key of a setting, found \"\(key)\"" + Spelling.hint(for: key, among: keys), .validationFailure)
        }
        list.settings = list.settings.filter { (key.isEmpty || key.contains($0.key)) && (!given || $0.source != .default) }
        if json { return print(try JSONReport.text(list)) }
        for line in SettingsText(list.settings).lines { print(line) }
    }
}

/// Settings as lines for people, in columns.
struct SettingsText {
    let lines: [String]

    /// The largest width, in columns, to which a value is padded. A longer value pushes the rest of its line to the right.
    private static let widest = 32

    init(_ settings: [SettingReport]) {
        let values = settings.map { $0.value + ($0.unit.map { " \($0)" } ?? "") }
        let keys = settings.map(\.key.columns).max() ?? 0
        let width = values.map(\.columns).filter { $0 <= Self.widest }.max() ?? 0
        lines = zip(settings, values).map { setting, value in
            let next = setting.next.map { "; \($0) from the next start on" } ?? ""
            return setting.key.padded(to: keys) + "  " + value.padded(to: width) + "  " + Self.origin(of: setting) + next
        }
    }

    private static func origin(of setting: SettingReport) -> String {
        switch setting.source {
        case .default: "default"
        case .hand: "by hand"
        case .card: "of the card \(setting.place ?? "")"
        case .lastGood: "as it was good last (\(setting.place ?? ""))"
        case .file, .variable, .flag: setting.place ?? setting.source.rawValue
        }
    }
}

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
        // Reading files from a slow disk may take thrumd this long.
        let report: ReloadReport = try await daemon.converse { try await $0.result(of: "setting.reload", delay: .seconds(10)) }
        if json { return print(try JSONReport.text(report)) }
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
