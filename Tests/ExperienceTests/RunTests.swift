import Calendar
import Experience
import Fields
import Signals
import Testing
import Units

/// A piece that asks for whatever tick it is told to.
private struct Alarm: Experience {
    struct Ask: ActionBody {
        var wake: Wake
        var name: String { "alarm.ask" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    static let declaration = Declaration(name: "alarm", rulesVersion: 1, about: "is woken", actions: [
        ActionDeclaration("alarm.ask", about: "For a tick.") { _ in Ask(wake: .frame(.zero)) },
    ])

    init(_ opening: Opening) {}

    mutating func reduce(_ input: Input<Ask>, at now: Now) -> Effects {
        if case .move(let ask) = input { Effects(wake: ask.wake) } else { Effects() }
    }
}

/// A piece whose model gives the margin that it is told.
private struct Prophet: Experience {
    struct Ask: ActionBody {
        var logOdds: Double
        var name: String { "prophet.ask" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    static let declaration = Declaration(name: "prophet", rulesVersion: 1, about: "predicts", actions: [
        ActionDeclaration("prophet.ask", about: "For a margin.") { _ in Ask(logOdds: 0) },
    ])

    init(_ opening: Opening) {}

    mutating func reduce(_ input: Input<Ask>, at now: Now) -> Effects {
        var effects = Effects()
        if case .move(let ask) = input { effects.logOdds = ask.logOdds }
        return effects
    }
}

private struct Named: ActionBody {
    var name: String
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
}

@Suite struct RunTests {
    private func run() -> Run { Run(Alarm.self, Opening(theme: .standard, seed: 1, rate: .standard)) }

    private func ask(_ wake: Wake, _ run: inout Run, at frame: Int64) throws -> Wake? {
        let event = Event(client: .connection(1), .action(Action(Alarm.Ask(wake: wake))))
        _ = run.act(on: try run.admit(event, at: Frame(frame)), at: Frame(frame))
        return run.wake
    }

    @Test func `a tick comes at the frame asked for, a millisecond ahead at least, and not more than a year`() throws {
        let year: Int64 = 366 * 86_400 * 48_000
        for frame in [1_048, 1_000 + year] {
            var run = run()
            #expect(try ask(.frame(Frame(frame)), &run, at: 1_000) == .frame(Frame(frame)) && run.unusedEffects.wakes == 0)
        }
        for frame in [1_001, 1_047] as [Int64] {
            var run = run()
            #expect(try ask(.frame(Frame(frame)), &run, at: 1_000) == .frame(Frame(1_048)) && run.unusedEffects.wakes == 0)
        }
        for frame in [Int64.min, 0, 1_000, 1_001 + year, .max] {
            var run = run()
            #expect(try ask(.frame(Frame(frame)), &run, at: 1_000) == nil && run.unusedEffects.wakes == 1)
        }
    }

    @Test func `a margin that no journal can hold is left out and counted`() throws {
        var run = Run(Prophet.self, Opening(theme: .standard, seed: 1, rate: .standard))
        func ask(_ logOdds: Double) throws -> Double? {
            let event = Event(client: .connection(1), .action(Action(Prophet.Ask(logOdds: logOdds))))
            return run.act(on: try run.admit(event, at: .zero), at: .zero).logOdds
        }
        #expect(try ask(-0.5) == -0.5 && run.unusedEffects.total == 0)
        for logOdds in [Double.infinity, -.infinity, .nan] { #expect(try ask(logOdds) == nil) }
        #expect(run.unusedEffects.values == 3 && run.unusedEffects.lastReason == "its model gave a margin that is not finite")
    }

    @Test func `a tick may be asked for by an instant that is still to come, by whoever knows the time`() throws {
        let now = 1_767_225_600.0
        var run = run()
        #expect(try ask(.instant(now + 1), &run, at: 0) == nil && run.unusedEffects.wakes == 1)
        _ = run.act(on: AdmittedEvent(engine: .arrival(Arrival(CivilTime(instant: now, utcOffset: 0)))), at: .zero)
        // Two seconds later.
        #expect(try ask(.instant(now + 2.001), &run, at: 96_000) == .instant(now + 2.001))
        for instant in [now + 2, now - 1, now + 3 + 366 * 86_400, .nan, .infinity, -.infinity] {
            var other = run
            #expect(try ask(.instant(instant), &other, at: 96_000) == .instant(now + 2.001), "the one before stays")
            #expect(other.unusedEffects.wakes == 2)
        }
    }

    @Test func `an action cannot be called as an event of the core, nor have a field that stands beside its own`() {
        func action(_ name: String, _ field: String) -> ActionDeclaration {
            ActionDeclaration(name, about: "") { fields in
                _ = try fields.textIfPresent(field)
                return Named(name: name)
            }
        }
        #expect(action("cat.treat", "kind").objection == nil)
        for name in EventKind.all {
            #expect(action(name, "kind").objection == "an action cannot be called \(name): an event of the core is")
        }
        for field in ["frame", "due", "client", "event", "cues", "sum", "end", "lapse", "discontinuity", "at", "delay", "margin"] {
            #expect(action("cat.treat", field).objection?.contains("a field \(field)") == true)
        }
    }
}
