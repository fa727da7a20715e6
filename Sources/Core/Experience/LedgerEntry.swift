import Fields
import Signals

/// One transaction of a household's ledger, in double entry. Its postings sum to zero in each currency, because it is made of transfers.
/// No entry is ever changed: a refund is another one.
public struct LedgerEntry: Equatable, Sendable {
    /// The key, which no other entry of the household has: a second one of the same key counts as the first.
    public let key: String
    /// The kind, for instance `spend`.
    public let kind: String
    /// The transfers, in order; none for an entry that only records that something has happened.
    public let transfers: [Transfer]
    /// Anything else about it.
    public var note: JSONValue?
    /// What an action that counts once was answered, which `Run` sets; nil for other entries.
    public internal(set) var action: ActionRecord?

    public init(key: String, kind: String, transfers: [Transfer] = [], note: JSONValue? = nil) {
        self.key = key
        self.kind = kind
        self.transfers = transfers
        self.note = note
    }

    /// The postings, two for each transfer. The balance of an account is the sum of its postings.
    public var postings: [Posting] { transfers.flatMap(\.postings) }
}

/// The answer to an action that counts once, for a client that asks for the action again.
public struct ActionRecord: Equatable, Sendable {
    /// The clients for whom the action's key counts.
    public let scope: ActionKey.Scope
    /// The piece's answer; nil where there is none, or none that can be kept.
    public let answer: JSONValue?
}

extension Effects {
    /// Adds the answer of the action `name` to the entry of its key. Where the piece returns no such entry, one is made, because the action
    /// counts once all the same.
    mutating func record(_ key: ActionKey, of name: String) {
        let record = ActionRecord(scope: key.scope, answer: result?.isKeepable == true ? result : nil)
        if !ledger.contains(where: { $0.key == key.text }) { ledger.append(LedgerEntry(key: key.text, kind: name)) }
        for index in ledger.indices where ledger[index].key == key.text { ledger[index].action = record }
    }
}

/// Moves an amount from one account of a household to another.
public struct Transfer: Equatable, Sendable {
    /// The range of amounts: whole numbers that JSON has exactly, and whose sum over a ledger never overflows.
    public static let amounts = -(1 << 53)...(1 << 53)

    /// The amount in units of the currency. Less than 0 goes the other way.
    public let amount: Int
    /// The currency in the piece's own words, for instance `energy`.
    public let currency: String
    /// The accounts in the piece's own words, for instance `wallet` and `shop`.
    public let from: String
    public let to: String

    /// Creates a transfer. An `amount` beyond `amounts` ends the program, as with arithmetic.
    public init(_ amount: Int, of currency: String, from: String, to: String) {
        precondition(Self.amounts.contains(amount), "a transfer of \(amount)")
        self.amount = amount
        self.currency = currency
        self.from = from
        self.to = to
    }

    var postings: [Posting] {
        [Posting(account: from, currency: currency, amount: -amount), Posting(account: to, currency: currency, amount: amount)]
    }
}

/// The change of one account by an entry; less than 0 takes away.
public struct Posting: Equatable, Sendable {
    public var account: String
    public var currency: String
    public var amount: Int

    public init(account: String, currency: String, amount: Int) {
        self.account = account
        self.currency = currency
        self.amount = amount
    }
}
