/// The answer to `ledger.entries`: a part of a household's ledger, in the order in which it was recorded.
public struct LedgerEntries: Codable, Equatable, Sendable {
    public struct Entry: Codable, Equatable, Sendable {
        /// Grows with every entry of the house.
        public var number: Int64
        public var key: String
        public var kind: String
        /// Seconds since 1970-01-01 in UTC.
        public var created: Int
        /// Sum to zero in each currency.
        public var postings: [LedgerPosting]
        /// JSON as the piece wrote it.
        public var note: String

        public init(number: Int64, key: String, kind: String, created: Int, postings: [LedgerPosting], note: String) {
            self.number = number
            self.key = key
            self.kind = kind
            self.created = created
            self.postings = postings
            self.note = note
        }
    }

    public var household: String
    public var entries: [Entry]

    public init(household: String, entries: [Entry]) {
        self.household = household
        self.entries = entries
    }
}

/// The answer to `ledger.balances`.
public struct LedgerBalances: Codable, Equatable, Sendable {
    public var household: String
    /// In the accounts' order. They sum to zero in each currency.
    public var balances: [LedgerPosting]
    /// Of the piece, that have entries.
    public var households: [String]

    public init(household: String, balances: [LedgerPosting], households: [String]) {
        self.household = household
        self.balances = balances
        self.households = households
    }
}

/// An amount of an account.
public struct LedgerPosting: Codable, Equatable, Sendable {
    public var account: String
    public var currency: String
    public var amount: Int

    public init(account: String, currency: String, amount: Int) {
        self.account = account
        self.currency = currency
        self.amount = amount
    }
}
