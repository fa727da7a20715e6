import Calendar
import Conductor
import Experience
import Fields
import Journal
import Metronome
import Signals
import Testing
import Units

/// A piece that is woken once a second, live and again.
@Suite struct MetronomeTests {
    private let output = RecordedOutput()
    private var conductor: Conductor

    init() { conductor = Self.conductor(output, memory: .object(["total": .integer(7)])) }

    private static func conductor(_ output: RecordedOutput, memory: JSONValue?) -> Conductor {
        Conductor(Metronome.self, theme: .standard, rate: .standard, idle: Seconds(45), memory: memory, lowering: lowering,
                  ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 3600 })
    }

    /// Has the output place all that was sent, `late` frames after it was due.
    private mutating func place(late: Int64 = 0) {
        while output.placed < output.batches.count {
            _ = conductor.placed(at: Frame(output.batches[output.placed].due.frame.rawValue + late))
            output.placed += 1
        }
    }

    @Test mutating func `ticks fall on the frames that were asked for, also where they are placed late`() throws {
        _ = try conductor.handle(began(), at: Due(Frame(10_000)))
        place()
        for beat in 1...5 {
            #expect(conductor.nextWake == Frame(10_000 + Int64(beat) * 48_000))
            conductor.wake(at: Frame(10_000 + Int64(beat) * 48_000))
            place(late: 100)
        }
        let ticks = output.journal.compactMap { entry -> Int64? in
            guard case .event(let event, let frame, let due, _) = entry, case .tick = event.kind else { return nil }
            return (due ?? frame).rawValue
        }
        #expect(ticks == [48_000, 96_000, 144_000, 192_000, 240_000])
        #expect(output.told.compactMap { $0.body as? Metronome.Beat }.map(\.number) == [1, 2, 3, 4, 5])
        // The same journal leads to the same cues again, by the same rules.
        var run = Run(Metronome.self, Opening(theme: .standard, seed: 3, rate: .standard))
        for case .event(let event, let frame, let due, let gave?) in output.whole {
            #expect(run.act(on: try run.admit(event, at: due ?? frame), at: due ?? frame).cues == gave.cues)
        }
    }

    @Test mutating func `ticks are no presence, and what is remembered is kept when the visit is over`() throws {
        _ = try conductor.handle(began(), at: Due(.zero))
        _ = try conductor.handle(ended(), at: Due(Frame(1_000)))
        for second in 1...44 { conductor.wake(at: Frame(Int64(second) * 48_000)) }
        conductor.advance(to: Frame(45 * 48_000))
        #expect(conductor.visit != nil)
        conductor.advance(to: Frame(45 * 48_000 + 1_000))
        #expect(conductor.visit == nil && conductor.run == nil)
        #expect(output.kept == [Conductor.Keeping(memory: .object(["total": .integer(51), "resets": .integer(0)]))])
    }

    @Test mutating func `an action has a result, and its entry in the ledger is kept with the memory, in mid-visit and before it is answered`() throws {
        let reset = Event(client: .connection(1), .action(Action(UncheckedAction(name: "metronome.reset", fields: ["from": .integer(6)]))))
        _ = try conductor.handle(reset, at: Due(.zero), ticket: 4)
        // Who is killed now begins with both or with neither.
        let memory = JSONValue.object(["total": .integer(7), "resets": .integer(1)])
        #expect(output.kept == [Conductor.Keeping(memory: memory, ledger: [LedgerEntry(key: "reset-1", kind: "reset", note: .object(["from": .integer(6)]))], ticket: 4)])
        _ = conductor.placed(at: .zero)
        #expect(conductor.placed(at: .zero).result == .object(["beats": .integer(6)]))
    }

    @Test mutating func `what the piece does not declare is refused, and leaves no trace`() throws {
        for (fields, field) in [(["from": JSONValue.text("x")], "from"), (["form": .integer(1)], "form")] {
            let event = Event(client: .connection(1), .action(Action(UncheckedAction(name: "metronome.reset", fields: fields))))
            #expect(throws: Fault.self) { try conductor.handle(event, at: Due(.zero)) }
            do throws(Fault) { _ = try conductor.handle(event, at: Due(.zero)) } catch { #expect(error.field == field) }
        }
        let strange = Event(client: .connection(1), .action(Action(UncheckedAction(name: "feed.scroll", fields: ["index": .integer(1)]))))
        #expect(throws: Fault.self) { try conductor.handle(strange, at: Due(.zero)) }
        #expect(output.batches.isEmpty && output.journal.isEmpty && conductor.run == nil)
    }

    @Test func `a memory that its piece cannot read counts as none, and is to be set aside before another is kept`() throws {
        var conductor = Self.conductor(output, memory: .object(["total": .text("many")]))
        #expect(output.kept.isEmpty, "nobody has come")
        _ = try conductor.handle(began(), at: Due(.zero))
        #expect(conductor.current.memory == .object(["total": .integer(0), "resets": .integer(0)]))
        #expect(output.kept.count == 1 && output.kept[0].memory == nil && output.kept[0].unreadable?.field == "memory.total")
        conductor.end(.request, at: Frame(100))
        _ = try conductor.handle(began(), at: Due(Frame(200)))
        #expect(output.kept.count { $0.unreadable != nil } == 1, "told once")
    }
}
