import Fields
import Signals

/// One transaction of a household's ledger, in double entry. Its postings sum to zero in each currency, because it is made of transfers.
/// It is never changed: a refund is another entry.
public struct LedgerEntry: Equatable, Sendable {
    /// Tells the entry from all others of the household: a second one of the same key counts as the first.
    public let key: String
    /// For instance `spend`.
    public let kind: String
    /// What is moved, in order. None for an entry that only records that something has happened.
    public let transfers: [Transfer]
    /// Anything else about it.
    public var note: JSONValue?
    /// Of the entry of an action that counts once, which `Run` sets; nil for others.
    public internal(set) var action: ActionRecord?

    public init(key: String, kind: String, transfers: [Transfer] = [], note: JSONValue? = nil) {
        self.key = key
        self.kind = kind
        self.transfers = transfers
        self.note = note
    }

    /// Two for each transfer. A balance of an account is the sum of its postings.
    public var postings: [Posting] { transfers.flatMap(\.postings) }
}

/// What an action that counts once was answered, for whoever asks it again.
public struct ActionRecord: Equatable, Sendable {
    /// For whom its key counts.
    public let scope: ActionKey.Scope
    /// Nil where the piece answers nothing, or nothing that can be kept.
    public let answer: JSONValue?
}

extension Effects {
    /// Has the entry of the key say what the action is answered. Where the piece returns no such entry, there is one: the action counts
    /// once all the same.
    mutating func record(_ key: ActionKey, of name: String) {
        let record = ActionRecord(scope: key.scope, answer: result?.isKeepable == true ? result : nil)
        if !ledger.contains(where: { $0.key == key.text }) { ledger.append(LedgerEntry(key: key.text, kind: name)) }
        for index in ledger.indices where ledger[index].key == key.text { ledger[index].action = record }
    }
}

/// An amount that leaves one account of a household and comes to another.
public struct Transfer: Equatable, Sendable {
    /// Whole numbers that JSON has exactly, and of which a ledger's sum never overflows.
    public static let amounts = -(1 << 53)...(1 << 53)

    /// In units of the currency. Less than 0 goes the other way.
    public let amount: Int
    /// In the piece's own words, for instance `energy`.
    public let currency: String
    /// Accounts are in the piece's own words, too, for instance `wallet` and `shop`.
    public let from: String
    public let to: String

    /// `amount` is in `amounts`: as with arithmetic, one beyond that ends the program.
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

/// What an entry adds to one account. Less than 0 takes away.
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
