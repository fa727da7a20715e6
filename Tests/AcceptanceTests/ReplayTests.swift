import Direct
import Foundation
import Journal
import Signals
import Testing
import TestSupport
import Units

@Suite(.serialized) struct ReplayTests {
    /// What clients do, 2 s of it: two front ends and a touchscreen.
    private static let visit: [(frame: Int64, client: Int, kind: EventKind)] = [
        (0, 1, .touch(Touch(.began, x: 0.5, y: 0.8))),
        (0, 2, .action(Action(FeedUpdate(blocksViewed: 10)))),
        (4_800, 1, .touch(Touch(.moved, x: 0.5, y: 0.7))),
        (9_600, -1, .touch(Touch(.began, finger: 3))),
        (12_000, 2, .tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-30), glide: Seconds(0.1)))),
        (24_000, 1, .chime(name: "ding")),
        (30_000, -1, .touch(Touch(.ended, finger: 3))),
        (36_000, 2, .left),
        (48_000, 1, .mark("half of it")),
        (60_000, 1, .stop),
        // Planned while the stop is, which drops what is planned, it would be gone.
        (60_480, 1, .touch(Touch(.began))),
        (72_000, 1, .touch(Touch(.ended))),
        (84_000, 3, .haptic(name: "swipe")),
    ]

    private func write(_ entries: [JournalEntry], to path: String, theme: Theme = .standard) throws {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-01T12:00:00Z", theme: theme)
        let bytes = ([JournalEntry.header(header)] + entries).flatMap { JournalLine.encode($0) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// A journal has actions as they stand, which only their piece reads.
    private func isSame(_ a: EventKind, _ b: EventKind) -> Bool {
        JournalLine.encode(.event(Event(client: .engine, a), at: .zero)) == JournalLine.encode(.event(Event(client: .engine, b), at: .zero))
    }

    private func event(_ frame: Int64, _ client: Int, _ kind: EventKind) -> JournalEntry {
        .event(Event(client: Client(number: client), kind), at: Frame(frame))
    }

    /// The visit as a journal.
    private func writeVisit(to path: String) throws {
        let entries = Self.visit.map { event($0.frame, $0.client, $0.kind) }
        try write(entries + [event(95_520, 0, .stop), .end(.idle, at: Frame(96_000))], to: path)
    }

    private func entries(_ path: String) throws -> [JournalEntry] {
        var reader = JournalReader()
        var entries: [JournalEntry] = []
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") { entries.append(try reader.read(Array(line.utf8)[...])) }
        return entries
    }

    private func hasEnd(_ journal: String) throws -> Bool { try String(contentsOfFile: journal, encoding: .utf8).contains(#"{"end":"#) }

    /// What is different in a journal that `visit` was replayed into, `speed` times as fast.
    private func differences(_ path: String, speed: Double) throws -> [String] {
        var differences: [String] = []
        var numbers: [Int: Client] = [:]
        let events = try entries(path).compactMap { entry -> (event: Event, frame: Int64)? in
            guard case .event(let event, let frame, _, _) = entry else { return nil }
            return (event, frame.rawValue)
        }
        guard events.count == Self.visit.count + 1, events.last?.event == Event(client: .engine, .stop) else {
            return ["\(events.count) events, the last of them \(String(describing: events.last))"]
        }
        for (before, after) in zip(Self.visit, events) {
            if !isSame(after.event.kind, before.kind) { differences.append("\(before.kind) became \(after.event.kind)") }
            if numbers[before.client, default: after.event.client] != after.event.client { differences.append("client \(before.client)") }
            numbers[before.client] = after.event.client
            let due = Int64(Double(before.frame) / speed)
            // Who leaves is not planned, and heard as soon as possible.
            let latest: Int64 = before.kind == .left ? 2_400 : 48
            if after.frame < due - 48 || after.frame > due + latest { differences.append("\(before.kind) at \(after.frame) instead of \(due)") }
        }
        if Set(numbers.values).count != numbers.count { differences.append("clients are mixed up: \(numbers)") }
        return differences
    }

    @Test(arguments: [1.0, 4.0])
    func `a journal that is replayed leads to the same journal, at its own times or faster`(speed: Double) async throws {
        var found = ["never tried"]
        // A machine may be held up for longer than is allowed for.
        for _ in 1...3 where !found.isEmpty {
            let daemon = try await Daemon(["--output", "null", "--seed", "7"])
            let journal = daemon.scratch.file("visit.jsonl")
            try writeVisit(to: journal)
            let replayed = try thrum("replay", journal, "--speed", "\(speed)", "--socket", daemon.socket)
            #expect(replayed.status == 0, "\(replayed.errors)")
            #expect(replayed.text.hasPrefix("\(journal): replayed in ") && replayed.text.contains("events sent: 12, late: "))
            #expect(replayed.errors.isEmpty, "\(replayed.errors)")
            // It ends the session itself.
            #expect(try daemon.status()["session"] == nil)
            let copy = try #require(daemon.journals.first)
            #expect(try await eventually { try hasEnd(copy) })
            #expect(daemon.terminate() == 0)
            found = try differences(copy, speed: speed)
        }
        #expect(found.isEmpty)
    }

    @Test func `another experience is refused, and what cannot be a journal`() async throws {
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller"])
        let journal = daemon.scratch.file("visit.jsonl")
        try writeVisit(to: journal)
        let refused = try thrum("replay", journal, "--socket", daemon.socket)
        #expect(refused.status == 65)
        #expect(refused.errors == "thrum: \(journal): the journal's experience is direct, and thrumd's is colorscroller "
            + "(thrumd --experience direct)\n")
        #expect(try thrum("replay", daemon.scratch.file("none"), "--socket", daemon.socket).status == 66)
        let text = try daemon.scratch.write("no journal\n", to: "text.jsonl")
        #expect(try thrum("replay", text, "--socket", daemon.socket).status == 65)
        #expect(try thrum("replay", journal, "--speed", "0.05", "--socket", daemon.socket).status == 64)
        #expect(daemon.journals.isEmpty)
    }

    @Test func `a session that is running is left alone, unless it is joined`() async throws {
        let daemon = try await Daemon(["--output", "null", "--seed", "7"])
        let journal = daemon.scratch.file("visit.jsonl")
        try writeVisit(to: journal)
        let visitor = try LineSocket(daemon.socket)
        _ = try visitor.call("touch", #"{"phase":"began"}"#)
        let refused = try thrum("replay", journal, "--speed", "10", "--socket", daemon.socket)
        #expect(refused.status == 69 && refused.errors.contains("a session is running"), "\(refused.errors)")
        let joined = try thrum("replay", journal, "--speed", "10", "--join", "--socket", daemon.socket)
        #expect(joined.status == 0, "\(joined.errors)")
        // It goes on, though the journal's own stop let the visitor's finger go.
        #expect(try daemon.status()["session"] != nil)
        let copy = try #require(daemon.journals.first)
        #expect(try await eventually { try thrum("sessions", "show", copy).text.contains("half of it") })
    }

    @Test func `what is refused is named, and another seed or theme is said`() async throws {
        let daemon = try await Daemon(["--output", "null", "--seed", "8"])
        let journal = daemon.scratch.file("gong.jsonl")
        var theme = Theme.standard
        theme.chimes["gong"] = theme.chimes["ding"]
        // What is random is the feed's steps only.
        try write([event(0, 1, .action(Action(FeedUpdate(blocksViewed: 1)))), event(4_800, 1, .chime(name: "gong")), event(9_600, 1, .chime(name: "ding"))],
                  to: journal, theme: theme)
        let replayed = try thrum("replay", journal, "--socket", daemon.socket)
        #expect(replayed.status == 1)
        let lines = replayed.errors.split(separator: "\n").map(String.init)
        #expect(lines.contains("thrum: \(journal):3: name: expected one of award, band-drop, bypass, cure, death, ding, eating, explore-blank, explore-button, explore-heading, explore-image, explore-off, explore-on, explore-slider, explore-text, explore-toggle, growth, memorial, mew-concerned, mew-dead, mew-healthy, mew-tired, mew-weak, nightly, purchase, restart, revive, shield-back, streak, terminal, unlock, welcome, found \"gong\""), "\(lines)")
        #expect(lines.contains { $0.contains("thrumd's seed is 8, the journal's is 7") })
        #expect(lines.contains { $0.contains("thrumd's theme is not the journal's") })
        #expect(lines.contains { $0.contains(":4: warning: the session was cut off here") })
        #expect(replayed.text.contains("events sent: 3, late: ") && replayed.text.hasSuffix(", refused: 1\n"), "\(replayed.text)")
    }

    @Test func `SIGINT ends a replay softly, and lets go what it held`() async throws {
        let daemon = try await Daemon(["--output", "null", "--seed", "7"])
        let journal = daemon.scratch.file("long.jsonl")
        try write([event(0, 1, .touch(Touch(.began))), event(4_800_000, 1, .touch(Touch(.ended)))], to: journal)
        let replay = try Running(Programs.thrum, ["replay", journal, "--socket", daemon.socket])
        #expect(try await eventually { try daemon.isHeld })
        replay.signal(SIGINT)
        let finished = replay.finish()
        #expect(finished.status == 0 && finished.text.contains("interrupted after "), "\(finished.errors)")
        #expect(try await eventually { try !daemon.isHeld })
    }

    @Test func `a daemon that goes ends the replay`() async throws {
        let daemon = try await Daemon(["--output", "null", "--seed", "7"])
        let journal = daemon.scratch.file("slow.jsonl")
        try write((0..<100).map { event($0 * 24_000, 1, .tap(Tap())) }, to: journal)
        let replay = try Running(Programs.thrum, ["replay", journal, "--socket", daemon.socket])
        #expect(try await eventually { try daemon.status()["session"] != nil })
        daemon.kill()
        #expect(replay.finish().status == 69)
    }
}

@Suite(.serialized) struct RecordTests {
    @Test func `what happens is recorded until SIGINT, and the journal renders`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let copy = daemon.scratch.file("copy.jsonl")
        let recording = try Running(Programs.thrum, ["record", copy, "--socket", daemon.socket])
        #expect(try await eventually { try daemon.status()["session"] != nil })
        let visitor = try LineSocket(daemon.socket)
        _ = try visitor.call("touch", #"{"phase":"began"}"#)
        _ = try visitor.call("chime.play", #"{"name":"ding"}"#)
        recording.signal(SIGINT)
        let finished = recording.finish()
        #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
        #expect(finished.text.hasPrefix("\(copy)  direct, ") && !finished.text.contains("cut off"), "\(finished.text)")
        #expect(try daemon.status()["session"] == nil)
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        #expect(text.contains(#""event":"chime""#) && text.contains(#"{"end":"request""#))
        #expect(try text == String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8))
        let rendered = try thrum("render", copy)
        #expect(rendered.status == 0 && rendered.errors.isEmpty, "\(rendered.errors)")

        // Before anything is begun.
        let refused = try thrum("record", copy, "--socket", daemon.socket)
        #expect(refused.status == 73 && refused.errors.contains("the file exists; --force replaces it"), "\(refused.errors)")
        #expect(try thrum("record", "-", "--socket", daemon.socket).status == 64)
        #expect(daemon.journals.count == 1)
    }

    @Test func `a session that is running is joined, ended after so many seconds, and rendered`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let visitor = try LineSocket(daemon.socket)
        _ = try visitor.call("touch", #"{"phase":"began"}"#)
        let copy = try daemon.scratch.write("old", to: "copy.jsonl")
        let recorded = try thrum("record", copy, "--force", "--seconds", "0.5", "--wav", daemon.scratch.file("copy.wav"),
                                 "--socket", daemon.socket)
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(recorded.errors.contains("a session is running") && recorded.errors.contains("joined"))
        #expect(recorded.text.hasPrefix("\(copy)  direct, ") && recorded.text.contains("copy.wav\n  duration  "), "\(recorded.text)")
        #expect(try daemon.status()["session"] == nil)
        #expect(try WaveFile(path: daemon.scratch.file("copy.wav")).samples.count > 20_000)
    }

    @Test func `a recording is over when the session is, and when thrumd is`() async throws {
        let daemon = try await Daemon(["--output", "null", "--idle", "0.5"])
        let idle = try thrum("record", daemon.scratch.file("idle.jsonl"), "--socket", daemon.socket)
        #expect(idle.status == 0 && idle.errors.isEmpty, "\(idle.errors)")
        #expect(try String(contentsOfFile: daemon.scratch.file("idle.jsonl"), encoding: .utf8).contains(#"{"end":"idle""#))

        let visitor = try LineSocket(daemon.socket)
        _ = try visitor.call("touch", #"{"phase":"began"}"#)
        let copy = daemon.scratch.file("shutdown.jsonl")
        #expect(try await eventually { (try daemon.status()["session"] as? [String: Any])?["journal"] != nil })
        let recording = try Running(Programs.thrum, ["record", copy, "--socket", daemon.socket])
        #expect(try await eventually { recording.errors.contains("joined") })
        // It knows of the journal a moment after it has joined.
        usleep(2_000_000)
        #expect(daemon.terminate() == 0)
        #expect(recording.finish().status == 0)
        #expect(try String(contentsOfFile: copy, encoding: .utf8).contains(#"{"end":"shutdown""#))
    }
}

@Suite struct SessionsShowTests {
    private struct Overview: Decodable {
        struct Mark: Decodable, Equatable {
            var seconds: Double
            var text: String
        }
        struct Discontinuities: Decodable, Equatable {
            var late: Int
            var lateFrames: Int
            var gaps: Int
            var gapFrames: Int
        }
        var experience: String
        var seconds: Double
        var end: String?
        var events: [String: Int]
        var marks: [Mark]
        var discontinuities: Discontinuities
    }

    private func write(_ name: String, _ lines: [String], in scratch: Scratch) throws -> String {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-01T12:00:00Z", theme: .standard)
        let text = String(decoding: JournalLine.encode(.header(header)), as: UTF8.self)
        return try scratch.write(text + lines.joined(separator: "\n") + "\n", to: name)
    }

    @Test func `a session is shown with its counts, marks, discontinuities and end`() throws {
        let scratch = try Scratch()
        let lines = [
            #"{"client":1,"event":"touch","frame":0,"phase":"began"}"#,
            #"{"client":-1,"event":"chime","frame":24000,"name":"ding"}"#,
            #"{"client":2,"event":"journal.mark","frame":36000,"text":"the school\nclass is here"}"#,
            #"{"frame":36000,"frames":480,"lapse":"late"}"#,
            // The two lines of one gap, and one of an older journal.
            #"{"frame":36500,"lapse":"gap"}"#, #"{"frame":36500,"frames":960,"lapse":"gap"}"#, #"{"frame":38000,"lapse":"gap"}"#,
            #"{"client":1,"event":"touch","frame":48000,"phase":"ended"}"#,
        ]
        let end = [#"{"client":0,"event":"stop","frame":95520}"#, #"{"end":"idle","frame":96000}"#]
        let older = try write("2026-01-01T12-00-00Z.jsonl", lines, in: scratch)
        let newest = try write("2026-01-02T12-00-00Z.jsonl", lines + end, in: scratch)
        let shown = try thrum("sessions", "show", "--sessions", scratch.path)
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
        #expect(shown.text == """
            \(newest)
              experience  direct, seed 7
              theme       standard
              started     2026-01-01T12:00:00Z
              length      0:02.000 at 48000 Hz, somebody there for 0:01.000
              ended       idle: nobody did anything for a while
              events      4: chime × 1, journal.mark × 1, touch × 2
              from        clients: 2, touchscreens: 1
              mark        0:00.750  the school·class is here
              late        1 changes (480 frames at most)
              gaps        2 (960 frames unheard)
              to hear it  thrum render \(newest)

            """)
        #expect(try thrum("sessions", "show", older).text.contains("  ended       cut off, or still running\n"))

        let json = try thrum("sessions", "show", newest, "--json")
        let overview = try JSONDecoder().decode(Overview.self, from: json.output)
        #expect(overview.experience == "direct" && overview.seconds == 2 && overview.end == "idle")
        #expect(overview.events == ["chime": 1, "journal.mark": 1, "touch": 2])
        #expect(overview.marks == [Overview.Mark(seconds: 0.75, text: "the school\nclass is here")])
        #expect(overview.discontinuities == Overview.Discontinuities(late: 1, lateFrames: 480, gaps: 2, gapFrames: 960))
    }

    @Test func `what cannot be shown is said`() throws {
        let scratch = try Scratch()
        #expect(try thrum("sessions", "show", "--sessions", scratch.path).status == 66)
        #expect(try thrum("sessions", "show", scratch.file("none")).status == 66)
        let bad = try write("bad.jsonl", [#"{"client":1,"event":"touch","phase":"fly","frame":0}"#], in: scratch)
        let refused = try thrum("sessions", "show", bad)
        #expect(refused.status == 65 && refused.errors.contains("bad.jsonl:2: phase: expected one of"), "\(refused.errors)")
    }
}
