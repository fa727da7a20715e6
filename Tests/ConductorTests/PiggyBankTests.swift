import Calendar
import Conductor
import Experience
import Fields
import Journal
import PiggyBank
import Signals
import Synchronization
import Testing
import Units

/// A household's run, and what is kept of it.
@Suite struct PiggyBankTests {
    private let output = RecordedOutput()
    private var conductor: Conductor

    init() {
        conductor = Conductor(PiggyBank.self, theme: .standard, rate: .standard, idle: Seconds(45), memory: .object(["sum": .integer(7)]),
                              lowering: lowering, ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 3600 })
    }

    private func put(_ amount: Int64, _ key: String, _ name: String = "bank.put") -> Event {
        let fields: [String: JSONValue] = ["amount": .integer(amount), "key": .text(key)]
        return Event(client: .connection(1), .action(Action(UncheckedAction(name: name, fields: fields))))
    }

    @Test mutating func `what an action changes is kept with its entry, all or nothing, and its answer waits for that`() throws {
        conductor.advance(to: .zero)
        #expect(conductor.visit == nil && conductor.run != nil && output.kept.isEmpty, "a memory that is as it was is not kept again")
        _ = try conductor.handle(put(5, "a"), at: Due(Frame(100)), ticket: 4)
        let kept = try #require(output.kept.first)
        #expect(kept.memory == .object(["sum": .integer(12)]) && kept.ticket == 4 && output.kept.count == 1)
        let entry = try #require(kept.ledger.first)
        #expect(entry.key == "a" && entry.transfers == [Transfer(5, of: "coins", from: "saver", to: "bank")] && kept.ledger.count == 1)
        // Whoever asks again by the key is to be answered so.
        #expect(entry.action?.answer == .object(["sum": .integer(12)]) && entry.action?.scope == .household)
    }

    @Test mutating func `a purchase is an entry that counts once for everybody, and its journal gives the same entries without a receipt`() throws {
        let purchase: [String: JSONValue] = [
            "transactionId": .text("1000"), "originalTransactionId": .text("1000"), "productId": .text("coins_500"),
            "bundleId": .text("org.example.bank"), "environment": .text("Production"), "purchaseDate": .integer(1_800_000_000_000),
            "quantity": .integer(2),
        ]
        let refund = purchase.merging(["revocationDate": .integer(1_800_000_001_000)]) { $1 }
        conductor.advance(to: .zero)
        for (frame, fields) in [(100, purchase), (200, refund)] as [(Int64, [String: JSONValue])] {
            let action = Action(UncheckedAction(name: "bank.bought", fields: fields))
            _ = try conductor.handle(Event(client: .connection(1), .action(action)), at: Due(Frame(frame)))
        }
        let entries = output.kept.flatMap(\.ledger)
        #expect(entries.map(\.key) == ["receipt:1000", "refund:1000"] && entries.allSatisfy { $0.action?.scope == .everybody })
        #expect(entries.map(\.transfers) == [1_000, -1_000].map { [Transfer($0, of: "coins", from: "store", to: "bank")] })
        #expect(output.kept.map(\.memory) == [1_007, 7].map { .object(["sum": .integer($0)]) })
        for batch in output.batches { _ = conductor.placed(at: batch.due.frame) }
        var reader = JournalReader()
        var run = Run(PiggyBank.self, Opening(theme: .standard, seed: 3, rate: .standard))
        var again: [LedgerEntry] = []
        for entry in output.whole {
            guard case .event(let event, at: let time, due: _, gave: _) = try reader.read(JournalLine.encode(entry).dropLast()[...]) else { continue }
            again += run.act(on: try run.admit(event, at: time), at: time).ledger
        }
        #expect(again == entries)
    }

    @Test mutating func `what is refused leaves no entry`() throws {
        conductor.advance(to: .zero)
        #expect(throws: Fault(field: "amount", expected: "at most what is in it, 7", found: "8")) {
            try conductor.handle(put(8, "a", "bank.take"), at: Due(Frame(100)))
        }
        _ = try conductor.handle(put(7, "a", "bank.take"), at: Due(Frame(200)))
        #expect(output.kept.map(\.memory) == [.object(["sum": .integer(0)])] && output.kept.map(\.ledger.count) == [1])
    }

    @Test mutating func `the run goes on from visit to visit, and knows of them`() throws {
        conductor.advance(to: .zero)
        for visit in 1...3 {
            let start = Int64(visit) * 100 * 48_000
            _ = try conductor.handle(put(1, "coin-\(visit)"), at: Due(Frame(start)))
            #expect(conductor.visit != nil)
            conductor.advance(to: Frame(start + 45 * 48_000))
            #expect(conductor.visit == nil)
        }
        #expect(conductor.runs == 1 && conductor.visits == 3)
        let query = try #require(PiggyBank.declaration.query("bank.sum"))
        let answer = try #require(try conductor.current.answer(query, at: .zero) as? PiggyBank.Answer)
        #expect(answer.sum == 10 && answer.visits == 3)
    }
}

/// Counts how often it is made.
private struct Counted: Experience {
    struct Step: ActionBody {
        var name: String { "counted.step" }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    static let made = Mutex(0)
    static let declaration = Declaration(
        name: "counted", rulesVersion: 1, about: "counts", tellsTime: false,
        actions: [ActionDeclaration("counted.step", about: "A step.") { _ = try $0.integer("size", in: 1...9); return Step() }])

    init(_ opening: Opening) { Self.made.withLock { $0 += 1 } }

    mutating func reduce(_ input: Input<Step>, at now: Now) -> Effects { Effects() }
}

@Suite struct RefusalTests {
    @Test func `an action that is refused while nobody is there builds no piece`() throws {
        let output = RecordedOutput()
        var conductor = Conductor(Counted.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports,
                                  seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
        func action(_ name: String, _ size: Int64) -> Event {
            Event(client: .connection(1), .action(Action(UncheckedAction(name: name, fields: ["size": .integer(size)]))))
        }
        for event in [action("counted.step", 10), action("counted.stride", 1)] {
            #expect(throws: Fault.self) { try conductor.handle(event, at: Due(.zero)) }
        }
        #expect(Counted.made.withLock { $0 } == 0 && conductor.run == nil)
        _ = try conductor.handle(action("counted.step", 1), at: Due(.zero))
        #expect(Counted.made.withLock { $0 } > 0 && conductor.run != nil)
    }
}
