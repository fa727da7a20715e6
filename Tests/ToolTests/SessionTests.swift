import Journal
import Offline
import Registry
import Signals
import SystemPackage
import TestSupport
import Testing
import Units

@testable import Tool

@Suite struct SessionArgumentTests {
    @Test func `newest, and newest and a number, say how many sessions came after`() {
        #expect(SessionArgument.stepsBack(of: "newest") == 0)
        #expect(SessionArgument.stepsBack(of: "newest-3") == 3)
        for word in ["newest-0", "newest-03", "newest-", "newest-x", "newest3", "Newest", "newest.jsonl", "newest-9999999999"] {
            #expect(SessionArgument.stepsBack(of: word) == nil, "\(word)")
        }
    }

    @Test func `what is made of a session that was looked up goes to the current directory`() {
        let found = SessionFile(path: "/var/lib/thrum/sessions/a.jsonl", name: "newest", isFound: true)
        #expect(found.output(extension: "wav") == "a.wav")
        #expect(SessionFile(path: "visits/a.jsonl", name: "visits/a.jsonl", isFound: false).output(extension: "svg") == "visits/a.svg")
        #expect(SessionFile(path: "/proc/self/fd/0", name: "standard input", isFound: true).output(extension: "wav") == nil)
    }

    @Test func `a session is called by its file's name, and what comes from standard input by a dash`() {
        #expect(SessionFile(path: "visits/a.b.jsonl", name: "visits/a.b.jsonl", isFound: false).session == "a.b")
        #expect(SessionFile(path: "/var/lib/a.jsonl", name: "newest", isFound: true).session == "a")
        #expect(SessionFile(path: "/proc/self/fd/6", name: "standard input", isFound: true).session == "-")
    }

    @Test func `what is made of a part has the part in its name`() {
        let named = SessionFile(path: "visits/a.b.jsonl", name: "visits/a.b.jsonl", isFound: false)
        #expect(named.output(extension: "wav", part: "-to-0m01.5s") == "visits/a.b-to-0m01.5s.wav")
        let found = SessionFile(path: "/var/lib/a.jsonl", name: "newest", isFound: true)
        #expect(found.output(extension: "svg", part: "-mark-x") == "a-mark-x.svg")
    }
}

@Suite struct SessionTableTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Of a session of `direct` in this theme, so many seconds long; cut off where that is nil.
    private func entry(_ name: String, started: String, theme: String, seconds: Int64?, isFull: Bool = false) throws -> SessionEntry {
        var own = Theme.standard
        own.name = theme
        let header = JournalHeader(sampleRate: .standard, seed: 1, experience: "direct", started: started, theme: own)
        let end = seconds.map { [JournalEntry.end(.idle, at: Frame($0 * 48_000))] } ?? []
        let entries = [.header(header), .event(Event(client: .connection(1), .mark("a")), at: .zero)] + end
        let path = try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name)
        return SessionEntry(FilePath(path), named: name, bytes: 1_536, isFull: isFull)
    }

    @Test func `sessions are a table: a heading, and columns that begin or end at one place`() throws {
        let table = SessionTable([
            try entry("a.jsonl", started: "2026-11-23T13:00:05.123Z", theme: "glass", seconds: 5_025),
            try entry("b.jsonl", started: "then", theme: "t", seconds: nil),
            SessionEntry(FilePath(try scratch.write("no journal\n", to: "c.jsonl")), named: "c.jsonl", bytes: 10_240),
        ], time: { $0 == 1_795_438_805 ? "2026-11-23 14:00:05" : "\($0)" })
        // 1.5 KiB are 2 KiB, 5,025 s are 1:23:45; `date -ud 2026-11-23T13:00:05Z +%s` is 1795438805.
        #expect(table.lines == [
            "started              piece   theme     length    size  end   journal",
            "2026-11-23 14:00:05  direct  glass  1:23:45.0   2 KiB  idle  a.jsonl",
            "then                 direct  t         0:00.0   2 KiB  -     b.jsonl  (cut off or still running)",
            "-                    -       -              -  10 KiB  -     c.jsonl  (cannot be read: line 1: expected one JSON object, found something else)",
        ])
        #expect(SessionTable([]).lines.isEmpty)
    }

    @Test func `days are the machine's own, and both bounds are among them`() {
        // An hour ahead of UTC: `date -ud 2026-11-23T23:30:00Z +%s` is 1795476600.
        func date(_ instant: Int) -> String { instant + 3_600 < 1_795_478_400 ? "2026-11-23" : "2026-11-24" }
        func contains(_ from: String?, _ to: String?, _ started: String) -> Bool {
            SessionDays(from: from, to: to, date: date).contains(SessionStart(started))
        }
        #expect(SessionStart("2026-11-23T23:30:00.9Z")?.instant == 1_795_476_600)
        for (from, to) in [("2026-11-24", nil), (nil, "2026-11-24"), ("2026-11-24", "2026-11-24"), (nil, nil)] as [(String?, String?)] {
            #expect(contains(from, to, "2026-11-23T23:30:00Z"))
        }
        #expect(!contains("2026-11-25", nil, "2026-11-23T23:30:00Z") && !contains(nil, "2026-11-23", "2026-11-23T23:30:00Z"))
        #expect(contains(nil, "2026-11-23", "2026-11-23T22:30:00Z"))
        // Of a simulated session nobody knows.
        #expect(contains(nil, nil, "simulated") && !contains("2026-11-24", nil, "simulated"))
    }

    @Test func `a day is a date that there is, today or yesterday`() {
        func day(_ word: String) -> String? { SessionDays.day(word, now: 0) { _ in "2026-03-01" } }
        #expect(day("2026-02-28") == "2026-02-28" && day("2028-02-29") == "2028-02-29")
        #expect(day("today") == "2026-03-01" && day("yesterday") == "2026-02-28")
        for word in ["", "2026-02-29", "2026-2-1", "2026-13-01", "tomorrow", "2026-11-23T10:00:00Z", "2026-11-31"] { #expect(day(word) == nil, "\(word)") }
    }

    @Test func `what a journal that was read to its end says stands behind its name`() throws {
        let entry = try entry("a.jsonl", started: "2026-11-23T13:00:05Z", theme: "glass", seconds: 2, isFull: true)
        #expect(SessionTable([entry]).lines[1].hasSuffix("  a.jsonl  (somebody there for 0:00.0)"), "\(SessionTable([entry]).lines)")
    }
}

