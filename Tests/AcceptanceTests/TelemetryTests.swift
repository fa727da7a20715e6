import Foundation
import Testing
import TestSupport

private let columns = [
    "timestamp", "card_index", "blocks_viewed", "unique_blocks_seen", "unlock_count", "reward_drought", "velocity", "velocity_trend",
    "session_length", "active_scroll_seconds", "time_of_day_bucket", "rarity_shown", "p_churn",
    "model", "margin", "eligible", "held_out", "action", "propensity", "chosen", "churn",
    "ended", "station", "run", "after_damage", "session",
]

@Suite struct TelemetryTests {
    /// Sessions of the lengths at which the label could be off by one, and others, a hundred in all.
    private let lengths = [0, 1, 4, 5, 6] + (0..<95).map { 7 + $0 }

    private func journals(_ scratch: Scratch) throws -> [String] {
        try lengths.enumerated().map { index, swipes throws in
            let path = scratch.file("\(index).jsonl")
            // Every swipe shows another card.
            #expect(try thrum("simulate", "--seed", "\(index)", "--swipes", "\(swipes)", "--profile", "frantic", "-o", path).status == 0)
            return path
        }
    }

    @Test func `an export over a hundred journals has the declared columns, the label, the end and the damage, right at the edges`() throws {
        let scratch = try Scratch()
        let journals = try journals(scratch)
        let export = try run(Programs.thrum, ["telemetry", "export"] + journals)
        #expect(export.status == 0 && export.errors.isEmpty, "\(export.errors)")
        let lines = export.text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(lines[0] == columns)
        let rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
        #expect(lines.allSatisfy { $0.count == columns.count })
        #expect(Set(rows.compactMap { $0["session"] }) == Set(lengths.indices.filter { lengths[$0] > 0 }.map(String.init)))
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
            #expect(session.allSatisfy { $0["after_damage"] == "false" && $0["ended"] == "idle" && $0["station"] == "" })
            #expect(session.allSatisfy { $0["run"] == $0["session"] }, "journals are named after their seeds here")
            #expect(session.allSatisfy { ["", "common", "rare", "special"].contains($0["rarity_shown"]) })
        }

