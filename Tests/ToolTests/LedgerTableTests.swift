import Testing
@testable import Tool
import Wire

@Suite struct LedgerTableTests {
    private func entry(_ number: Int64, _ postings: [LedgerPosting], note: String = "null") -> LedgerEntries.Entry {
        LedgerEntries.Entry(number: number, key: "k\(number)", kind: "buy", created: 1_700_000_000, postings: postings, note: note)
    }

    private let sale = [LedgerPosting(account: "wallet", currency: "energy", amount: -5), LedgerPosting(account: "shop", currency: "energy", amount: 5)]

    private func table(_ entries: [LedgerEntries.Entry], _ balances: [LedgerPosting]) -> LedgerTable {
        var table = LedgerTable()
        table.add(LedgerEntries(household: "home", entries: entries))
        table.verify(LedgerBalances(household: "home", balances: balances, households: ["home"]))
        return table
    }

    /// The time is by `date -u -d @1700000000`.
    @Test func `a ledger is a line for each posting, quoted as RFC 4180 has it`() {
        let table = table([entry(3, sale, note: #"{"item":"fish, \"fresh\""}"#), entry(4, [])], sale)
        #expect(table.problem == nil && table.last == 4)
        #expect(table.text == [
            "number,time,household,key,kind,account,currency,amount,note",
            #"3,2023-11-14T22:13:20Z,home,k3,buy,wallet,energy,-5,"{""item"":""fish, \""fresh\""""}""#,
            #"3,2023-11-14T22:13:20Z,home,k3,buy,shop,energy,5,"{""item"":""fish, \""fresh\""""}""#,
            "4,2023-11-14T22:13:20Z,home,k4,buy,,,,",
        ].map { $0 + "\r\n" }.joined())
    }

    @Test func `what does not add up is told`() {
        let half = [sale[0]]
        #expect(table([entry(3, half)], half).problem == "entry 3: its postings sum to -5 energy, not to zero")
        #expect(table([entry(3, sale)], half).problem == "shop: thrumd tells no balance in energy")
        #expect(table([], half).problem == "wallet: the entries come to 0 energy, and thrumd tells -5")
    }
}
