import Fields
import Signals

/// One transaction in a household's ledger, by double entry. It consists of transfers, so its postings sum to zero in each currency.
/// Entries are never changed: a refund is an entry of its own.
public struct LedgerEntry: Equatable, Sendable {
    /// The idempotency key, unique in the household: a second entry with the same key is ignored.
    public let key: String
    /// The entry's kind, for instance `spend`.
    public let kind: String
    /// The transfers, in order; none for an entry that only records that something happened.
    public let transfers: [Transfer]
    /// Anything else to record about the transaction; nil where there is nothing.
    public var note: JSONValue?
    /// The answer to the action that made this entry, if the action counts once; nil for other entries. `Run` sets it.
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

/// The answer to an action that counts once. A client that repeats the action gets this answer again.
public struct ActionRecord: Equatable, Sendable {
    /// The area in which the action's key counts once.
    public let scope: ActionKey.Scope
    /// The piece's answer; nil where there is none, or none that can be stored.
    public let answer: JSONValue?
}

extension Effects {
    /// Adds the answer to the action `name` to the ledger entry with the action's key. If the piece returned no such entry, one is made:
    /// the key must be recorded, because the action counts once.
    mutating func record(_ key: ActionKey, of name: String) {
        let record = ActionRecord(scope: key.scope, answer: result?.isKeepable == true ? result : nil)
        if !ledger.contains(where: { $0.key == key.text }) { ledger.append(LedgerEntry(key: key.text, kind: name)) }
        for index in ledger.indices where ledger[index].key == key.text { ledger[index].action = record }
    }
}

/// Moves an amount from one account of a household to another.
public struct Transfer: Equatable, Sendable {
    /// The allowed range of amounts: integers that JSON can hold exactly, and whose sum over a ledger never overflows.
    public static let amounts = -(1 << 53)...(1 << 53)

    /// The amount in units of the currency. A negative amount goes from `to` to `from`.
    public let amount: Int
    /// The currency's name, which the piece chooses, for instance `energy`.
    public let currency: String
    /// The accounts' names, which the piece chooses, for instance `wallet` and `shop`.
    public let from: String
    public let to: String

    /// Creates a transfer. An `amount` outside `amounts` stops the program, as an arithmetic overflow does.
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

/// The change of one account by an entry; a negative amount takes away.
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
