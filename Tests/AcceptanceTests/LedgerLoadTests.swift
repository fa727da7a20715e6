import Foundation
import Testing
import TestSupport

/// The ledger under load and kills, by clients in Python and SQLite's own shell.
@Suite struct LedgerLoadTests {
    private struct Report: Decodable {
        var requests: Int
        var entries: Int
        var refused: Int
        var lowest: Int
        var wrong: [String]
    }

    /// THRUMDEV_LEDGER_ACTIONS says how many actions there are, with a kill every four seconds; THRUMDEV_LEDGER_PROGRAM which program does them,
    /// for instance a release build.
    @Test func `whatever eight clients do at once, repeat and lose by kills counts once, sums to zero and overdraws nothing`() throws {
        let scratch = try Scratch()
        let environment = ProcessInfo.processInfo.environment
        let wanted = environment["THRUMDEV_LEDGER_ACTIONS"].flatMap { Int($0) }
        let kills = wanted == nil ? ["--kill-every", "0.5", "--kills", "2"] : ["--kill-every", "4"]
        let finished = try run("/usr/bin/python3", [
            repository + "/Tests/AcceptanceTests/ledger_load.py", "--program", environment["THRUMDEV_LEDGER_PROGRAM"] ?? Programs.metronomed,
            "--folder", scratch.path,
            "--actions", "\(wanted ?? 2_000)",
        ] + kills)
        #expect(finished.status == 0, "\(finished.errors)")
        print(finished.text, terminator: "")
        let report = try JSONDecoder().decode(Report.self, from: finished.output)
        #expect(report.wrong == [] && report.lowest >= 0)
        // A fifth are repeated, and some would overdraw.
        #expect(report.requests == wanted ?? 2_000 && report.refused > report.requests / 100)
        #expect(report.entries > report.requests / 3 && report.entries < report.requests * 9 / 10)
    }
}
