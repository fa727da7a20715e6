import Conductor
import Experience
import Fields
import Journal
import Signals
import Testing
import Units

/// A piece that breaks every rule for pieces.
private struct Misbehaving: Experience {
    static let declaration = Declaration(name: "misbehaving", rulesVersion: 1, about: "breaks the rules", tellsTime: false)

    var taps = 0

    init(_ opening: Opening) {}

    var opening: [Cue] { [Cue](repeating: .toneLevel(Decibels(-12)), count: 500) }

    mutating func reduce(_ input: Input<NoMove>, at time: Frame) -> Effects {
        guard case .tap = input else { return Effects() }
        taps += 1
        var effects = Effects(cues: [.chime("gong"), .haptic("earthquake")] + [Cue](repeating: .chime("unlock"), count: 100))
        for _ in 0..<100 { effects.tell(SessionAnnouncement(.began)) }
        effects.wake = .frame(time)
        return effects
    }
}

/// A piece that remembers all sorts of things, and notes them in the ledger.
private struct Hoarder: Experience {
    struct Memory: PieceMemory {
        var json: JSONValue

        init(json: JSONValue) { self.json = json }
        init(_ fields: Fields) throws { json = .null }
    }

    static let declaration = Declaration(name: "hoarder", rulesVersion: 1, about: "keeps too much", tellsTime: false)

    static let good = JSONValue.object(["a": .text("b")])
    static let things = [good, .object(["a": .text(String(repeating: "x", count: 256 << 10))]), .object(["a": .list([.number(.nan)])])]
    var memory: Memory?

    init(_ opening: Opening) {}

    mutating func reduce(_ input: Input<NoMove>, at time: Frame) -> Effects {
        guard case .tap = input else { return Effects() }
        let thing = Self.things[Int(time.rawValue)]
        memory = Memory(json: thing)
        return Effects(ledger: [LedgerEntry(key: "\(time.rawValue)", kind: "tap", amount: 1, note: thing)])
    }
}

@Suite struct MisbehavingPieceTests {
    @Test func `a memory or a note that is too long or no JSON is not kept and counted, and the entry and the memory before it are`() throws {
        let output = RecordedOutput()
        var conductor = Conductor(Hoarder.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
        for frame in 0..<Hoarder.things.count {
            _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(Frame(Int64(frame))))
        }
        func entry(_ key: String, _ note: JSONValue?) -> LedgerEntry { LedgerEntry(key: key, kind: "tap", amount: 1, note: note) }
        #expect(output.kept == [Conductor.Keeping(memory: Hoarder.good, ledger: [entry("0", Hoarder.good)]),
                                Conductor.Keeping(memory: nil, ledger: [entry("1", nil)]),
                                Conductor.Keeping(memory: nil, ledger: [entry("2", nil)])])
        #expect(conductor.memory == Hoarder.good && conductor.refusals.kept == 4)
    }

    @Test func `what a piece returns beyond its budgets is left out and counted, and state, sound and journal go on`() throws {
        let output = RecordedOutput()
        var conductor = Conductor(Misbehaving.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
        for frame in [0, 100] as [Int64] {
            _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(Frame(frame)))
            _ = conductor.placed(at: Frame(frame))
        }
        // A chime of two notes counts twice: 28 of them fit.
        #expect(output.cues.suffix(2) == [[Cue](repeating: .chime("unlock"), count: 28), [Cue](repeating: .chime("unlock"), count: 28)])
        #expect(output.batches.allSatisfy { $0.commands.count <= CommandBatch.capacity })
        #expect(output.told.count == 1 + 2 * Run.announcementBudget)
        let refusals = conductor.refusals
        #expect(refusals.cues == 2 * 72 && refusals.unknownCues == 4 && refusals.announcements == 2 * 36 && refusals.wakes == 2)
        #expect(refusals.lastUnknownCue == "the theme standard has no haptic pattern earthquake")
        #expect((conductor.current.piece as? Misbehaving)?.taps == 2)
    }
}
