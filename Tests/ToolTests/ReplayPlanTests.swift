import Fields
import Journal
import Signals
import SystemPackage
import Testing
import TestSupport
import Units
@testable import Tool

@Suite struct ReplayPlanTests {
    /// At 48,000 frames a second: two touches, which end after 3 s, and an end of the session at 33 s.
    private func plan(_ end: SessionEnd) throws -> ReplayPlan {
        func touch(_ phase: Touch.Phase, _ second: Int64) -> JournalEntry {
            .event(Event(client: .connection(1), .touch(Touch(phase))), at: Frame(second * 48_000))
        }
        let entries: [JournalEntry] = [
            .header(JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z", theme: .standard)),
            touch(.began, 0), touch(.ended, 1), touch(.began, 2), touch(.ended, 3), .end(end, at: Frame(33 * 48_000)),
        ]
        let scratch = try Scratch()
        let text = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
        return try ReplayPlan(FilePath(try scratch.write(text, to: "a.jsonl")))
    }

    @Test func `a session that ended because nobody was there is over 15 s behind what was done last`() throws {
        #expect(try plan(.idle).end == Frame(18 * 48_000))
    }

    @Test(arguments: [SessionEnd.request, .shutdown, .rollOver])
    func `a session that was ended is replayed to its end`(end: SessionEnd) throws {
        #expect(try plan(end).end == Frame(33 * 48_000))
    }
}
