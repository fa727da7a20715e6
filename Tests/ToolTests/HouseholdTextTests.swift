import Testing
import Wire

@testable import Tool

@Suite struct HouseholdTextTests {
    @Test func `households are told a line each, with what strangers have called them made printable, and how many there may be`() {
        let list = HouseholdList(households: [
            HouseholdList.Household(name: "anna", updated: 1_782_568_800, entries: 3, isHere: true, hasOnlySecret: false),
            HouseholdList.Household(name: "\u{1B}[2J", updated: 0, entries: 0, isHere: false, hasOnlySecret: true),
        ], kept: 2, most: 10_000)
        let lines = HouseholdText.lines(list)
        // `date -u -d @1782568800` is Sat Jun 27 14:00:00 UTC 2026.
        #expect(lines.first == "anna  2026-06-27T14:00:00Z  3  there now" && lines.last == "2 of at most 10000" && lines.count == 3)
        #expect(!lines[1].unicodeScalars.contains("\u{1B}") && lines[1].hasSuffix("  1970-01-01T00:00:00Z  0  only a secret"))
    }

    @Test func `what becomes of a household is told with what its accounts have`() {
        let balances = LedgerBalances(household: "ana", balances: [
            LedgerPosting(account: "issued.gems", currency: "gems", amount: -500),
            LedgerPosting(account: "spent.food", currency: "energy", amount: 0),
            LedgerPosting(account: "wallet.gems", currency: "gems", amount: 500),
        ], households: [])
        #expect(HouseholdText.line("ana", balances, "removed") == "ana removed: issued.gems -500 gems, wallet.gems 500 gems")
        #expect(HouseholdText.line("ana", LedgerBalances(household: "ana", balances: [], households: []), "would be removed")
            == "ana would be removed")
    }
}
