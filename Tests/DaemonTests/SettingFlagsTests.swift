import ArgumentParser
import Settings
import Testing

@testable import Daemon

/// The command line of thrumd, without a process.
@Suite struct SettingFlagsTests {
    private func withTable<Result>(_ body: () throws -> Result) throws -> Result {
        try SettingFlags.$table.withValue(try .ofDaemon(), operation: body)
    }

    private func flags(_ words: String...) throws -> [String: String] { try withTable { try Thrumd.parse(words).flags.values } }

    /// What the parser says about bad words.
    private func complaint(_ words: String...) throws -> String {
        try withTable {
            do {
                _ = try Thrumd.parse(words)
                return ""
            } catch {
                return Thrumd.message(for: error)
            }
        }
    }

    @Test func `flags are those that were given, by their keys`() throws {
        #expect(try flags() == [:])
        #expect(try flags("--idle", "3", "--sink-latency=7", "--check-config") == ["idle": "3", "sink-latency": "7"])
        #expect(try flags("--idle", "3", "--idle", "4") == ["idle": "4"])
    }

    @Test func `a level below zero is a value and no flag`() throws {
        #expect(try flags("--ceiling", "-6") == ["ceiling": "-6"])
    }

    @Test func `a flag that is none is told, with the one that was likely meant, and so is a missing value`() throws {
        #expect(try complaint("--idel", "3") == "Unknown option '--idel'. Did you mean '--idle'?")
        #expect(try complaint("--idle").hasPrefix("Missing value for '--idle <idle>'"))
        #expect(try complaint("--force-unlock-all", "yes").hasPrefix("Unknown option '--force-unlock-all'"), "knobs have none")
    }

    @Test func `every key but a knob and a mapping has a flag, whose help names its default, and every flag a key`() throws {
        let help = try withTable { Thrumd.helpMessage(columns: 100) }
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let table = try SettingsTable.ofDaemon()
        for setting in table.settings.map(\.entry) {
            let own = words.split(separator: "--\(setting.name) <").last?.split(separator: " --").first ?? ""
            #expect(own.contains("(default: \(setting.standard))"), "\(setting.name): \(own)")
        }
        let flags = Set(words.matches(of: #/ --([a-z-]+) </#).map { String($0.1) })
        #expect(flags == Set(table.settings.map(\.entry.name) + ["config"]))
        #expect(words.contains("--idle <idle> Time without events after which a session ends, 0.1 to 86400 s. (default: 45)"))
    }

    @Test(arguments: [CompletionShell.bash, .zsh, .fish])
    func `shells complete flags and what is to be chosen from`(shell: CompletionShell) throws {
        let script = try withTable { Thrumd.completionScript(for: shell) }
        for word in ["sink-latency", "check-config", "critical", "colorscroller"] { #expect(script.contains(word), "\(word)") }
    }
}
