import Foundation
import Testing
import TestSupport

/// The questions of docs/fleet.md, asked of a real table that real programs have filled from journals whose content is known.
@Suite struct CuratorQuestionsTests {
    private struct Visit {
        let hall: String
        let started: String
        var theme = "standard"
        let scrolls: Int
        /// The scrolls at which an unlock is heard, of the first ones.
        var unlocks = 0
        /// The lines of discontinuities.
        var discontinuities: [String] = []
        /// The length in seconds, and how it ended; nil for a visit that was cut off.
        let end: (seconds: Int, how: String)?

        var rows: Int { 1 + scrolls + discontinuities.count + (end == nil ? 0 : 1) }

        /// The journal: a scroll a second.
        func text(header: String) -> String {
            let lines = (1...scrolls).map { index in
                let cues = index <= unlocks ? #","cues":[{"cue":"chime","name":"unlock"},{"cue":"haptic","name":"unlock"}]"# : ""
                return #"{"frame":\#(index * 48_000),"event":"feed.scroll","client":1,"index":\#(index)\#(cues)}"#
            }
            let last = end.map { [#"{"frame":\#($0.seconds * 48_000),"end":"\#($0.how)"}"#] } ?? []
            return ([header] + lines + discontinuities + last).joined(separator: "\n") + "\n"
        }
    }

    private func header(_ visit: Visit) throws -> String {
        let simulated = try thrum("simulate", "--seed", "7", "--turns", "0", "-o", "-")
        let line = try String(#require(simulated.text.split(separator: "\n").first))
        #expect(line.contains(#""name":"standard""#) && line.contains(#""started":"simulated""#), "\(line)")
        return line.replacing(#""started":"simulated""#, with: #""started":"\#(visit.started)""#)
            .replacing(#""name":"standard""#, with: #""name":"\#(visit.theme)""#).replacing(/,"sum":"[0-9a-f]{8}"/, with: "")
    }

    @Test func `the ten questions of docs fleet md have their answers`() async throws {
        let now = ISO8601DateFormatter().string(from: Date())
        let visits = [
            Visit(hall: "hall-1", started: "2026-01-01T12:00:00Z", scrolls: 3, unlocks: 1, end: (120, "idle")),
            Visit(hall: "hall-1", started: "2026-01-01T12:30:00Z", theme: "night", scrolls: 5, unlocks: 2, end: (60, "request")),
            // One gap, which has two lines.
            Visit(hall: "hall-1", started: "2026-01-02T08:30:00Z", theme: "night", scrolls: 4,
                  discontinuities: [#"{"frame":240000,"discontinuity":"gap"}"#, #"{"frame":240000,"discontinuity":"gap","frames":48000}"#], end: (300, "idle")),
            Visit(hall: "hall-2", started: "2026-01-02T23:15:00Z", scrolls: 2, discontinuities: [#"{"frame":96000,"discontinuity":"gap"}"#], end: nil),
            Visit(hall: "hall-2", started: "2026-01-01T12:10:00Z", scrolls: 1, discontinuities: [#"{"frame":96000,"discontinuity":"late","frames":480}"#], end: (30, "idle")),
            // Lost lines of a journal are no interruption of its sound.
            Visit(hall: "hall-3", started: now, scrolls: 2, unlocks: 1, discontinuities: [#"{"frame":240000,"discontinuity":"lost","entries":3}"#], end: (48, "idle")),
        ]
        let fleet = try await Fleet()
        for (index, visit) in visits.enumerated() {
            try fleet.put(visit.text(header: header(visit)), as: "\(index)", at: visit.hall)
            // A journal without an end is finished when another was written to later.
            guard visit.end == nil else { continue }
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_767_225_600)],
                                                  ofItemAtPath: fleet.scratch.file("\(visit.hall)/\(index).jsonl"))
        }
        let rows = visits.reduce(0) { $0 + $1.rows }
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.event") == "\(rows)" }, "\(fleet.said)")
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.station") == "3" }, "\(fleet.said)")
        let alarms = try fleet.postgres.query("""
            INSERT INTO thrum.alarm (station, kind, since, until, text) VALUES
            ('hall-1', 'gone', now() - interval '3 hours', now() - interval '90 minutes', ''),
            ('hall-1', 'gone', now() - interval '1 hour', now() - interval '30 minutes', ''),
            ('hall-2', 'gone', now() - interval '30 days', now() - interval '29 days', ''),
            ('hall-2', 'issue', now() - interval '1 day', now() - interval '2 hours', ''),
            ('hall-3', 'gone', now() - interval '10 days', now() - interval '6 days', '')
            """)
        #expect(alarms != nil)

        let page = try String(contentsOfFile: repository + "/docs/fleet.md", encoding: .utf8)
        let answers = try page.matches(of: /```sql\n([^`]+)```/).map { try fleet.postgres.query(String($0.1)) }
        let expected = [
            // 2026-01-02T23:15Z is a quarter past midnight in Berlin.
            "hall-1|2026-01-01|2|3.0\nhall-1|2026-01-02|1|5.0\nhall-2|2026-01-01|1|0.5\nhall-2|2026-01-03|1|0.0\nhall-3|\(try day(now))|1|0.8",
            // The visit that was cut off goes up to its last row, at 2 s.
            "hall-1|120|300\nhall-2|16|30\nhall-3|48|48",
            try hours(visits.map(\.started)),
            "hall-1|3|4\nhall-2|2|1.5\nhall-3|1|2",
            "hall-1|1.00|1\nhall-2|0.00|2\nhall-3|1.00|0",
            "idle|4\ncut off|1\nrequest|1",
            "standard|4|2.0\nnight|2|4.5",
            "hall-2|2|100\nhall-1|1|33\nhall-3|0|0",
            "hall-1|2026-01-02 09:35\nhall-2|2026-01-03 00:15",
            "hall-3|1|24.0\nhall-1|2|2.0",
        ]
        #expect(answers.count == expected.count)
        for (place, expected) in expected.enumerated() where answers.indices.contains(place) {
            #expect(answers[place] == expected, "question \(place + 1)")
        }
    }

    /// Foundation's calendar in Berlin.
    private func berlin() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        return calendar
    }

    /// Tells the day in Berlin, as `2026-01-03`.
    private func day(_ instant: String) throws -> String {
        let parts = try berlin().dateComponents([.year, .month, .day], from: #require(ISO8601DateFormatter().date(from: instant)))
        return try String(format: "%04d-%02d-%02d", #require(parts.year), #require(parts.month), #require(parts.day))
    }

    /// Counts visits by the hour in Berlin.
    private func hours(_ instants: [String]) throws -> String {
        let calendar = try berlin()
        let hours = try instants.map { calendar.component(.hour, from: try #require(ISO8601DateFormatter().date(from: $0))) }
        let counts = Dictionary(hours.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key)|\($0.value)" }.joined(separator: "\n")
    }
}
