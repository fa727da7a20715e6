import Escaping
import FoundationEssentials
import Wire

/// Households, for people. Their names are a stranger's words.
enum HouseholdText {
    /// What becomes of a household.
    struct Words {
        var done: String
        var planned: String
    }

    static func lines(_ list: HouseholdList) -> [String] {
        list.households.map { household in
            let updated = Date(timeIntervalSince1970: Double(household.updated)).formatted(.iso8601)
            let here = household.isHere ? "  there now" : ""
            let only = household.hasOnlySecret ? "  only a secret" : ""
            return "\(household.name.printable)  \(updated)  \(household.entries)\(here)\(only)"
        } + ["\(list.kept) of at most \(list.most)"]
    }

    /// `fate` is what becomes of it. Names what its accounts have.
    static func line(_ household: String, _ balances: LedgerBalances, _ fate: String) -> String {
        let amounts = balances.balances.filter { $0.amount != 0 }.map { "\($0.account.printable) \($0.amount) \($0.currency.printable)" }
        return "\(household.printable) \(fate)" + (amounts.isEmpty ? "" : ": " + amounts.joined(separator: ", "))
    }
}
