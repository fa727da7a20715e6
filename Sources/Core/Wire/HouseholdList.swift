/// The answer to `household.list`: households of which something is kept, a part of all.
public struct HouseholdList: Codable, Equatable, Sendable {
    public struct Household: Codable, Equatable, Sendable {
        public var name: String
        /// When what is known of it last changed, in seconds since 1970-01-01 in UTC.
        public var updated: Int
        /// Of its ledger.
        public var entries: Int
        public var isHere: Bool
        /// Whether nothing but a secret is kept of it.
        public var hasOnlySecret: Bool

        public init(name: String, updated: Int, entries: Int, isHere: Bool, hasOnlySecret: Bool) {
            self.name = name
            self.updated = updated
            self.entries = entries
            self.isHere = isHere
            self.hasOnlySecret = hasOnlySecret
        }
    }

    /// In their names' order. The next part comes after the last of them; an empty one is the end.
    public var households: [Household]
    /// All but those of which only a secret is kept, and for how many there is room.
    public var kept: Int
    public var most: Int

    public init(households: [Household], kept: Int, most: Int) {
        self.households = households
        self.kept = kept
        self.most = most
    }
}
