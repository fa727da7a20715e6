import Foundation
import Testing
import TestSupport

private let columns = [
    "timestamp", "card_index", "blocks_viewed", "unique_blocks_seen", "unlock_count", "reward_drought", "velocity", "velocity_trend",
    "session_length", "active_scroll_seconds", "time_of_day_bucket", "rarity_shown", "p_churn", "churn",
]

@Suite struct TelemetryTests {
    /// Sessions of the lengths at which the label could be off by one, and others, a hundred in all.
    private let lengths = [0, 1, 4, 5, 6] + (0..<95).map { 7 + $0 }

    private func journals(_ scratch: Scratch) throws -> [String] {
        try lengths.enumerated().map { place, swipes throws in
            let path = scratch.file("\(place).jsonl")
            // Every swipe shows another card.
            #expect(try thrum("simulate", "--seed", "\(place)", "--swipes", "\(swipes)", "--profile", "frantic", "-o", path).status == 0)
            return path
        }
    }

    @Test func `an export over a hundred journals has thirteen columns and the label, right at the edges`() throws {
        let scratch = try Scratch()
        let journals = try journals(scratch)
        let export = try run(Programs.thrum, ["telemetry", "export"] + journals)
        #expect(export.status == 0 && export.errors.isEmpty, "\(export.errors)")
        let lines = export.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(lines[0] == columns)
        let rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
        #expect(lines.allSatisfy { $0.count == 14 })
        // A session's first row is the one with one card viewed.
        var sessions: [[[String: String]]] = []
        for row in rows {
            if row["blocks_viewed"] == "1" { sessions.append([]) }
            sessions[sessions.count - 1].append(row)
        }
        #expect(sessions.map(\.count) == lengths.filter { $0 > 0 })
        for session in sessions {
            let labels = session.map { $0["churn"] == "true" }
            #expect(labels == (0..<session.count).map { session.count - $0 <= 5 })
            #expect(session.map { Int($0["blocks_viewed"] ?? "") } == (1...session.count).map { $0 })
            #expect(session.allSatisfy { (0...1).contains(Double($0["p_churn"] ?? "") ?? -1) })
            #expect(session.allSatisfy { ["", "common", "rare", "special"].contains($0["rarity_shown"]) })
        }

        let lengthsTold = try run(Programs.thrum, ["telemetry", "export", "--sessions"] + journals).text.split(separator: "\r\n").dropFirst()
            .map { Int($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
        #expect(lengthsTold == lengths, "every session has its record, one without a card, too")
    }

    @Test func `a journal of other rules is rendered, but tells nothing unless today's rules are asked for`() throws {
        let scratch = try Scratch()
        let path = scratch.file("s.jsonl")
        #expect(try thrum("simulate", "--swipes", "20", "-o", path).status == 0)
        let other = try String(contentsOfFile: path, encoding: .utf8).replacing(#""rules":2,"#, with: #""rules":1,"#)
        let old = try scratch.write(other.replacing(/,"sum":"[0-9a-f]+"/, with: ""), to: "old.jsonl")
        let expected = "old.jsonl:1: rules: expected 2, the version of the rules of colorscroller in this Thrum; --rules today takes them, found 1"
        let refused = try thrum("telemetry", "show", old)
        #expect(refused.status == 65 && refused.errors == "thrum: \(scratch.path)/\(expected)\n", "\(refused.errors)")
        #expect(try thrum("telemetry", "export", old).status == 65)
        #expect(try thrum("telemetry", "show", "--rules", "today", old).text.contains("cards viewed: 20"))
        #expect(try thrum("render", old).status == 0 && thrum("render", path).status == 0)
        #expect(FileManager.default.contentsEqual(atPath: scratch.file("old.wav"), andPath: scratch.file("s.wav")))
        #expect(try thrum("sessions", "show", old).text.contains("rules 1, seed 1"))
    }

    @Test func `JSON Lines say the same`() throws {
        let scratch = try Scratch()
        let path = scratch.file("s.jsonl")
        #expect(try thrum("simulate", "--swipes", "200", "-o", path).status == 0)
        let csv = try thrum("telemetry", "export", path).text.split(separator: "\r\n").dropFirst()
        let json = try thrum("telemetry", "export", path, "--format", "jsonl").text.split(separator: "\n")
        #expect(csv.count == 200 && json.count == 200)
        for (row, line) in zip(csv, json) {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(Set(object.keys) == Set(columns))
            for (column, cell) in zip(columns, cells) {
                let value = column != "rarity_shown" ? cell : cell.isEmpty ? "null" : "\"\(cell)\""
                #expect(line.contains("\"\(column)\":\(value)"), "\(column) in \(line)")
            }
        }
    }

    @Test func `a journal that cannot be read is named and left out, and one cut off counts up to there`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "20", "-o", good).status == 0)
        let lines = try String(contentsOfFile: good, encoding: .utf8).split(separator: "\n")
        let bad = try scratch.write(lines.prefix(10).joined(separator: "\n") + "\n{\"frame\":1}\n", to: "bad.jsonl")
        let cut = try scratch.write(lines.prefix(1 + 1 + 3 * 8).joined(separator: "\n") + "\n", to: "cut.jsonl")
        let table = scratch.file("t.csv")
        let export = try thrum("telemetry", "export", good, bad, scratch.file("none.jsonl"), cut, "-o", table)
        #expect(export.status == 65)
        #expect(export.errors.contains("bad.jsonl:11: ") && export.errors.contains("none.jsonl: "), "\(export.errors)")
        #expect(export.errors.contains("cut.jsonl:26: warning: the session was cut off here"), "\(export.errors)")
        #expect(try String(contentsOfFile: table, encoding: .utf8).split(separator: "\r\n").count == 1 + 20 + 8)
        // Nobody knows how far the one that was cut off was from its end.
        let labels = try thrum("telemetry", "export", cut, "--name").text.split(separator: "\r\n").dropFirst()
        #expect(labels.map { $0.hasPrefix("cut,") } == [Bool](repeating: true, count: 8))
        #expect(labels.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[14]) } == ["false", "false", "false", "", "", "", "", ""])
        #expect(try thrum("telemetry", "export", "--sessions", good, cut).text.split(separator: "\r\n").map { $0.prefix(9) }
            == ["session,e", "good,idle", "cut,,1767"])
        #expect(try thrum("telemetry", "show", good).text.contains("cards viewed: 20"))
        // What is there is not overwritten.
        #expect(try thrum("telemetry", "export", good, "-o", table).status == 73)
    }
}
