import Escaping
import FoundationEssentials
import Wire

/// A household's ledger as CSV (RFC 4180), with its sums verified.
struct LedgerTable: Sendable {
    private(set) var text = "number,time,household,key,kind,account,currency,amount,note\r\n"
    /// The number of the last entry; 0 before the first.
    private(set) var last: Int64 = 0
    /// What does not add up, in words; nil when all does.
    private(set) var problem: String?
    private var sums: [Account: Int] = [:]

    private struct Account: Hashable {
        var account: String
        var currency: String
    }

    mutating func add(_ part: LedgerEntries) {
        for entry in part.entries {
            last = max(last, entry.number)
            var totals: [String: Int] = [:]
            let time = Date(timeIntervalSince1970: Double(entry.created)).formatted(.iso8601)
            let start = ["\(entry.number)", time] + [part.household, entry.key, entry.kind].map(CSV.text)
            let note = entry.note == "null" ? "" : CSV.text(entry.note)
            for posting in entry.postings {
                totals[posting.currency, default: 0] += posting.amount
                sums[Account(account: posting.account, currency: posting.currency), default: 0] += posting.amount
                text += CSV.line(start + [CSV.text(posting.account), CSV.text(posting.currency), "\(posting.amount)", note])
            }
            if entry.postings.isEmpty { text += CSV.line(start + ["", "", "", note]) }
            if let wrong = totals.first(where: { $0.value != 0 }) {
                problem = problem ?? "entry \(entry.number): its postings sum to \(wrong.value) \(wrong.key), not to zero"
            }
        }
    }

    /// `told` is what the daemon says of all entries up to the last.
    mutating func verify(_ told: LedgerBalances) {
        var left = sums
        for balance in told.balances {
            let sum = left.removeValue(forKey: Account(account: balance.account, currency: balance.currency)) ?? 0
            guard sum != balance.amount else { continue }
            problem = problem ?? "\(balance.account): the entries come to \(sum) \(balance.currency), and thrumd tells \(balance.amount)"
        }
        if let missing = left.keys.first { problem = problem ?? "\(missing.account): thrumd tells no balance in \(missing.currency)" }
    }
}
