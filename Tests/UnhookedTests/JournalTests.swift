import Experience
import Fields
import Journal
import JournalFile
import Offline
import Signals
import SystemPackage
import Testing
import TestSupport
@testable import Unhooked
import Units

/// The journal of a household's run: weeks of days that last a minute, in which a pet is stroked and fed, falls sick, is cured, dies, is
/// revived and comes to the memorial, and a visitor has a pet of their own.
@Suite struct JournalTests {
    private let scratch: Scratch
    private let owner: Owner
    private let path: FilePath
    private static let knobs = KnobSettings(["day-minutes": .number(1)])

    init() throws {
        var owner = Owner(at: 0.5, knobs: Self.knobs, gems: 2_000)
        func stroke(_ phase: Touch.Phase) throws { try owner.act(.touch(Touch(phase, finger: 1, x: 0.5, y: 0.5))) }
        try owner.report(20)
        try stroke(.began)
        owner.wait(2)
        try owner.feed("tuna")
        try stroke(.ended)
        owner.wait(60)
        try owner.pay("buy", ["cosmetic": .text("bow")])
        owner.wait(3 * 60)
        try stroke(.began)
        try owner.pay("cure")
        owner.wait(10)
        try stroke(.ended)
        try owner.act("enter", ["household": .text("badge")])
        try owner.act("adopt", ["species": .text("dog")])
        try owner.feed("beef")
        owner.wait(10)
        try owner.act("enter")
        // It dies under a hand.
        owner.wait(6 * 60)
        try stroke(.began)
        owner.wait(60)
        try stroke(.ended)
        try owner.pay("revive")
        owner.wait(7 * 60)
        try owner.pay("restart", ["species": .text("cat")])
        try owner.act("remember", ["pet": .integer(1)])
        owner.wait(3)
        self.owner = owner
        scratch = try Scratch()
        let header = JournalHeader(sampleRate: owner.run.rate, seed: 3, experience: "unhooked", started: "2026-01-01T00:00:00Z", theme: .standard,
                                   knobs: Self.knobs, rules: .init(version: Unhooked.declaration.rulesVersion, opening: []))
        let entries = [JournalEntry.header(header)] + owner.events.map { .event($0.event, at: $0.frame, cues: $0.cues) }
            + [.end(.shutdown, at: owner.frame)]
        let text = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
        path = FilePath(try scratch.write(text, to: "household.jsonl"))
    }

    @Test func `it replays to the same state, entries and cues, without a database`() throws {
        var replay = try Replay(path, [Unhooked.self])
        var cues: [[Cue]] = []
        while let step = try replay.step() { cues.append(step) }
        try replay.finish()
        #expect(replay.end == .shutdown && cues == owner.events.map(\.cues))
        #expect(replay.run?.memory == owner.run.memory && owner.run.memory != nil)
        // The entries, which a replay does not tell, of the same events.
        var run = Run(Unhooked.self, Opening(theme: .standard, seed: 3, rate: owner.run.rate, knobs: Self.knobs))
        var ledger: [LedgerEntry] = []
        for line in try String(contentsOfFile: path.string, encoding: .utf8).split(separator: "\n") {
            guard case .event(let event, let frame, _, _)? = JournalLine.decodeIfWhole(line.utf8) else { continue }
            ledger += run.act(on: try run.admit(event, at: frame), at: frame).ledger
        }
        // Before the first arrival that is in the journal there was the welcome.
        #expect(ledger == Array(owner.ledger.dropFirst()) && run.memory == owner.run.memory)
        let kinds = Set(ledger.map(\.kind))
        #expect(kinds.isSuperset(of: ["welcome", "award", "food", "cosmetic", "cure", "revive", "restart"]))
        let heard = Set(cues.joined().compactMap { if case .chime(let name) = $0 { name } else { nil } })
        #expect(heard == ["eating", "award", "cure", "revive", "restart", "death", "memorial", "purchase"])
        #expect(run.unusedEffects.total == 0 && owner.run.unusedEffects.total == 0)
    }

    @Test func `the rules render the samples that were heard, bit for bit`() throws {
        func samples(_ rules: ReplayRules, block: Int) throws -> [UInt8] {
            let file = scratch.file("\(block).wav")
            let descriptor = try FileDescriptor.open(FilePath(file), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            defer { try? descriptor.close() }
            var options = Rendering.Options([Unhooked.self])
            (options.rules, options.format, options.block) = (rules, .float32, block)
            let result = try Rendering.render(path, to: descriptor, options)
            #expect(result.notes.cutLine == nil && result.summary.frames == owner.frame - .zero)
            return [UInt8](try WaveFile(path: file).data)
        }
        let heard = try samples(.recorded, block: 32_768)
        #expect(try samples(.same, block: 4_096) == heard)
        #expect(heard.contains { $0 != 0 })
    }
}
