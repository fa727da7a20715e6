import Conductor
import Experience
import Fields
import Journal
import PiggyBank
import Signals
import Testing
import Units

/// What operators have published reaches a run as events.
@Suite struct ConfigurationTests {
    private let output = RecordedOutput()

    private func conductor(_ documents: [PublishedDocument] = []) -> Conductor {
        Conductor(PiggyBank.self, theme: .standard, rate: .standard, idle: Seconds(45), documents: documents, lowering: lowering,
                  ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
    }

    private func terms(_ version: Int, bonus: Int, capacity: Int = 1_000) -> PublishedDocument {
        var terms = Terms()
        (terms.bonus, terms.capacity) = (bonus, capacity)
        return PublishedDocument(kind: "terms", version: version, body: terms.json)
    }

    private func coin(_ amount: Int, _ key: String) -> Event {
        Event(client: .connection(1), .action(Action(PiggyBank.Move.coins(PiggyBank.Coins(.put, amount: amount, key: key)))))
    }

    private func sum(_ conductor: Conductor) throws -> Int {
        let query = try #require(PiggyBank.declaration.query("bank.sum"))
        return try #require(try conductor.current.answer(query, at: .zero) as? PiggyBank.Answer).sum
    }

    private func publish(_ document: PublishedDocument, _ conductor: inout Conductor) throws -> Bool {
        try conductor.handle(Event(client: .engine, .configuration(document)), at: Due(.zero))
    }

    private func place(_ conductor: inout Conductor) {
        while output.placed < output.batches.count {
            _ = conductor.placed(at: output.batches[output.placed].due.frame)
            output.placed += 1
        }
        conductor.settled(until: Frame(.max))
    }

    @Test func `a run begins with what is in force, before its arrival, and goes on with what is published meanwhile`() throws {
        var conductor = conductor([terms(4, bonus: 2)])
        conductor.advance(to: .zero)
        _ = try conductor.handle(coin(10, "a"), at: Due(.zero))
        #expect(try sum(conductor) == 12)
        #expect(try publish(terms(5, bonus: 7), &conductor))
        _ = try conductor.handle(coin(10, "b"), at: Due(.zero))
        #expect(try sum(conductor) == 29)
        place(&conductor)
        let kinds = output.journal.compactMap { entry -> String? in
            guard case .event(let event, _, _, _) = entry else { return nil }
            if case .configuration(let document) = event.kind { return "\(document.kind) \(document.version) of \(event.client)" }
            return event.kind.name
        }
        #expect(kinds == ["terms 4 of 0", "arrival", "visit", "bank.put", "terms 5 of 0", "bank.put"])
    }

    @Test func `what is published while nobody runs is what the next run begins with, the last of its kind`() throws {
        // A household's run does not begin before the clock is set.
        var now = 0.0
        var conductor = Conductor(PiggyBank.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering,
                                  ports: output.ports, seed: { 3 }, clock: { now }, utcOffset: { _ in 0 })
        #expect(try publish(terms(1, bonus: 1), &conductor) == false)
        #expect(try publish(terms(2, bonus: 5), &conductor) == false)
        #expect(conductor.documents == [terms(2, bonus: 5)])
        now = clock
        conductor.advance(to: .zero)
        _ = try conductor.handle(coin(10, "a"), at: Due(.zero))
        #expect(try sum(conductor) == 15)
    }

    @Test func `a kind that the piece does not declare, and a body that it cannot read, are refused and change nothing`() throws {
        var conductor = conductor([PublishedDocument(kind: "weather", version: 9, body: .object([:])), terms(3, bonus: 1)])
        conductor.advance(to: .zero)
        let unknown = Fault(field: "kind", expected: "one of terms", found: "\"prices\"")
        #expect(throws: unknown) { try publish(PublishedDocument(kind: "prices", version: 1, body: .object([:])), &conductor) }
        let bad = Fault(field: "terms.bonus", expected: "a whole number from 0 to 1000", found: "5000")
        #expect(throws: bad) { try publish(terms(4, bonus: 5_000), &conductor) }
        _ = try conductor.handle(coin(10, "a"), at: Due(.zero))
        #expect(try sum(conductor) == 11, "what was kept of a kind that is no more is passed over")
        var other = Conductor(OtherPiece.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering,
                              ports: output.ports, seed: { 3 }, clock: { clock }, utcOffset: { _ in 0 })
        let none = Fault(field: "kind", expected: "nothing, because the experience other has no configuration", found: "\"terms\"")
        #expect(throws: none) { try publish(terms(4, bonus: 0), &other) }
    }

    @Test func `a journal replays without whatever kept the documents`() throws {
        var conductor = conductor([terms(4, bonus: 2)])
        conductor.advance(to: .zero)
        _ = try conductor.handle(coin(10, "a"), at: Due(.zero))
        _ = try publish(terms(5, bonus: 7, capacity: 30), &conductor)
        _ = try conductor.handle(coin(10, "b"), at: Due(.zero))
        #expect(throws: Fault.self) { try conductor.handle(self.coin(10, "c"), at: Due(.zero)) }
        place(&conductor)
        // As a reader has it, from the lines alone.
        var reader = JournalReader()
        var run: Run?
        for entry in output.whole {
            switch try reader.read(JournalLine.encode(entry).dropLast()[...]) {
            case .header(let header):
                run = Run(PiggyBank.self, Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate))
            case .event(let event, let frame, _, _):
                let admitted = try #require(run).admit(event, at: frame)
                _ = run?.act(on: admitted, at: frame)
            default: break
            }
        }
        #expect(run?.memory == .object(["sum": .integer(29)]))
        #expect(throws: Fault.self) { try run?.admit(self.coin(10, "c"), at: .zero) }
    }
}

private struct OtherPiece: Experience {
    static let declaration = Declaration(name: "other", rulesVersion: 1, about: "does nothing")

    init(_ opening: Opening) {}

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects { Effects() }
}
