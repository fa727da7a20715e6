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

    struct Memory: PieceMemory {
        var entries: Int
        init(entries: Int) { self.entries = entries }
        init(_ fields: Fields) throws { entries = try fields.integer("entries", in: 0...1_000) }
        var json: JSONValue { .object(["entries": .integer(Int64(entries))]) }
    }

    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "book", rulesVersion: 1, about: "counts who enters", actions: [
            ActionDeclaration("book.enter", about: "Somebody enters.", entersHousehold: true) { Enter(household: try $0.text("household")) },
        ], policy: .household(rollOver: four))
    }()

    var entries = 0

    init(_ opening: Opening) {}

    mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects {
        entries = (memory?.entries ?? 0) + 1
        return Effects()
    }

    mutating func reduce(_ input: Input<Enter>, at time: Frame) -> Effects {
        if case .move(let enter) = input { Effects(household: enter.household) } else { Effects() }
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
}
