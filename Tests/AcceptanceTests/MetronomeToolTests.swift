import Foundation
import Testing
import TestSupport

/// A piece that Thrum does not have, added by its folder and a line where the pieces are listed, through the command line.
@Suite struct MetronomeToolTests {
    private func tool(_ words: String...) throws -> Finished { try run(Programs.metronomeTool, words) }

    @Test func `thrum simulate makes a visitor of it, and all that follows is as for any piece`() throws {
        let scratch = try Scratch()
        let (journal, again) = (scratch.file("a.jsonl"), scratch.file("b.jsonl"))
        let made = try tool("simulate", "--experience", "metronome", "--turns", "20", "--set", "metronome-accent=2", "-o", journal,
                            "--picture", scratch.file("a.svg"))
        #expect(made.status == 0, "\(made.errors)")
        #expect(try tool("simulate", "--experience", "metronome", "--turns", "20", "--set", "metronome-accent=2", "-o", again).status == 0)
        #expect(FileManager.default.contentsEqual(atPath: journal, andPath: again))
        let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n")
        #expect(lines[0].contains(#""experience":"metronome""#) && lines[0].contains(#""metronome-accent":2"#))
        #expect(lines.count { $0.contains(#""event":"metronome.reset""#) } == 20)
        // A tick falls on each full second, until the default idle time after the last turn.
        let ticks = lines.filter { $0.contains(#""event":"tick""#) }.compactMap { $0.firstMatch(of: /"frame":(\d+)/).map { Int($0.1) } }
        let last = try #require(lines.last { $0.contains(#""event":"metronome.reset""#) }?.firstMatch(of: /"frame":(\d+)/).flatMap { Int($0.1) })
        #expect(ticks == (1...(last + 45 * 48_000) / 48_000).map { $0 * 48_000 })

        // What it says of a session, and its table.
        #expect(made.text.contains("  beats          \(ticks.count)\n") && made.text.contains("number of a beat"), "\(made.text)")
        #expect(try tool("telemetry", "show", journal).text == made.text)
        #expect(try String(contentsOfFile: scratch.file("a.svg"), encoding: .utf8).contains("listener visitor, seed 1, 20 turns"))
        let export = try tool("telemetry", "export", "--experience", "metronome", journal).text.split(separator: "\r\n")
        #expect(export.first == "number,after_damage,session" && export.count == 1 + ticks.count)

        // A tool that has no rules for it renders it to the same samples, and says what it lacks where rules are needed.
        #expect(try tool("render", journal, "-o", scratch.file("by.wav")).status == 0)
        #expect(try thrum("render", journal, "-o", scratch.file("without.wav")).status == 0)
        #expect(FileManager.default.contentsEqual(atPath: scratch.file("by.wav"), andPath: scratch.file("without.wav")))
        let refused = try thrum("telemetry", "show", journal)
        #expect(refused.status == 65 && refused.errors.contains("experience: expected one of direct, colorscroller"), "\(refused.errors)")
        #expect(try thrum("simulate", "--experience", "metronome").errors.contains("expected one of colorscroller, scrollkitty, unhooked, found \"metronome\""))
    }

    @Test func `what it declares is in the help, and what it does not declare is refused`() throws {
        let help = try tool("simulate", "--help").text.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("of metronome listener") && help.contains("of piggy-bank saver"), "\(help)")
        #expect(try tool("send", "--help").text.contains("metronome.reset"))
        let scratch = try Scratch()
        let picture = try tool("simulate", "--experience", "piggy-bank", "-o", scratch.file("a.jsonl"), "--picture", scratch.file("a.svg"))
        #expect(picture.status == 64 && picture.errors == "thrum: --picture: expected a piece with statistics, found piggy-bank\n")
        #expect(try scratch.contents.isEmpty)
        let plain = try tool("simulate", "--experience", "piggy-bank", "--turns", "3", "-o", scratch.file("a.jsonl"))
        #expect(plain.status == 0 && plain.text.isEmpty && plain.errors.isEmpty)
        let lines = try String(contentsOfFile: scratch.file("a.jsonl"), encoding: .utf8).split(separator: "\n")
        let events = lines.compactMap { $0.firstMatch(of: /"event":"([a-z.]+)"/).map { String($0.1) } }
        #expect(events == ["arrival", "visit", "bank.put", "bank.put", "bank.put", "stop", "visit"])
    }
}
