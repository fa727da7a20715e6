import Calendar
import Conductor
import Experience
import Fields
import Signals
import Testing
import Units

/// A house with a guest book for each household.
private struct GuestBook: Experience {
    struct Enter: ActionBody {
        var household: String
        var name: String { "book.enter" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
            try container.encode(household, forKey: Fields.Key("household"))
        }
    }

    struct Sign: ActionBody {
        var name: String { "book.sign" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    enum Move: ActionBody {
        case enter(Enter), sign(Sign)

        private var body: any ActionBody {
            switch self {
            case .enter(let enter): enter
            case .sign(let sign): sign
            }
        }

        var name: String { body.name }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws { try body.encode(into: &container) }
    }

    struct Memory: PieceMemory {
        var entries: Int
        init(entries: Int) { self.entries = entries }
        init(_ fields: Fields) throws { entries = try fields.integer("entries", in: 0...1_000) }
        var json: JSONValue { .object(["entries": .integer(Int64(entries))]) }
    }

    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "book", rulesVersion: 1, about: "counts who enters", actions: [
            ActionDeclaration("book.enter", about: "Somebody enters.", entersHousehold: true) {
                Move.enter(Enter(household: try $0.text("household")))
            },
            ActionDeclaration("book.sign", about: "Somebody signs.") { _ in Move.sign(Sign()) },
        ], policy: .household(rollOver: four))
    }()

    var entries = 0

    init(_ opening: Opening) {}

    mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        entries = (memory?.entries ?? 0) + 1
        return Effects(ledger: memory == nil ? [LedgerEntry(key: "welcome", kind: "gift")] : [])
    }

    mutating func reduce(_ input: Input<Move>, at now: Now) -> Effects {
        switch input {
        case .move(.enter(let enter)): return Effects(household: enter.household)
        case .move(.sign):
            entries += 1
            return Effects()
        default: return Effects()
        }
    }

    var memory: Memory? { Memory(entries: entries) }
}

