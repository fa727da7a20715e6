import Foundation
import Testing
import TestSupport

@Suite struct SessionsCommandTests {
    private let scratch: Scratch
    private let header: String

    init() throws {
        scratch = try Scratch()
        header = String(try #require(try String(contentsOfFile: repository + "/Tests/Fixtures/locked.jsonl", encoding: .utf8)
            .split(separator: "\n").first))
    }

    /// So many seconds long.
    private func session(_ name: String, seconds: Int, _ lines: [String] = []) throws -> String {
        let first = #"{"client":1,"event":"touch","frame":0,"id":0,"phase":"began"}"#
        let end = #"{"end":"idle","frame":\#(seconds * 48_000)}"#
        return try scratch.write(([header, first] + lines + [end]).joined(separator: "\n") + "\n", to: name)
    }

    private struct Entry: Decodable {
        var journal: String
        var seconds: Double
        var visitorSeconds: Double?
        var damage: [String]?
    }

    @Test func `a folder is no session`() throws {
        let listed = try thrum("sessions", "list", scratch.path)
        #expect(listed.status == 66 && listed.errors.contains("expected a journal, found a folder"), "\(listed.errors)")
    }

    @Test func `what is too short for its loudness is not called silent`() throws {
        let touch = try scratch.write([header, #"{"client":1,"event":"touch","frame":0,"id":0,"phase":"began"}"#,
                                       #"{"end":"idle","frame":14400}"#].joined(separator: "\n") + "\n", to: "short.jsonl")
        #expect(try thrum("measure", touch).text.contains("too short"))
        let lines = try thrum("telemetry", "export", "--experience", "unhooked", "--per-session", touch)
        #expect(lines.status == 64 && lines.errors.contains("expected sessions of colorscroller, found one of unhooked"), "\(lines.errors)")
    }

    @Test func `sessions are listed by what they are sorted by, and only those that are named`() throws {
        let paths = [try session("2026-01-01T12-00-00Z.jsonl", seconds: 3), try session("2026-01-02T12-00-00Z.jsonl", seconds: 1),
                     try session("2026-01-03T12-00-00Z.jsonl", seconds: 62)]
        func listed(_ words: String...) throws -> [Entry] {
            let finished = try run(Programs.thrum, ["sessions", "list", "--json", "--sessions", scratch.path] + words)
            return try JSONDecoder().decode([Entry].self, from: finished.output)
        }
        #expect(try listed().map(\.journal) == paths)
        #expect(try listed("--sort", "length").map(\.seconds) == [1, 3, 62])
        #expect(try listed("--sort", "length", "--reverse").map(\.seconds) == [62, 3, 1])
        #expect(try listed("--reverse").map(\.journal) == paths.reversed())
        #expect(try listed("newest", paths[0]).map(\.seconds) == [62, 3])
        #expect(try thrum("sessions", "list", "newest", "--sessions", scratch.path).text.contains("  direct  locked  1:02.0  "))
        #expect(try thrum("sessions", "list", scratch.file("none.jsonl")).status == 66)
    }

    @Test func `sessions are listed by the machine's own days, in its own time`() throws {
        let starts = ["2026-11-23T22:30:00Z", "2026-11-23T23:30:00.5Z"]
        for (index, start) in starts.enumerated() {
            let lines = [header.replacing(/"started":"[^"]*"/, with: #""started":"\#(start)""#), #"{"end":"idle","frame":48000}"#]
            _ = try scratch.write(lines.joined(separator: "\n") + "\n", to: "\(index).jsonl")
        }
        func listed(_ words: String...) throws -> Finished {
            try run(Programs.thrum, ["sessions", "list", "--sessions", scratch.path] + words, environment: ["TZ": "<+01>-1"])
        }
        let all = try listed().text
        #expect(all.contains("\n2026-11-23 23:30:00  ") && all.contains("\n2026-11-24 00:30:00  "), "\(all)")
        let later = try listed("--from", "2026-11-24").text
        #expect(later.contains("1.jsonl") && !later.contains("0.jsonl"), "\(later)")
        #expect(try listed("--from", "2026-11-20", "--to", "2026-11-23").text.contains("0.jsonl"))
        let none = try listed("--to", "2026-11-22")
        #expect(none.status == 0 && none.errors.contains("of these days"), "\(none.errors)")
        #expect(try listed("--to", "2026-11-31").errors.contains("--to: expected a date such as 2026-11-23, today or yesterday"))
        #expect(try listed("--from", "2026-11-24", "--to", "2026-11-23").errors.contains("--to: expected no day before --from"))
    }

    @Test func `a full list says how long somebody was there, and what is missing`() throws {
        let second = #"{"client":1,"event":"touch","frame":24000,"id":0,"phase":"ended"}"#
        let whole = try session("a.jsonl", seconds: 1, [second])
        let lossy = try session("b.jsonl", seconds: 1, [#"{"discontinuity":"lost","entries":7,"frame":4800}"#])
        let finished = try thrum("sessions", "list", "--full", "--json", whole, lossy)
        let entries = try JSONDecoder().decode([Entry].self, from: finished.output)
        #expect(entries.map(\.visitorSeconds) == [0.5, 0] && entries.map(\.damage) == [nil, ["7 entries are missing"]], "\(finished.text)")
        let measured = try thrum("measure", whole, lossy)
        let lines = measured.text.split(separator: "\n")
        #expect(lines[1].hasSuffix(whole) && lines[2].hasSuffix("\(lossy)  (7 entries are missing from 0:00.100 on)"), "\(measured.text)")
    }

    @Test func `the events of a session are listed with what followed`() throws {
        let path = try session("a.jsonl", seconds: 61, [
            #"{"client":2,"event":"journal.mark","frame":4800,"text":"she\u000Alaughs"}"#, #"{"discontinuity":"gap","frame":9600,"frames":4800}"#,
        ])
        let listed = try thrum("sessions", "show", path, "--events")
        #expect(listed.status == 0 && listed.text.split(separator: "\n").map { $0.drop { $0 == " " } } == [
            "0:00.000  direct, theme locked", "0:00.000  touch began", "0:00.100  journal.mark \"she·laughs\"",
            "0:00.200  not heard for 0:00.100", "1:01.000  end: idle",
        ], "\(listed.text)")
        struct Line: Decodable, Equatable {
            var seconds: Double
            var event: String?
            var text: String?
            var discontinuity: String?
            var end: String?
        }
        let json = try thrum("sessions", "show", path, "--events", "--json")
        #expect(try JSONDecoder().decode([Line].self, from: json.output) == [
            Line(seconds: 0, event: "touch"), Line(seconds: 0.1, event: "journal.mark", text: "she\nlaughs"),
            Line(seconds: 0.2, discontinuity: "gap"), Line(seconds: 61, end: "idle"),
        ], "\(json.text)")
        // A line that cannot be read is named, and what is before it is a whole array.
        let broken = try session("b.jsonl", seconds: 1, ["{"])
        let half = try thrum("sessions", "show", broken, "--events", "--json")
        #expect(half.status == 65 && half.errors.contains("b.jsonl:3: "), "\(half.errors)")
        #expect(try JSONDecoder().decode([Line].self, from: half.output).map(\.event) == ["touch"])
    }

    @Test func `the session before the only one is refused in plain words`() throws {
        _ = try session("2026-01-01T12-00-00Z.jsonl", seconds: 1)
        let refused = try thrum("sessions", "show", "newest-1", "--sessions", scratch.path)
        #expect(refused.status == 66 && refused.errors == "thrum: newest-1: expected newest, because there is one session only\n", "\(refused.errors)")
    }

    @Test func `of many those are rendered that there is room for, the others are named, and the need is told before`() throws {
        let short = try session("a.jsonl", seconds: 2)
        let into = scratch.file("sound")
        let rendered = try thrum("render", short, "--into", into, "--to", "1")
        // One second of 48,000 frames of two bytes.
        #expect(rendered.status == 0 && rendered.text.hasPrefix("to render: 1, 96 kB of "), "\(rendered.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: into) == ["a-to-0m01s.wav"])
        // Six days of two channels of four bytes at 192 kHz: 796 GB each.
        let long = try (0..<3).map { try session("long\($0).jsonl", seconds: 518_400) }
        let other = try session("b.jsonl", seconds: 1)
        let options = ["--into", into, "--rate", "192000", "--bits", "float", "--channels", "2"]
        let refused = try run(Programs.thrum, ["render"] + options + long + [other])
        #expect(refused.status == 74 && refused.text.hasPrefix("to render: 1, 1 MB of ") && refused.text.hasSuffix("rendered: 1, failed: 3\n"),
                "\(refused.text)")
        for index in 0..<3 { #expect(refused.errors.contains("/long\(index).wav: expected room for 796 GB, found "), "\(refused.errors)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: into).sorted() == ["a-to-0m01s.wav", "b.wav"])
    }

    @Test func `of a session that is too long to be played at once a part is`() throws {
        let long = try session("long.jsonl", seconds: 8 * 86_400)
        let refused = try thrum("render", long)
        // What it says works as it stands; the second hour is the eighth day's.
        #expect(refused.status == 65 && refused.errors.contains(": --from 0:00 --to 168:00:00 takes"), "\(refused.errors)")
        let later = try thrum("measure", long, "--from", "1:00:00.5")
        #expect(later.errors.contains(": --from 1:00:00.500 --to 169:00:00.500 takes"), "\(later.errors)")
        let compared = try thrum("compare", long, long)
        #expect(compared.status == 65 && compared.errors.contains("--from 0:00 --to 168:00:00"), "\(compared.errors)")
        let same = try thrum("compare", long, long, "--from", "1", "--to", "2")
        #expect(same.status == 0 && same.text.contains("0:01.000"), "\(same.text)\(same.errors)")
        #expect(try thrum("render", long, "--to", "0.5", "-o", scratch.file("part.wav")).status == 0)
        #expect(try WaveFile(path: scratch.file("part.wav")).samples.count == 24_000)
    }
}
