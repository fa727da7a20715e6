import Foundation
import Testing
import TestSupport

@Suite struct SessionsTests {
    private func folder() throws -> (Scratch, [String]) {
        let scratch = try Scratch()
        let names = try (1...4).map { day throws in
            let path = scratch.file("2026-01-0\(day)T12-00-00Z.jsonl")
            #expect(try thrum("simulate", "--swipes", "\(day)", "--seed", "\(day)", "-o", path).status == 0)
            // Noon of that day.
            let date = Date(timeIntervalSince1970: 1_767_225_600 + Double(day - 1) * 86_400 + 43_200)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            return path
        }
        _ = try scratch.write("no journal", to: "notes.txt")
        return (scratch, names)
    }

    @Test func `sessions are listed with what is known of them`() throws {
        let (scratch, names) = try folder()
        _ = try scratch.write("{", to: "2026-01-05T12-00-00Z.jsonl")
        let list = try thrum("sessions", "list", "--sessions", scratch.path)
        let lines = list.text.split(separator: "\n").map(String.init)
        #expect(list.status == 0 && lines.count == 6 && lines[0].hasPrefix("started  "), "\(list.text)")
        for (line, name) in zip(lines.dropFirst(), names) {
            #expect(line.contains("  colorscroller  standard  0:4") && line.hasSuffix(" KiB  idle  " + name), "\(line)")
        }
        #expect(lines[5].contains("(cannot be read: line 1: expected the whole header"))
        #expect(try thrum("sessions", "list", "--sessions", scratch.file("none")).status == 66)

        let json = try thrum("sessions", "list", "--json", "--sessions", scratch.path)
        let entries = try JSONDecoder().decode([Entry].self, from: json.output)
        #expect(entries.map(\.journal) == names + [scratch.file("2026-01-05T12-00-00Z.jsonl")])
        #expect(entries.map(\.seed) == [1, 2, 3, 4, nil] && entries.map(\.isReadable) == [true, true, true, true, false])
        for entry in entries.prefix(4) {
            #expect(entry.experience == "colorscroller" && entry.theme == "standard" && entry.end == "idle" && (entry.seconds ?? 0) > 40)
        }
    }

    private struct Entry: Decodable {
        var journal: String
        var isReadable: Bool
        var experience: String?
        var theme: String?
        var seed: Int?
        var seconds: Double?
        var end: String?
    }

    @Test func `a session is shown with its theme, its visitor, its chimes and what it came to`() throws {
        struct Shown: Decodable {
            struct Record: Decodable { var unlockCount: Int; var totalSwipes: Int }
            var theme: String
            var laterThemes: [String]
            var seconds: Double
            var visitorSeconds: Double
            var chimes: [String: Int]
            var record: Record
            var end: String
        }
        let (scratch, _) = try folder()
        let path = scratch.file("long.jsonl")
        #expect(try thrum("simulate", "--swipes", "60", "--seed", "3", "-o", path).status == 0)
        let shown = try JSONDecoder().decode(Shown.self, from: try thrum("sessions", "show", path, "--json").output)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(shown.theme == "standard" && shown.laterThemes.isEmpty && shown.end == "idle" && shown.record.totalSwipes == 60)
        // Nobody is there in the idle time of 45 s.
        #expect(shown.visitorSeconds > 10 && abs(shown.seconds - shown.visitorSeconds - 45) < 1, "\(shown)")
        #expect(shown.chimes["unlock"] == text.matches(of: /"cue":"chime","name":"unlock"/).count)
        #expect(shown.record.unlockCount > 0 && shown.chimes.values.reduce(0, +) > 0)
    }

    @Test func `pruning keeps what it is asked to keep, and asks before it removes`() throws {
        let (scratch, names) = try folder()
        let dry = try thrum("sessions", "prune", "--keep", "3", "--sessions", scratch.path)
        #expect(dry.text == "would remove \(names[0])\n1 of 4; --yes does it\n")
        #expect(try scratch.contents.count == 5)
        #expect(try thrum("sessions", "prune", "--keep", "3", "--yes", "--sessions", scratch.path).text == "removed \(names[0])\n")
        // All of them are older than a day, but the newest is kept.
        #expect(try thrum("sessions", "prune", "--days", "1", "--keep", "1", "--yes", "--sessions", scratch.path).status == 0)
        #expect(try scratch.contents == ["2026-01-04T12-00-00Z.jsonl", "notes.txt"])
        #expect(try thrum("sessions", "prune", "--sessions", scratch.path).status == 64)
        #expect(try thrum("sessions", "prune", "--keep", "0", "--sessions", scratch.path).status == 64)
    }
}
