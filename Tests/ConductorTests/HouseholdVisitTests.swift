import Calendar
import Conductor
import Experience
import Fields
import Journal
import Signals
import Testing
import Units

/// A cat that takes three treats a visit, and remembers how many it has had. It wants a tick an hour.
private struct Cat: Experience {
    struct Treat: ActionBody {
        var name: String { "cat.treat" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    struct Eaten: AnnouncementBody {
        var topic: String { "eaten" }
        var treats: Int
    }

    struct Memory: PieceMemory {
        var treats: Int

        init(treats: Int) { self.treats = treats }
        init(_ fields: Fields) throws { treats = try fields.integer("treats", in: 0...1_000) }
        var json: JSONValue { .object(["treats": .integer(Int64(treats))]) }
    }

    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "cat", rulesVersion: 1, about: "takes treats",
                           actions: [ActionDeclaration("cat.treat", about: "A treat.") { _ in Treat() }], policy: .household(rollOver: four))
    }()

    var treats = 0
    var inVisit = 0

    init(_ opening: Opening) {}

    func refusal(of input: Input<Treat>, at now: Now) -> Fault? {
        if case .move = input, inVisit >= 3 { Fault(field: "method", expected: "no more treats in this visit") } else { nil }
    }

    mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        treats = memory?.treats ?? 0
        return Effects(wake: .instant(now.civilTime.instant + 3_600))
    }

    mutating func reduce(_ input: Input<Treat>, at now: Now) -> Effects {
        switch input {
        case .move:
            inVisit += 1
            treats += 1
            return Effects(cues: [.chime("ding")])
        case .visit(.began): inVisit = 0
        case .tick: return Effects(wake: .instant(now.civilTime.instant + 3_600))
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: usual)
        case .tap, .swipe, .knob, .theme, .configuration, .visit: break
        }
        return Effects()
    }

    func record(at now: Now) -> Announcement? { Announcement(Eaten(treats: inVisit)) }

    var memory: Memory? { Memory(treats: treats) }
}

@Suite struct HouseholdVisitTests {
    private final class Wall { var time = clock + 86_400 }

    private let output = RecordedOutput()
    private let wall = Wall()
    private var conductor: Conductor
    private var last = Frame(-1)

    init() {
        conductor = Conductor(Cat.self, theme: .standard, rate: .standard, idle: Seconds(45), memory: .object(["treats": .integer(7)]),
                              lowering: lowering, ports: output.ports, seed: { 3 }, clock: { [wall] in wall.time }, utcOffset: { _ in 0 })
    }

    private let treat = Event(client: .connection(1), .action(Action(Cat.Treat())))

    /// So many seconds later, on the wall and in the output.
    private mutating func pass(_ seconds: Int, _ frame: inout Frame) {
        wall.time += Double(seconds)
        frame = frame + FrameCount(Int64(seconds) * 48_000)
        conductor.advance(to: frame)
        place()
    }

    /// As the output does: each batch where it is due, but not before its gap is over. Returns the tickets.
    @discardableResult private mutating func place() -> [Int] {
        var tickets: [Int] = []
        while output.placed < output.batches.count {
            let batch = output.batches[output.placed]
            last = max(batch.due.frame, last + batch.gap)
            if let ticket = conductor.placed(at: last).ticket { tickets.append(ticket) }
            output.placed += 1
        }
        return tickets
    }

    private var kinds: [String] {
        output.journal.map { entry in
            switch entry {
            case .header: "header"
            case .event(let event, _, _, _): if case .visit(let phase) = event.kind { "visit \(phase)" } else { event.kind.name }
            case .discontinuity: "discontinuity"
            case .checkpoint: "checkpoint"
            case .end(let end, _): "end \(end)"
            }
        }
    }

    private var ended: [Announcement?] {
        output.told.compactMap { $0.body as? SessionAnnouncement }.filter { $0.phase == .ended }.map(\.record)
    }

    @Test mutating func `a visit ends after the idle time with everything let go, and the run goes on`() throws {
        var frame = Frame.zero
        pass(0, &frame)
        #expect(kinds == ["header", "arrival"] && conductor.visit == nil)
        _ = try conductor.handle(began(), at: Due(frame))
        _ = try conductor.handle(treat, at: Due(frame))
        pass(3_000, &frame)
        #expect(conductor.visit != nil, "a finger is down")
        _ = try conductor.handle(Event(client: .connection(1), .touch(Touch(.ended))), at: Due(frame))
        pass(44, &frame)
        #expect(conductor.visit != nil)
        pass(1, &frame)
        #expect(conductor.visit == nil && conductor.run != nil && conductor.visits == 1 && conductor.runs == 1)
        #expect(kinds == ["header", "arrival", "visit began", "touch", "cat.treat", "touch", "stop", "visit ended"])
        #expect(ended == [Announcement(Cat.Eaten(treats: 1))])
        #expect(output.kept == [Conductor.Keeping(memory: .object(["treats": .integer(8)]))], "when it changes, not when somebody leaves")
        pass(3_600, &frame)
        #expect(kinds.last == "tick" && conductor.visit == nil, "nobody is there because of a tick")
    }

