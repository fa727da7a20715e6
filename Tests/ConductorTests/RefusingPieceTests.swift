import Calendar
import Conductor
import Experience
import Fields
import Journal
import Signals
import Testing
import Units

/// A piece that refuses whatever it is asked about while it is asleep, which it remembers.
private struct Sleeper: Experience {
    struct Memory: PieceMemory {
        var sleeps: Bool

        init(sleeps: Bool) { self.sleeps = sleeps }
        init(_ fields: Fields) throws { sleeps = try fields.flag("sleeps") }
        var json: JSONValue { .object(["sleeps": .flag(sleeps)]) }
    }

    static let declaration = Declaration(name: "sleeper", rulesVersion: 1, about: "sleeps")

    var sleeps: Bool

    init(_ opening: Opening) { sleeps = opening.seed == 1 }

    func refusal(of input: Input<NoMove>, at now: Now) -> Fault? { sleeps ? Fault(field: "method", expected: "quiet") : nil }

    mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        sleeps = memory?.sleeps ?? sleeps
        return Effects()
    }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        switch input {
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: usual)
        case .tap: sleeps = true
        case .swipe, .tick, .knob, .theme, .configuration, .visit: break
        }
        return Effects()
    }

    var memory: Memory? { Memory(sleeps: sleeps) }
}

@Suite struct RefusingPieceTests {
    private let output = RecordedOutput()

    private func conductor(seed: UInt64 = 3, sleeps: Bool? = nil) -> Conductor {
        Conductor(Sleeper.self, theme: .standard, rate: .standard, idle: Seconds(45), memory: sleeps.map { .object(["sleeps": .flag($0)]) },
                  lowering: lowering, ports: output.ports, seed: { seed }, clock: { clock }, utcOffset: { _ in 0 })
    }

    @Test func `no piece refuses what the house decides, what it is only told, and letting go`() throws {
        var conductor = conductor()
        _ = try conductor.handle(began(), at: Due(.zero))
        _ = try conductor.handle(Event(client: .connection(1), .tone(ToneRequest(on: true))), at: Due(.zero))
        _ = try conductor.handle(Event(client: .connection(1), .tap(Tap())), at: Due(.zero))
        #expect(throws: Fault.self) { try conductor.handle(Event(client: .connection(1), .swipe(Swipe())), at: Due(.zero)) }
        var quiet = Theme.standard
        quiet.name = "quiet"
        let never: [EventKind] = [
            .mute(true), .mute(false), .ceiling(Decibels(-9)), .volume(Decibels(-20), fade: .zero), .theme(quiet), .mark("here"),
            .tone(ToneRequest(on: false)), .touch(Touch(.ended)), .stop, .tick(CivilTime(instant: clock + 1, utcOffset: 0)), .visit(.ended),
        ]
        for kind in never {
            // A journal is gone through as it was played.
            #expect(throws: Never.self) { try conductor.current.admit(Event(client: .engine, kind), at: Frame(9)) }
            #expect(try conductor.handle(Event(client: .connection(1), kind), at: Due(Frame(9))))
        }
        #expect(conductor.volume == Decibels(-20) && conductor.theme.name == "quiet" && conductor.current.theme.name == "quiet")
        #expect(!conductor.isHeld)
    }

    @Test func `the first event is refused by the piece as it is with its memory, and then nothing has happened`() throws {
        // As new it would take it.
        var conductor = conductor(seed: 2, sleeps: true)
        #expect(throws: Fault.self) { try conductor.handle(began(), at: Due(.zero)) }
        #expect(conductor.visit == nil && conductor.run == nil && output.batches.isEmpty && output.told.isEmpty)
        // And the other way round.
        conductor = self.conductor(seed: 1, sleeps: false)
        #expect(try conductor.handle(began(), at: Due(.zero)))
    }

    @Test func `a piece is not woken by a frame that it does not ask for`() throws {
        var conductor = conductor()
        _ = try conductor.handle(began(), at: Due(.zero))
        let sent = output.batches.count
        conductor.wake(at: Frame(48_000))
        #expect(output.batches.count == sent)
    }
}
