import Calendar
import Experience
import Fields
import Signals
import Testing
import Units

/// A piece whose action counts once, and which makes no entry of it.
private struct Forgetful: Experience {
    struct Step: ActionBody {
        var name: String { "forgetful.step" }
        var key: ActionKey? { ActionKey("step-1", for: .everybody) }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    static let declaration = Declaration(name: "forgetful", rulesVersion: 1, about: "forgets", tellsTime: false,
                                         actions: [ActionDeclaration("forgetful.step", about: "A step.") { _ in Step() }])

    init(_ opening: Opening) {}

    mutating func reduce(_ input: Input<Step>, at now: Now) -> Effects { Effects(result: .text("done")) }
}

@Suite struct LedgerEntryTests {
    @Test func `whatever is transferred, an entry's postings sum to zero in each currency`() {
        var draws = SplitMix64(seed: 5)
        for _ in 0..<1_000 {
            let transfers = (0..<draws.below(6)).map { _ in
                Transfer(draws.below(2_001) - 1_000, of: ["energy", "gems"][draws.below(2)], from: "a\(draws.below(3))", to: "a\(draws.below(3))")
            }
            let postings = LedgerEntry(key: "k", kind: "any", transfers: transfers).postings
            #expect(postings.count == 2 * transfers.count)
            for currency in ["energy", "gems"] { #expect(postings.lazy.filter { $0.currency == currency }.map(\.amount).reduce(0, +) == 0) }
        }
    }

    @Test func `a transfer takes from one account what it gives to the other, also the other way and at its limits`() {
        for amount in [5, 0, -5, Transfer.amounts.lowerBound, Transfer.amounts.upperBound] {
            let entry = LedgerEntry(key: "k", kind: "spend", transfers: [Transfer(amount, of: "energy", from: "wallet", to: "shop")])
            #expect(entry.postings == [Posting(account: "wallet", currency: "energy", amount: -amount),
                                       Posting(account: "shop", currency: "energy", amount: amount)])
        }
    }

    @Test func `an action that counts once has an entry of its key with its answer, also where the piece makes none`() throws {
        var run = Run(Forgetful.self, Opening(theme: .standard, seed: 1, rate: .standard))
        let ledger = run.act(on: try run.admit(Event(client: .connection(1), .action(Action(Forgetful.Step()))), at: .zero), at: .zero).ledger
        #expect(ledger.map(\.key) == ["step-1"] && ledger.map(\.kind) == ["forgetful.step"] && ledger.map(\.transfers) == [[]])
        #expect(ledger.first?.action?.answer == .text("done") && ledger.first?.action?.scope == .everybody)
    }
}
