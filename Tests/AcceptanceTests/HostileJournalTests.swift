import Foundation
import Journal
import Signals
import Testing
import TestSupport
import Units

@testable import Tool

/// Journals, names and disks that are as bad as they can be, and what `thrum` makes of them.
@Suite struct HostileJournalTests {
    private static let most = 1 << 53

    /// A journal of `lines` after a header.
    private func journal(_ lines: some Sequence<String>, in scratch: Scratch, named name: String = "a.jsonl") throws -> String {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard)
        let text = String(decoding: JournalLine.encode(.header(header)), as: UTF8.self)
        return try scratch.write(text + lines.map { $0 + "\n" }.joined(), to: name)
    }

    private func simulated(in scratch: Scratch, named name: String = "a.jsonl") throws -> String {
        #expect(try thrum("simulate", "--swipes", "2", "-o", scratch.file(name)).status == 0)
        return scratch.file(name)
    }

    @Test(arguments: [("entries", #"{"frame":0,"lapse":"lost","entries":9007199254740992}"#, 1_100),
                      ("frames", #"{"frame":0,"lapse":"late","frames":9007199254740992}"#, 2_000)])
    func `numbers that cannot be added up are refused with their line and field`(field: String, line: String, count: Int) throws {
        let scratch = try Scratch()
        let path = try journal(Array(repeating: line, count: count) + [#"{"frame":480,"end":"idle"}"#], in: scratch)
        for finished in [try thrum("sessions", "show", path), try thrum("render", path), try thrum("picture", path)] {
            #expect(finished.status == 65)
            #expect(finished.errors.hasPrefix("thrum: \(path):3: \(field): expected at most"), "\(finished.errors)")
        }
        #expect(try scratch.contents == ["a.jsonl"])
    }

    @Test func `a session of 5,900 years is not played, and the line is named`() throws {
        let scratch = try Scratch()
        let path = try journal([#"{"frame":0,"event":"tap"}"#, #"{"frame":\#(Self.most),"end":"shutdown"}"#], in: scratch)
        for finished in [try thrum("render", path), try thrum("render", path, "-o", "-"), try thrum("picture", path, "--to", "99999999")] {
            #expect(finished.status == 65 && finished.output.isEmpty)
            // 29,030,400,000 frames are 7 · 24 hours at 48 kHz; 2⁵³ are 187,649,984,473.8 s, or 52,124,995:41:14.
            #expect(finished.errors == "thrum: \(path):3: frame: expected at most 29030400000, because at most 7 days (168:00:00) are "
                + "played at once: --from 0:00 --to 168:00:00 takes the first seven, found 9007199254740992 (52124995:41:14)\n")
        }
        #expect(try scratch.contents == ["a.jsonl"])
        #expect(try thrum("sessions", "show", path).status == 0, "what needs no samples needs no limit")
    }

    @Test func `a file for which there is no room is not begun`() throws {
        let scratch = try Scratch()
        let path = try journal([#"{"frame":29000000000,"end":"idle"}"#], in: scratch)
        // 29 thousand million frames of two channels of 4 bytes at 192 kHz: 928 GB.
        let finished = try thrum("render", path, "--rate", "192000", "--bits", "float", "--channels", "2")
        #expect(finished.status == 74 && finished.errors.contains("928 GB") && finished.errors.contains("room"), "\(finished.errors)")
        #expect(try scratch.contents == ["a.jsonl"])
    }

    /// Limits of the kernel instead of a look at what was used: `prlimit` counts what could be used.
    @Test func `a journal of 3 GB that is one hole needs little memory`() throws {
        let scratch = try Scratch()
        let path = try simulated(in: scratch, named: "2026-01-01T12-00-00Z.jsonl")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 3 << 30)
        try file.close()
        for words in [["sessions", "list", "--sessions", scratch.path], ["render", path], ["verify", path]] {
            let finished = try run("prlimit", ["--data=402653184", Programs.thrum] + words)
            #expect(finished.status == (words[0] == "sessions" ? 0 : 65), "\(words): \(finished.errors)")
        }
    }

    @Test func `of very many marks the first 1,000 are shown, and the others counted`() throws {
        let scratch = try Scratch()
        let mark = #"{"frame":0,"event":"journal.mark","client":1,"text":"\#(String(repeating: "m", count: 1_000))"}"#
        let path = try journal(Array(repeating: mark, count: 3_000), in: scratch)
        let shown = try thrum("sessions", "show", path).text
        #expect(shown.split(separator: "\n").count { $0.hasPrefix("  mark  ") } == 1_000 && shown.contains("\n  marks       2000 more\n"))
        let json = try #require(try JSONSerialization.jsonObject(with: thrum("sessions", "show", path, "--json").output) as? [String: Any])
        #expect((json["marks"] as? [Any])?.count == 1_000 && json["moreMarks"] as? Int == 2_000)
        #expect((json["events"] as? [String: Int]) == ["journal.mark": 3_000])
    }

    @Test func `pruning throws away what thrumd has named and what is a journal, and nothing else`() throws {
        let scratch = try Scratch()
        let ours = ["2020-01-01T12-00-00Z.jsonl", "2020-01-02T12-00-00Z-2.jsonl", "2020-01-03T12-00-00Z.disturbed.jsonl"]
        let others = ["mine.jsonl", "2020-01-01.jsonl", "2020-01-01T12-00-00Z-1.jsonl", "2020-01-01T12-00-00Z-+2.jsonl",
                      "2020-01-01T12-00-00Z.copy.jsonl"]
        for name in ours + others { _ = try simulated(in: scratch, named: name) }
        // Cut off within its header, and cut off before it.
        _ = try scratch.write(#"{"experience":"colorscroller","for"#, to: "2020-01-04T12-00-00Z.jsonl")
        _ = try scratch.write("", to: "2020-01-05T12-00-00Z.jsonl")
        let texts = ["2020-01-06T12-00-00Z.jsonl": "a list of mine\n", "2020-01-07T12-00-00Z.jsonl": "{\"a\":1}\n",
                     "2020-01-08T12-00-00Z.jsonl": "milk, bread", "2020-01-09T12-00-00Z.disturbed.jsonl": "x\n"]
        for (name, text) in texts { _ = try scratch.write(text, to: name) }
        for name in try scratch.contents {
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: scratch.file(name))
        }
        let dry = try thrum("sessions", "prune", "--days", "30", "--sessions", scratch.path)
        #expect(dry.text.split(separator: "\n").count == 6 && dry.text.hasSuffix("--yes does it\n"), "\(dry.text)")
        let done = try thrum("sessions", "prune", "--days", "30", "--yes", "--sessions", scratch.path)
        #expect(done.status == 0 && done.text.split(separator: "\n").count == 5)
        #expect(try scratch.contents == (others + texts.keys).sorted())
    }

    @Test(arguments: ["999999999999999", "106751991167301", "36501", "0", "-1"])
    func `days that no calendar has are refused`(days: String) throws {
        let finished = try thrum("sessions", "prune", "--days=\(days)", "--sessions", "/tmp")
        #expect(finished.status == 64 && finished.errors.contains("--days: expected 1 to 36500, found \(days)"))
    }

    @Test func `what cannot be written to standard output is no success`() throws {
        let scratch = try Scratch()
        let path = try simulated(in: scratch)
        let words = ["sessions show \(path)", "sessions list --sessions \(scratch.path)", "sessions prune --keep 1 --sessions \(scratch.path)",
                     "verify \(path)", "render -f \(path)", "render \(path) -o -", "picture -f \(path)", "picture \(path) -o -",
                     "simulate --swipes 3 -o -", "simulate --swipes 3 -o \(scratch.file("b.jsonl"))", "telemetry export \(path)",
                     "telemetry show \(path)", "theme list", "theme show standard", "haptic swipe --wav \(scratch.file("b.wav"))",
                     "devices", "--help", "--version", "help render"]
        for line in words {
            let full = try run("sh", ["-c", "exec \(Programs.thrum) \(line) >/dev/full"])
            // A directory without journals of thrumd's own has nothing to prune, and nothing to say.
            guard !line.hasPrefix("sessions prune") else { #expect(full.status == 0); continue }
            #expect(full.status == 74 && full.errors.hasPrefix("thrum: "), "\(line): \(full.status) \(full.errors)")
        }
        let closed = try run("sh", ["-c", "exec \(Programs.thrum) verify \(path) >&-"])
        #expect(closed.status == 74)
    }

    @Test func `a theme whose patterns would take long to work out is refused`() throws {
        let scratch = try Scratch()
        func journal(events: Int) throws -> String {
            let pattern = HapticPattern(events: (0..<events).map { _ in
                HapticEvent(time: Seconds(60), kind: .continuous(duration: Seconds(30)), intensity: 1, sharpness: 0.5)
            })
            let theme = Theme(name: "t", toneCurve: .standard, toneFade: .milliseconds(5), ceiling: Decibels(-1), chimes: [:],
                              haptics: ["x": pattern])
            let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: theme)
            return try scratch.write(String(decoding: JournalLine.encode(.header(header)), as: UTF8.self), to: "\(events).jsonl")
        }
        #expect(try thrum("render", "--haptics", journal(events: 3)).status == 0)
        let path = try journal(events: 60)
        #expect(try thrum("render", "--haptics", path).errors == "thrum: \(path):1: theme.haptics: expected patterns that last at most 1800 s, "
            + "all their events and sounds counted one by one, found 1951 s\n")
    }

    @Test func `files may have names that are no text`() throws {
        let scratch = try Scratch()
        _ = try simulated(in: scratch)
        let script = """
            set -e; cd '\(scratch.path)'; name=$(printf 'caf\\351\\377'); other=$(printf 'caf\\351\\376'); cp a.jsonl "$name.jsonl"
            t='\(Programs.thrum)'; "$t" render "$name.jsonl"; "$t" render "--output=$other.wav" "$name.jsonl"; "$t" picture "$name.jsonl" -o "$other.svg"
            "$t" verify "$name.jsonl"; "$t" sessions show "$name.jsonl"; "$t" telemetry export "$name.jsonl" -o "$name.csv"
            "$t" sessions list --sessions . | grep -c colorscroller; mkdir "$name"; cp a.jsonl "$name/"; "$t" sessions list --sessions "$name"
            cmp "$name.wav" "$other.wav"; test -s "$other.svg"; test -s "$name.csv"; ls | wc -l
            """
        let finished = try run("sh", ["-c", script])
        #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
        #expect(finished.text.hasSuffix("\n7\n") && finished.text.contains("\n2\n"), "\(finished.text)")
    }

    @Test func `words of any bytes are the same bytes again`() throws {
        var random = SplitMix64(seed: 3)
        let special: [[UInt8]] = [[], Array("--größe=€".utf8), [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBC, 0x80], Array("\u{10FFFF}\u{10FF41}".utf8),
                                  [0xC0, 0xAF], [0xE2, 0x82], [0xF0, 0x9F, 0x41]]
        let drawn = (0..<2_000).map { _ in (0..<Int.random(in: 1..<12, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) } }
        for bytes in special + drawn { #expect(CommandWords.bytes(of: CommandWords.text(of: bytes)) == bytes, "\(bytes)") }
        // Of two that look alike each stays itself.
        #expect(CommandWords.text(of: [0x61, 0xFE]) != CommandWords.text(of: [0x61, 0xFF]))
        #expect(CommandWords.text(of: Array("naïve/片.jsonl".utf8)) == "naïve/片.jsonl")
    }
}