@Suite struct PlaybackWarningsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Of a session of `direct` with these lines.
    private func warnings(_ entries: JournalEntry...) throws -> [String] {
        let header = JournalHeader(sampleRate: .standard, seed: 1, experience: "direct", started: "then", theme: .standard)
        let lines = ([.header(header)] + entries).map { String(decoding: JournalLine.encode($0), as: UTF8.self) }
        let path = FilePath(try scratch.write(lines.joined(), to: "a.jsonl"))
        let outline = try SessionOutline(path, columns: 10, Registry.pieces)
        return outline.notes.warnings(of: SessionFile(path: path, name: "a.jsonl", isFound: false))
    }

    @Test func `a session without an event is told of, with how long its silence is`() throws {
        let event = JournalEntry.event(Event(client: .connection(1), .mark("a")), at: Frame(48_000))
        let end = JournalEntry.end(.idle, at: Frame(120_000))
        #expect(try warnings(event, end) == [])
        #expect(try warnings(end) == ["a.jsonl: warning: there is no event in it: 0:02.500 of silence"])
        let cut = "a.jsonl:1: warning: the session was cut off here; there is no event in it: 0:00.000 of silence"
        #expect(try warnings() == [cut])
        #expect(try warnings(event) == ["a.jsonl:2: warning: the session was cut off here; rendered up to the cut"])
    }
}

@Suite struct CutOptionTests {
    @Test(arguments: [("0", 0.0), ("12.5", 12.5), ("90", 90), ("1:30", 90), ("1:30.25", 90.25), ("1:02:03", 3_723), ("100:00", 6_000)])
    func `a moment is seconds, minutes or hours`(word: String, seconds: Double) {
        #expect(SessionPoint(argument: word) == .time(Seconds(seconds)))
    }

    @Test(arguments: [
        ([], ""), (["--from", "90", "--to", "1:45.5"], "-from-1m30s-to-1m45.5s"), (["--to", "1:02:03"], "-to-1h02m03s"), (["--from", "0"], "-from-0m00s"),
        (["--mark", "she laughs / twice"], "-mark-she-laughs-twice"), (["--from", "../x"], "-from-x"),
    ])
    func `a part has a name of its own, fit for a file`(words: [String], suffix: String) throws {
        #expect(try CutOption.parse(words).nameSuffix == suffix)
    }

    @Test(arguments: ["intro", "1:75", "1:60:00", "-5", "1e3", "", "12s", "0x10", "nan", "1:", "9999999999"])
    func `what is no time is a mark's text`(word: String) {
        #expect(SessionPoint(argument: word) == .mark(word))
    }
}
