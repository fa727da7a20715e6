import Conductor
import Experience
import Fields
import Journal
import Signals
import Testing
import Units

/// A piece that breaks every rule for pieces.
private struct Misbehaving: Experience {
    struct Memory: PieceMemory {
        init() {}
        init(_ fields: Fields) throws {}
        var json: JSONValue { .object(["weight": .number(.nan)]) }
    }

    static let declaration = Declaration(name: "misbehaving", rulesVersion: 1, about: "breaks the rules", tellsTime: false)

    /// The house's, and what no journal can hold.
    static let unusable: [Cue] = [
        .mute(false), .ceiling(.fullScale), .volume(.fullScale, fade: .zero), .theme(.standard), .tonePitch(Hertz(5_001), glide: .zero),
        .tonePitch(Hertz(440), glide: Seconds(11)), .toneLevel(Decibels(1)), .toneLevel(Decibels(.nan)), .chime("gong"), .haptic("earthquake"),
        .pattern(HapticPattern(events: [HapticEvent(time: .zero, kind: .transient, intensity: 2, sharpness: 0)])),
    ]

    var taps = 0

    init(_ opening: Opening) {}

    var opening: [Cue] { Self.unusable + [Cue](repeating: .chime("unlock"), count: 500) }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        switch input {
        case .theme: return Effects(cues: [Cue](repeating: .chime("unlock"), count: 100))
        case .tap:
            taps += 1
            var effects = Effects(cues: Self.unusable + [Cue](repeating: .chime("unlock"), count: 100))
            for _ in 0..<100 { effects.tell(SessionAnnouncement(.began)) }
            effects.wake = .frame(now.frame)
            effects.ledger = [LedgerEntry(key: "a", kind: "b", note: .number(.infinity)), LedgerEntry(key: "c", kind: "d")]
            return effects
        default: return Effects()
        }
    }

    var memory: Memory? { Memory() }
}

@Suite struct MisbehavingPieceTests {
    private let output = RecordedOutput()

    private func conductor() -> Conductor {
        Conductor(Misbehaving.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports,
                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
    }

    @Test func `what a piece returns beyond its budgets is left out and counted, and state, sound and journal go on`() throws {
        var conductor = conductor()
        for frame in [0, 100] as [Int64] {
            _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(Frame(frame)))
            _ = conductor.placed(at: Frame(frame))
        }
        // A chime of two notes counts twice: 28 of them fit, and 3 at a run's beginning.
        #expect(output.cues.suffix(2) == [[Cue](repeating: .chime("unlock"), count: 28), [Cue](repeating: .chime("unlock"), count: 28)])
        #expect(conductor.current.opening == [Cue](repeating: .chime("unlock"), count: 3))
        #expect(output.batches.allSatisfy { $0.commands.count <= CommandBatch.capacity })
        #expect(output.batches.first?.commands.count == CommandBatch.capacity, "the fullest there can be")
        #expect(output.told.count == 1 + 2 * Run.announcementBudget)
        let unusedEffects = conductor.unusedEffects
        let unusable = Misbehaving.unusable.count
        #expect(unusedEffects.cues == 497 + 2 * 72 && unusedEffects.unusableCues == 3 * unusable && unusedEffects.announcements == 2 * 36 && unusedEffects.wakes == 2)
        #expect(unusedEffects.values == 4 && unusedEffects.lastReason == "its memory is too long, or has a number that is not finite")
        #expect((conductor.current.piece as? Misbehaving)?.taps == 2)
        let ledger = [LedgerEntry(key: "a", kind: "b"), LedgerEntry(key: "c", kind: "d")]
        #expect(output.kept.map(\.ledger) == [ledger, ledger], "without the note that cannot be kept")
    }

    @Test func `a journal of such a piece is read back as it was written, and a memory that has no text is not kept`() throws {
        var conductor = conductor()
        _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(.zero))
        conductor.end(.request, at: Frame(48_000))
        for batch in output.batches { _ = conductor.placed(at: batch.due.frame) }
        conductor.settled(until: Frame(.max))
        var reader = JournalReader()
        #expect(try output.whole.map { try reader.read(JournalLine.encode($0).dropLast()[...]) } == output.whole)
        #expect(output.kept.allSatisfy { $0.memory == nil } && conductor.memory == nil)
        #expect(conductor.unusedEffects.lastReason == "its memory is too long, or has a number that is not finite")
    }

    @Test func `the cues of a theme are weighed with the theme's own`() throws {
        var conductor = conductor()
        _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(.zero))
        _ = try conductor.handle(Event(client: .engine, .theme(.standard)), at: Due(.zero))
        // Its three, and 26 chimes of two notes.
        #expect(output.batches.last?.commands.count == 55 && Run.cueBudget == 56)
    }
}
