import Calendar
import Experience
import Fields
import Signals
import Testing
@testable import Unhooked
import Units

/// Random purchases and refunds of three households, of which another is there each time.
@Suite struct RefundSequenceTests {
    /// What the house knows of a transaction, by the entries that it was given.
    private struct Counted {
        var household: Int
        var product: String
        var quantity: Int
        var bought: Int
        var takenBack = 0
        var greatestPart = 0
    }

    private static let products = ["gems_100": 100, "gems_500": 500, "gems_1200": 1_200, "gems_2500": 2_500]

    private func receipt(_ id: Int, _ counted: Counted, refunded percentage: Int?? = .none) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "transactionId": .text("\(id)"), "originalTransactionId": .text("\(id)"), "productId": .text(counted.product),
            "bundleId": .text("org.example"), "environment": .text("Sandbox"), "purchaseDate": .integer(1),
            "quantity": .integer(Int64(counted.quantity)),
        ]
        guard case .some(let percentage) = percentage else { return fields }
        fields["revocationDate"] = .integer(2)
        fields["revocationPercentage"] = percentage.map { .integer(Int64($0)) }
        fields["bought"] = .integer(Int64(counted.bought))
        fields["takenBack"] = .integer(Int64(counted.takenBack))
        return fields
    }

    @Test func `each household has what it bought, less the greatest part that was refunded of each of its purchases`() throws {
        var random = SplitMix64(seed: 36)
        let now = CivilTime(at: Double(newYear), utcOffset: { _ in 0 })
        let rate = SampleRate.standard
        func arrive(_ memory: JSONValue?) throws -> Run {
            var run = Run(Unhooked.self, Opening(theme: .standard, seed: 1, rate: rate))
            _ = run.act(on: try run.admit(Event(client: .engine, .arrival(Arrival(now, memory: memory))), at: .zero), at: .zero)
            return run
        }
        let new = try #require(arrive(nil).memory)
        var memories = [JSONValue](repeating: new, count: 3)
        var transactions: [Counted] = []
        var keys: Set<String> = []
        var sights = (absent: 0, refused: 0, twice: 0)
        for _ in 0..<1_500 {
            let here = random.below(3)
            var run = try arrive(memories[here])
            func act(_ fields: [String: JSONValue]) throws -> LedgerEntry {
                let action = Action(UncheckedAction(name: "unhooked.purchase", fields: fields))
                let effects = run.act(on: try run.admit(Event(client: .connection(1), .action(action)), at: .zero), at: .zero)
                memories[here] = try #require(run.memory)
                return try #require(effects.ledger.first)
            }
            let entry: LedgerEntry
            if transactions.isEmpty || random.below(3) == 0 {
                let product = random.pick(Self.products.keys.sorted())
                var counted = Counted(household: here, product: product, quantity: 1 + random.below(3), bought: 0)
                counted.bought = try #require(Self.products[product]) * counted.quantity
                entry = try act(receipt(transactions.count, counted))
                transactions.append(counted)
            } else {
                let id = random.below(transactions.count)
                let percentage = random.below(6) == 0 ? nil : random.below(100_001)
                var claimed = transactions[id]
                // A shop may say more than was bought.
                if random.below(8) == 0 { claimed.quantity = 100 }
                let fields = receipt(id, claimed, refunded: percentage)
                let due = transactions[id].bought * (percentage ?? 100_000) / 100_000
                guard due > transactions[id].takenBack else {
                    #expect(throws: Fault.self) { try act(fields) }
                    sights.refused += 1
                    continue
                }
                let owner = transactions[id].household
                if owner == here {
                    entry = try act(fields)
                } else {
                    let left = try run.refund(try JSONValue.object(fields).read { try Purchase(recorded: $0) }, of: memories[owner], at: now)
                    memories[owner] = left.memory
                    entry = left.entry
                    sights.absent += 1
                }
                if transactions[id].takenBack > 0 { sights.twice += 1 }
                transactions[id].takenBack -= entry.postings.reduce(0) { $0 + ($1.account == "wallet.gems" ? $1.amount : 0) }
                transactions[id].greatestPart = max(transactions[id].greatestPart, due)
            }
            #expect(keys.insert(entry.key).inserted && entry.postings.reduce(0) { $0 + $1.amount } == 0)
        }
        #expect(transactions.allSatisfy { $0.takenBack == $0.greatestPart && $0.takenBack <= $0.bought })
        for household in 0..<3 {
            let books = try memories[household].read { try Unhooked.Memory($0) }.home.books
            let own = transactions.filter { $0.household == household }.reduce(0) { $0 + $1.bought - $1.greatestPart }
            #expect(books.wallet(.gems) == own && books.balance(.gemsIssued) == -own && books.sum(.gems) == 0)
        }
        #expect(sights.absent > 100 && sights.refused > 100 && sights.twice > 100, "\(sights)")
    }
}
