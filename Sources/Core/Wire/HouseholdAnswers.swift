/// The answer to `household.list`: one part of the list of all households about which something is stored.
public struct HouseholdList: Codable, Equatable, Sendable {
    public struct Household: Codable, Equatable, Sendable {
        public var name: String
        /// When the stored data of the household last changed, in seconds since 1970-01-01 in UTC.
        public var updated: Int
        /// The number of entries in the household's ledger.
        public var entries: Int
        public var isHere: Bool
        /// Whether nothing but a secret is stored for the household.
        public var hasOnlySecret: Bool

        public init(name: String, updated: Int, entries: Int, isHere: Bool, hasOnlySecret: Bool) {
            self.name = name
            self.updated = updated
            self.entries = entries
            self.isHere = isHere
            self.hasOnlySecret = hasOnlySecret
        }
    }

    /// The households, ordered by name. To get the next part, ask from the last of these names on. An empty part means the end.
    public var households: [Household]
    /// The number of stored households, without those that have only a secret; `most` is the largest number allowed.
    public var kept: Int
    public var most: Int

    public init(households: [Household], kept: Int, most: Int) {
        self.households = households
        self.kept = kept
        self.most = most
    }
}

/// The answer to `ledger.entries`: one part of a household's ledger, in the order of recording.
public struct LedgerEntries: Codable, Equatable, Sendable {
    public struct Entry: Codable, Equatable, Sendable {
        /// The entry's number. Numbers grow from entry to entry, over all households.
        public var number: Int64
        public var key: String
        public var kind: String
        /// When the entry was recorded, in seconds since 1970-01-01 in UTC.
        public var created: Int
        /// The entry's postings, which sum to zero in each currency.
        public var postings: [LedgerPosting]
        /// The piece's note on the entry, as JSON text.
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
    /// The balances, ordered by account. They sum to zero in each currency.
    public var balances: [LedgerPosting]
    /// The piece's households that have ledger entries.
    public var households: [String]

    public init(household: String, balances: [LedgerPosting], households: [String]) {
        self.household = household
        self.balances = balances
        self.households = households
    }
}

/// An amount of one currency in one account.
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