    @Test mutating func `an action is refused or not as the piece will be when it acts on it, at once and in replay`() throws {
        var frame = Frame.zero
        pass(0, &frame)
        for _ in 0..<2 {
            for _ in 0..<3 { #expect(try conductor.handle(treat, at: Due(frame))) }
            #expect(throws: Fault.self) { try conductor.handle(treat, at: Due(frame)) }
            pass(46, &frame)
            #expect(conductor.visit == nil)
        }
        #expect(conductor.visits == 2 && ended == [Announcement(Cat.Eaten(treats: 3)), Announcement(Cat.Eaten(treats: 3))])
        var run = Run(Cat.self, Opening(theme: .standard, seed: 3, rate: .standard))
        for case .event(let event, let at, let due, let gave?) in output.whole {
            #expect(run.act(on: try run.admit(event, at: due ?? at), at: due ?? at).cues == gave.cues)
        }
        #expect(run.memory == .object(["treats": .integer(13)]))
    }

    @Test mutating func `the day does not end while somebody is there`() throws {
        var frame = Frame.zero
        wall.time += 3.99 * 3_600
        pass(0, &frame)
        _ = try conductor.handle(treat, at: Due(frame))
        pass(40, &frame)
        #expect(conductor.visit != nil && conductor.runs == 1, "four o'clock is over")
        pass(5, &frame)
        #expect(conductor.visit == nil && conductor.runs == 2)
        conductor.settled(until: Frame(.max))
        #expect(kinds == ["header", "arrival", "visit began", "cat.treat", "stop", "visit ended", "stop", "end rollOver", "header", "arrival"])
        guard case .event(let event, let at, let due, _)? = output.journal.last, case .arrival(let arrival) = event.kind else {
            Issue.record("no arrival")
            return
        }
        #expect(arrival.memory == .object(["treats": .integer(8)]) && at == .zero && due == nil)
        // The new run begins when the old one has faded out; what follows is placed so much later by the run's frames than it is due.
        _ = try conductor.handle(treat, at: Due(frame))
        pass(10, &frame)
        _ = try conductor.handle(treat, at: Due(frame))
        place()
        guard case .event(_, let position, let told, _)? = output.journal.last else { Issue.record("no treat"); return }
        // 10 ms to fade out, and 2.
        #expect(told == Frame(480_000) && position == Frame(480_000 - 576))
    }

    @Test mutating func `somebody ends the visit, and the daemon the run`() throws {
        var frame = Frame.zero
        pass(0, &frame)
        conductor.end(.request, at: frame, ticket: 8)
        #expect(place() == [], "nobody is there")
        _ = try conductor.handle(began(), at: Due(frame))
        conductor.end(.request, at: frame, ticket: 9)
        #expect(place() == [9])
        #expect(conductor.visit == nil && conductor.run != nil && !conductor.isHeld)
        _ = try conductor.handle(treat, at: Due(frame))
        conductor.end(.shutdown, at: frame)
        place()
        conductor.settled(until: Frame(.max))
        #expect(conductor.run == nil && ended.count == 2)
        #expect(kinds.suffix(4) == ["stop", "visit ended", "stop", "end shutdown"])
        #expect(output.kept.last?.memory == .object(["treats": .integer(8)]))
    }

    @Test mutating func `no run of a household begins by a clock that nobody has set`() throws {
        let now = wall.time
        wall.time = 1_000
        var frame = Frame.zero
        pass(0, &frame)
        #expect(conductor.run == nil && output.batches.isEmpty)
        #expect(throws: Fault.self) { try conductor.handle(began(), at: Due(frame)) }
        #expect(try !conductor.handle(Event(client: .connection(1), .mute(true)), at: Due(frame)), "it counts from the first run on")
        #expect(conductor.visit == nil && output.told.isEmpty)
        wall.time = now
        pass(0, &frame)
        #expect(kinds == ["header", "output.mute", "arrival"] && output.kept.isEmpty, "nothing is forgotten before it is remembered")
        wall.time = 2_000
        pass(86_400, &frame)
        #expect(kinds == ["header", "output.mute", "arrival"], "nor does it go on by one")
    }

    @Test mutating func `a clock that was a year ahead is not waited for`() throws {
        let now = wall.time
        wall.time += 365 * 86_400
        var frame = Frame.zero
        pass(0, &frame)
        wall.time = now
        pass(1, &frame)
        #expect(kinds == ["header", "arrival", "tick"], "the piece is told at once")
        for _ in 0..<5 { pass(3_600, &frame) }
        conductor.settled(until: Frame(.max))
        #expect(kinds.filter { $0 == "tick" }.count == 5 && kinds.filter { $0 == "end rollOver" }.count == 1)
        // As much as the clock's daemon corrects is none of that.
        let ticks = kinds.count
        wall.time -= 1_800
        pass(1, &frame)
        #expect(kinds.count == ticks)
    }

    /// Room is asked for once, before all of this.
    @Test mutating func `the end of a visit and of a day, and somebody who comes just then, are as many batches as are said to be`() throws {
        var frame = Frame.zero
        _ = try conductor.handle(Event(client: .connection(1), .mute(true)), at: Due(frame))
        _ = try conductor.handle(Event(client: .engine, .volume(Decibels(-6), fade: .zero)), at: Due(frame))
        _ = try conductor.handle(Event(client: .engine, .touchOwner(.engine)), at: Due(frame))
        pass(0, &frame)
        _ = try conductor.handle(treat, at: Due(frame))
        place()
        let before = output.batches.count
        wall.time += 86_400
        _ = try conductor.handle(treat, at: Due(frame + FrameCount(86_400 * 48_000)))
        // All but a tick, which a run that has just begun does not want yet, the memories of other households, and documents.
        #expect(output.batches.count - before == Conductor.mostBatches - 3 - Declaration.mostConfigurations)
    }
}