        let lengthsTold = try run(Programs.thrum, ["telemetry", "export", "--per-session"] + journals).text.split(separator: "\r\n").dropFirst()
            .map { Int($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
        #expect(lengthsTold == lengths, "every session has its record, one without a card, too")
    }

    @Test func `a journal of other rules is rendered, but tells nothing unless today's rules are asked for`() throws {
        let scratch = try Scratch()
        let path = scratch.file("s.jsonl")
        #expect(try thrum("simulate", "--swipes", "20", "-o", path).status == 0)
        let other = try String(contentsOfFile: path, encoding: .utf8).replacing(#""rules":4,"#, with: #""rules":1,"#)
        let old = try scratch.write(other.replacing(/,"sum":"[0-9a-f]+"/, with: ""), to: "old.jsonl")
        let expected = "old.jsonl:1: rules: expected 4, the version of the rules of colorscroller in this Thrum; --rules today takes them, found 1"
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
        let words = ["rarity_shown", "model", "action", "chosen", "ended", "station", "session"]
        for (row, line) in zip(csv, json) {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(Set(object.keys) == Set(columns))
            for (column, cell) in zip(columns, cells) {
                let value = !words.contains(column) ? cell : cell.isEmpty ? "null" : "\"\(cell)\""
                #expect(line.contains("\"\(column)\":\(value)"), "\(column) in \(line)")
            }
        }
    }

    /// All parts of an export over a client's connection, and how many rows each has.
    private func export(_ parameters: String, by ask: (String) throws -> String) throws -> (text: String, rows: [Int], notes: [String]) {
        var (text, rows, notes, cursor): (String, [Int], [String], String?) = ("", [], [], nil)
        repeat {
            let field = cursor.map { #","cursor":"\#($0)""# } ?? ""
            let answer = try ask(#"{"jsonrpc":"2.0","id":1,"method":"telemetry.export","params":{\#(parameters)\#(field)}}"#)
            let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
            let part = try #require(object?["result"] as? [String: Any], "\(answer)")
            text += try #require(part["text"] as? String)
            rows.append(try #require(part["rows"] as? Int))
            notes += try #require(part["notes"] as? [String])
            cursor = part["cursor"] as? String
        } while cursor != nil
        return (text, rows, notes)
    }

    @Test func `an export over the socket or a WebSocket has the bytes that the tool writes, of a visit under way, too`() async throws {
        let port = freePort()
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--http", "\(port)", "--http-local-role", "operator"])
        let sessions = daemon.scratch.file("sessions")
        let names = ["2026-01-01T10-00-00Z", "2026-01-02T10-00-00Z", "2026-01-02T10-00-00Z-2", "2026-01-03T10-00-00Z"]
        for (index, name) in names.enumerated() {
            #expect(try thrum("simulate", "--seed", "\(index)", "--swipes", "\(150 * (index + 1))", "-o", "\(sessions)/\(name).jsonl").status == 0)
        }
        let client = try LineSocket(daemon.socket)
        let page = try WebSocketClient(port: port)
        func throughPage(_ line: String) throws -> String {
            try page.send(line)
            return try page.receive().text
        }
        let second = names[1...2].map { "\(sessions)/\($0).jsonl" }

        let days = try export(#""since":"2026-01-02","until":"2026-01-02","limit":100"#, by: client.ask)
        #expect(try days.text == run(Programs.thrum, ["telemetry", "export"] + second).text && days.rows.count == 8 && days.rows.allSatisfy { $0 <= 100 })
        let lines = try export(#""session":"\#(names[3])","format":"jsonl","name":true,"limit":5000"#, by: throughPage)
        #expect(try lines.text == thrum("telemetry", "export", "--format", "jsonl", "--name", "\(sessions)/\(names[3]).jsonl").text)
        #expect(lines.rows == [600] && lines.notes.isEmpty)
        let whole = try export(#""until":"2026-01-02","sessions":true"#, by: throughPage)
        #expect(try whole.text == run(Programs.thrum, ["telemetry", "export", "--per-session", "\(sessions)/\(names[0]).jsonl"] + second).text)

        // A visit under way, which is the newest: its journal is on the disk soon after its events.
        for _ in 0..<30 { _ = try client.call("swipe", #"{"velocity":2}"#) }
        let viewed = try client.call("param.get", #"{"name":"blocks-viewed"}"#)
        var running = try export(#""limit":7"#, by: client.ask)
        #expect(try await eventually {
            running = try self.export(#""limit":7"#, by: client.ask)
            return viewed.contains(#""value":\#(running.rows.reduce(0, +))}"#)
        }, "\(viewed)")
        #expect(running.rows.count > 1)
        let journal = try #require(daemon.journals.last)
        #expect(try running.text == thrum("telemetry", "export", journal).text)
        #expect(running.notes.count == 1 && running.notes[0].hasSuffix("warning: the session was cut off here; exported up to the cut"))

        for (parameters, field) in [(#""session":"2025-12-24T18-00-00Z""#, "session"), (#""session":"../../etc/passwd""#, "session"),
                                    (#""session":"newest","since":"2026-01-01""#, "since"), (#""until":"yesterday""#, "until"),
                                    (#""cursor":"2026""#, "cursor"), (#""session":"\#(names[0])","cursor":"x:1""#, "cursor"),
                                    (#""format":"xml""#, "format"), (#""limit":5001"#, "limit")] {
            let answer = try client.call("telemetry.export", "{\(parameters)}")
            #expect(answer.contains(#""code":-32602"#) && answer.contains(#""field":"\#(field)""#), "\(parameters): \(answer)")
        }
        #expect(daemon.terminate() == 0)
        let silent = try await Daemon(["--output", "null"])
        #expect(try LineSocket(silent.socket).call("telemetry.export").contains("the experience direct has no such telemetry"))
        #expect(silent.terminate() == 0)
    }

    @Test func `of a mixed folder all that is good is exported, other pieces are no fault, and what is broken is said last`() throws {
        let scratch = try Scratch()
        let visits = try (1...2).map { number throws in
            let path = scratch.file("visit\(number).jsonl")
            #expect(try thrum("simulate", "--seed", "\(number)", "--swipes", "10", "-o", path).status == 0)
            return path
        }
        let cat = scratch.file("cat.jsonl")
        #expect(try thrum("simulate", "--experience", "scrollkitty", "-o", cat).status == 0)
        let locked = repository + "/Tests/Fixtures/locked.jsonl"
        let header = try String(contentsOfFile: visits[0], encoding: .utf8).prefix(80)
        let cut = try scratch.write(String(header), to: "header.jsonl")
        func export(_ files: [String]) throws -> Finished { try run(Programs.thrum, ["telemetry", "export", "--experience", "colorscroller"] + files) }
        let mixed = try export([visits[0], cat, locked, visits[1]])
        #expect(mixed.status == 0)
        #expect(mixed.errors == "thrum: left out, because they are of other pieces than colorscroller: direct × 1, scrollkitty × 1\n", "\(mixed.errors)")
        let rows = mixed.text.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",").last ?? "" }
        #expect(rows == Array(repeating: "visit1", count: 10) + Array(repeating: "visit2", count: 10))
        let damaged = try export([cut, visits[0], cat, visits[1]])
        #expect(damaged.status == 65 && damaged.text == mixed.text)
        let errors = damaged.errors.split(separator: "\n")
        #expect(errors.count == 3 && errors[1].hasPrefix("thrum: \(cut):1: expected the whole header"), "\(damaged.errors)")
        #expect(errors.last == "thrum: 1 of 4 journals could not be read; all others are exported")
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
        let column = columns.firstIndex(of: "churn")! + 1
        #expect(labels.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[column]) } == ["false", "false", "false", "", "", "", "", ""])
        #expect(try thrum("telemetry", "export", "--per-session", good, cut).text.split(separator: "\r\n").map { $0.prefix(9) }
            == ["session,e", "good,idle", "cut,,1767"])
        #expect(try thrum("telemetry", "show", good).text.contains("cards viewed: 20"))
        #expect(try thrum("telemetry", "show", good, "--json").text.contains(#""name" : "\#(good)""#))
        let piped = try run("/bin/sh", ["-c", #"cat "$1" | "$0" telemetry export - --name"#, Programs.thrum, good])
        #expect(piped.text.split(separator: "\r\n").dropFirst().allSatisfy { $0.hasPrefix("-,") }, "\(piped.text)")
        // What is there is not overwritten.
        #expect(try thrum("telemetry", "export", good, "-o", table).status == 73)
    }
}
