import Experience
import Testing

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
}
