import Experience
import Fields
import Journal
import Signals
import Testing
@testable import Unhooked
import Units

@Suite struct JournalTests {
    @Test func `the journal of a household's run replays to the same state, entries and cues, without a database`() throws {
        var owner = Owner(gems: 2_000)
        for day in 0..<25 {
            try owner.act(.touch(Touch(.began, finger: 1, x: 0.5, y: 0.5)))
            try owner.report(day * 9)
            if day % 4 > 0 { _ = try? owner.feed("pate") }
            _ = try? owner.pay(["cure", "revive", "buy"][day % 3], day % 3 == 2 ? ["cosmetic": .text("bow")] : [:])
            try owner.act(.touch(Touch(.ended, finger: 1, x: 0.5, y: 0.5)))
            owner.wait(days: day % 6 == 5 ? 8 : 1)
            if day == 12 { try owner.act("enter", ["household": .text("badge")]) }
            if day == 14 { try owner.act("enter") }
        }
        let lines = owner.events.map { JournalLine.encode(.event($0.event, at: $0.frame)) }
        var run = Run(Unhooked.self, Opening(theme: .standard, seed: 3, rate: owner.run.rate))
        var ledger: [LedgerEntry] = []
        var cues: [Cue] = []
        for line in lines {
            guard case .event(let event, let frame, _, _)? = JournalLine.decodeIfWhole(line) else { Issue.record("a line of events"); return }
            let effects = run.act(on: try run.admit(event, at: frame), at: frame)
            ledger += effects.ledger
            cues += effects.cues
        }
        #expect(run.memory == owner.run.memory && run.memory != nil)
        #expect(ledger == owner.ledger.suffix(ledger.count) && ledger.count > 20)
        #expect(cues.contains(.chime("death")) && cues.contains(.texture("purr-healthy", on: true)))
        #expect(run.refusals.total == 0 && owner.run.refusals.total == 0)
    }
}
