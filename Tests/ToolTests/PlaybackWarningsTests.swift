import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
@testable import Tool
import Units

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
