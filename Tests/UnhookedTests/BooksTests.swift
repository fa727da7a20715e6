import Experience
import Fields
import Signals
import Testing
@testable import Unhooked

@Suite struct BooksTests {
    @Test func `an action with a key that was answered is answered so again, and nothing moves`() throws {
        var owner = Owner()
        let meal: [String: JSONValue] = ["food": .text("pate"), "key": .text("breakfast-1")]
        let first = try owner.act("feed", meal)
        let home = owner.home
        #expect(first.result == .object(["energy": .integer(50), "gems": .integer(0), "movement": .integer(2), "fed": .flag(true),
                                         "condition": .text("healthy")]))
        let again = try owner.act("feed", meal)
        #expect(again.result == first.result && again.ledger == first.ledger && again.cues.isEmpty && owner.home == home)
        owner.restart(after: 60)
        #expect(try owner.act("feed", meal).result == first.result && owner.home.books == home.books)
        #expect(throws: Fault.self) { try owner.act("feed", ["food": .text("pate"), "key": .text("breakfast-2")]) }
        #expect(owner.home.books == home.books, "what is refused leaves no trace")
    }

    @Test func `the entries of the ledger say what the accounts say, and sum to zero`() throws {
        var owner = Owner(gems: 1_000)
        // By what the ledger was given from here on.
        var balances = owner.home.books.balances
        let before = owner.ledger.count
        for day in 0..<40 {
            try owner.report(day % 5 * 40)
            _ = try? owner.feed(["kibble", "tuna", "feast"][day % 3])
            _ = try? owner.pay("buy", ["cosmetic": .text(["bell", "star-glasses", "cape"][day % 3])])
            _ = try? owner.pay("cure")
            owner.wait(days: 1)
            #expect(owner.home.books.sum(.energy) == 0 && owner.home.books.sum(.gems) == 0)
        }
        for entry in owner.ledger.dropFirst(before) {
            var sums: [String: Int] = [:]
            for posting in entry.postings {
                let account = try #require(Account(rawValue: posting.account))
                #expect(account.currency.rawValue == posting.currency)
                balances[account, default: 0] += posting.amount
                sums[posting.currency, default: 0] += posting.amount
            }
            #expect(sums.values.allSatisfy { $0 == 0 })
        }
        #expect(balances == owner.home.books.balances)
        #expect(Set(owner.ledger.map(\.key)).count == owner.ledger.count)
        #expect(owner.balance(.gemsCosmetics) == 260 && owner.balance(.food) > 200)
    }

    @Test func `no wallet goes below zero, and one that a refund took below zero buys nothing`() throws {
        var owner = Owner()
        for food in ["pate", "kibble"] { try owner.feed(food) }
        let fault = #expect(throws: Fault.self) { try owner.feed("broth") }
        #expect(fault == Fault(field: "energy", expected: "30 Energy", found: "0"))
        var home = Owner(gems: 500).home
        home.books.enter(.cosmetic, .dressed(Cosmetic.Price(energy: 0, gems: 220)), key: .action("a"), item: "cape", at: 0)
        home.books.enter(.refund, .refunded(500), key: .rules("receipt"), at: 0)
        #expect(home.books.wallet(.gems) == -220 && home.books.sum(.gems) == 0 && home.books.isWell)
        #expect(home.refusal(ofCosmetic: "crown", .standard)?.field == "gems")
        #expect(!home.books.has(1, .gems) && home.books.has(0, .gems))
    }

    @Test func `food is for Energy and cosmetics have no effect, whatever is configured`() throws {
        let entry = Movement(number: 1, .food, .eaten(30), key: .action("k"), item: "broth", at: 7).entry
        #expect(entry.postings.map(\.currency) == ["energy", "energy"] && entry.postings.map(\.amount) == [-30, 30])
        #expect(entry.key == "k" && entry.kind == "food" && entry.note == .object(["item": .text("broth")]))
        #expect(Movement(number: 9, .award, .awarded(3), key: .rules("award 5"), at: 7).entry.key == "award 5 7 9")
    }

    @Test func `what is switched off is refused by name`() throws {
        var owner = Owner(gems: 500)
        owner.wait(days: 3)
        var configuration = Unhooked.Configuration.standard
        configuration.flags = .init(food: false, cosmetics: false, recovery: false, purchases: false, memorial: false)
        let (home, now) = (owner.home, owner.piece.moment(at: owner.clock))
        let moves: [UnhookedMove] = [.feed(food: "pate", key: "a"), .buy(cosmetic: "cap", key: "b"), .cure(key: "c"), .remember(pet: 1)]
        #expect(moves.map { home.refusal(of: $0, configuration, at: now)?.expected } == [
            "food, which this place has switched off", "cosmetics, which this place has switched off",
            "recovery, which this place has switched off", "memorial, which this place has switched off",
        ])
    }
}