@Suite struct HouseholdEntryTests {
    @Test func `a household that is not there is looked at as if it entered now, and nothing changes`() throws {
        let output = RecordedOutput()
        let stored: [String: JSONValue] = ["b": .object(["entries": .integer(7)]), "c": .text("damaged")]
        var ports = output.ports
        ports.recall = { stored[$0] }
        var conductor = Conductor(GuestBook.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 3600 })
        conductor.advance(to: .zero)
        let (kept, batches) = (output.kept.count, output.batches.count)
        #expect((try conductor.preview(of: "b").piece as? GuestBook)?.entries == 8)
        #expect(throws: Fault.self) { try conductor.preview(of: "c") }
        #expect(#expect(throws: Fault.self) { try conductor.preview(of: "d") }?.field == "household")
        #expect(conductor.household == "home" && (conductor.current.piece as? GuestBook)?.entries == 1)
        #expect(output.kept.count == kept && output.batches.count == batches)
    }

    @Test func `another household's memory comes with an arrival in the same run, and each is kept under its own name`() throws {
        let output = RecordedOutput()
        var stored: [String: JSONValue] = ["b": .object(["entries": .integer(7)]), "c": .text("damaged")]
        var ports = output.ports
        ports.keep = { keeping in
            output.kept.append(keeping)
            if let memory = keeping.memory { stored[keeping.household] = memory }
        }
        ports.recall = { stored[$0] }
        var conductor = Conductor(GuestBook.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 3600 })
        conductor.advance(to: .zero)
        for (index, name) in ["b", "home", "c", "b", "b"].enumerated() {
            let action = Action(UncheckedAction(name: "book.enter", fields: ["household": .text(name)]))
            _ = try conductor.handle(Event(client: .connection(1), .action(action)), at: Due(Frame(Int64(index + 1) * 100)))
        }
        func entries(_ count: Int64) -> JSONValue { .object(["entries": .integer(count)]) }
        // A memory that cannot be read counts as none and is set aside before, and who is there already does not enter.
        let c = output.kept.filter { $0.household == "c" }
        #expect(c.map(\.memory) == [nil, entries(1)] && c.map { $0.unreadable != nil } == [true, false])
        #expect(stored == ["home": entries(2), "b": entries(9), "c": entries(1)])
        #expect(conductor.runs == 1 && conductor.household == "b" && conductor.memory == entries(9))
        while output.placed < output.batches.count {
            _ = conductor.placed(at: output.batches[output.placed].due.frame)
            output.placed += 1
        }
        let arrivals = output.journal.compactMap { entry -> JSONValue?? in
            if case .event(let event, _, _, _) = entry, case .arrival(let arrival) = event.kind { .some(arrival.memory) } else { nil }
        }
        #expect(arrivals == [nil, entries(7), entries(1), nil, entries(8)])
    }

    @Test func `a household of which nothing is kept is refused where there are as many as there may be`() throws {
        let output = RecordedOutput()
        var ports = output.ports
        ports.recall = { $0 == "known" ? .object(["entries": .integer(7)]) : nil }
        var count = Conductor.mostHouseholds
        ports.householdCount = { count }
        var conductor = Conductor(GuestBook.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 3600 })
        conductor.advance(to: .zero)
        func enter(_ name: String) throws {
            let action = Action(UncheckedAction(name: "book.enter", fields: ["household": .text(name)]))
            _ = try conductor.handle(Event(client: .connection(1), .action(action)), at: Due(Frame(100)))
        }
        for name in ["known", "home"] {
            try enter(name)
            #expect(conductor.household == name)
        }
        func entry(_ name: String) -> (household: String, isNew: Bool)? {
            let action = Action(UncheckedAction(name: "book.enter", fields: ["household": .text(name)]))
            return conductor.entry(by: Event(client: .connection(1), .action(action)))
        }
        #expect(entry("known")?.isNew == false && entry("home") == nil, "that one is there")
        count -= 1
        #expect(entry("new")?.isNew == true)
        count += 1
        do {
            try enter("new")
            Issue.record("it has entered")
        } catch let fault as Fault {
            #expect("\(fault)" == "household: expected one that is known, because 10000 households are kept already, found \"new\"")
        }
        #expect(conductor.household == "home")
        count -= 1
        try enter("new")
        #expect(conductor.household == "new")
    }

    @Test func `a name that is only entered leaves nothing, and all of it is kept once somebody does something in it`() throws {
        let output = RecordedOutput()
        var stored: [String: JSONValue] = [:]
        var ports = output.ports
        ports.keep = { keeping in
            output.kept.append(keeping)
            if let memory = keeping.memory { stored[keeping.household] = memory }
        }
        ports.recall = { stored[$0] }
        var now = clock
        var conductor = Conductor(GuestBook.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: ports,
                                  seed: { 3 }, clock: { now }, utcOffset: { _ in 3600 })
        conductor.advance(to: .zero)
        func act(_ name: String, _ fields: [String: JSONValue] = [:]) throws {
            let action = Action(UncheckedAction(name: name, fields: fields))
            _ = try conductor.handle(Event(client: .connection(1), .action(action)), at: Due(Frame(100)))
        }
        for name in ["a", "b", "c"] { try act("book.enter", ["household": .text(name)]) }
        // A day goes by in it as well: the engine does nothing for somebody.
        now += 2 * 86_400
        conductor.advance(to: Frame(100) + SampleRate.standard.frames(in: Seconds(60)))
        conductor.advance(to: Frame(100) + SampleRate.standard.frames(in: Seconds(61)))
        #expect(conductor.runs == 2 && conductor.household == "c")
        #expect(Set(output.kept.map(\.household)) == ["home"] && Array(stored.keys) == ["home"])
        try act("book.sign")
        let kept = output.kept.filter { $0.household != "home" }
        #expect(kept.map(\.household) == ["c"] && kept.first?.ledger.map(\.key) == ["welcome"])
        #expect(stored["c"] == .object(["entries": .integer(3)]), "entered, another day begun, signed")
        try act("book.enter", ["household": .text("a")])
        try act("book.enter", ["household": .text("c")])
        #expect(stored["c"] == .object(["entries": .integer(4)]) && stored["a"] == nil)
    }
}
